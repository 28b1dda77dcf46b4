#include "sparsity/build_mask.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "sparsity/test_support.h"

using namespace hinm;
using test::group_pattern;
using test::hinm_pattern;

namespace {

std::vector<int> row_bits(const Mask& mask, std::int64_t r) {
  std::vector<int> bits;
  for (std::int64_t c = 0; c < mask.cols; ++c) bits.push_back(mask.kept(r, c));
  return bits;
}

/// Section 2 word for word: sort column sums, keep K', pack, sort each group.
Mask reference_hinm(const Matrix<float>& scores, const Pattern& pattern, const Order& order) {
  Mask mask(scores.rows, scores.cols);
  for (std::int64_t position = 0; position < scores.rows; ++position) {
    const std::int64_t r = order.output_order[static_cast<std::size_t>(position)];
    const std::uint32_t* columns = order.tile_columns(position / order.tile_rows);
    for (std::int64_t first = 0; first < order.kept_columns; first += pattern.m) {
      std::vector<float> group;
      for (std::int64_t i = 0; i < pattern.m; ++i) group.push_back(scores.at(r, columns[first + i]));
      for (const std::int64_t i : test::survivors(group, pattern.n)) mask.keep(r, columns[first + i]);
    }
  }
  return mask;
}

Order random_order(const Matrix<float>& scores, const Geometry& geometry, RandomStream& random) {
  Order order = original_order(scores.view(), geometry);
  shuffle(order.output_order.data(), static_cast<std::uint32_t>(scores.rows), random);
  std::vector<std::uint32_t> all(static_cast<std::size_t>(scores.cols));
  std::iota(all.begin(), all.end(), 0u);
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
    shuffle(all.data(), static_cast<std::uint32_t>(all.size()), random);
    std::copy(all.begin(), all.begin() + geometry.kept_columns, order.columns.begin() + tile * geometry.kept_columns);
  }
  return order;
}

}  // namespace

TEST_CASE("at equal score the higher index survives, and -0.0 equals 0") {
  Matrix<float> scores(3, 4);
  scores.data = {1, 1, 1, 2, 0, 0, 0, 0, 0.0f, -0.0f, 0.0f, -0.0f};
  const Result<Mask> mask = build_mask(scores.view(), group_pattern(2, 4), nullptr);
  REQUIRE(mask.ok());
  CHECK(row_bits(mask.value(), 0) == std::vector<int>{0, 0, 1, 1});
  CHECK(row_bits(mask.value(), 1) == std::vector<int>{0, 0, 1, 1});
  CHECK(row_bits(mask.value(), 2) == std::vector<int>{0, 0, 1, 1});
}

TEST_CASE("equal column sums keep the higher columns beside the largest") {
  // SCIENCE section 9: sums [5,1,1,1,1,1,1,0] with K' = 4 keep columns 0, 4, 5, 6.
  Matrix<float> scores(1, 8);
  scores.data = {5, 1, 1, 1, 1, 1, 1, 0};
  const Result<Mask> mask =
      build_mask(scores.view(), {.kind = PatternKind::vector, .vector = 1, .sparsity = 0.5}, nullptr);
  REQUIRE(mask.ok());
  CHECK(row_bits(mask.value(), 0) == std::vector<int>{1, 0, 0, 0, 1, 1, 1, 0});
}

TEST_CASE("unstructured ties rank by row-major index") {
  Matrix<float> scores(2, 3);
  scores.data = {1, 1, 2, 1, 1, 0};
  const Result<Mask> mask = build_mask(scores.view(), {.kind = PatternKind::unstructured, .sparsity = 0.5}, nullptr);
  REQUIRE(mask.ok());
  // Three of six: the 2, then the two highest-indexed ones.
  CHECK(row_bits(mask.value(), 0) == std::vector<int>{0, 0, 1});
  CHECK(row_bits(mask.value(), 1) == std::vector<int>{1, 1, 0});
}

TEST_CASE("masks equal the sorted reference on random matrices with and without ties, under random orders") {
  constexpr std::uint64_t seed = 20260801;
  INFO("seed ", seed);
  for (std::uint32_t trial = 0; trial < 1000; ++trial) {
    RandomStream random(seed, trial);
    const std::int64_t m = 2 + random.below(5), n = 1 + random.below(static_cast<std::uint32_t>(m - 1));
    const std::int64_t rows = 1 + random.below(12), cols = m + random.below(20);
    const Matrix<float> scores = test::random_matrix(rows, cols, random, random.below(2) * 3);
    const Pattern pattern = hinm_pattern(1 + random.below(6), random.below(3) * 0.25, n, m);
    const Result<Geometry> geometry = geometry_of(pattern, rows, cols);
    if (!geometry.ok()) continue;
    const Order order = random_order(scores, geometry.value(), random);
    const Result<Mask> mask = build_mask(scores.view(), pattern, &order);
    REQUIRE(mask.ok());
    CHECK(mask.value().bits == reference_hinm(scores, pattern, order).bits);
    CHECK(mask.value().count() == rows * geometry.value().kept_columns / m * n);
  }
}

TEST_CASE("masking permuted rows and columns and inverting equals the direct mask") {
  constexpr std::uint64_t seed = 20260802;
  INFO("seed ", seed);
  for (std::uint32_t trial = 0; trial < 1000; ++trial) {
    RandomStream random(seed, trial);
    const std::int64_t rows = 1 + random.below(8), cols = 4 * (1 + random.below(4));
    const Matrix<float> scores = test::random_matrix(rows, cols, random, random.below(2) * 4);
    const Geometry geometry = geometry_of(group_pattern(2, 4), rows, cols).value();
    const Order order = random_order(scores, geometry, random);
    Matrix<float> permuted(rows, cols);
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < cols; ++c) {
        permuted.at(r, c) =
            scores.at(order.output_order[static_cast<std::size_t>(r)], order.columns[static_cast<std::size_t>(c)]);
      }
    }
    const Mask direct = build_mask(scores.view(), group_pattern(2, 4), &order).value();
    const Mask of_permuted = build_mask(permuted.view(), group_pattern(2, 4), nullptr).value();
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < cols; ++c) {
        CHECK(of_permuted.kept(r, c) ==
              direct.kept(order.output_order[static_cast<std::size_t>(r)], order.columns[static_cast<std::size_t>(c)]));
      }
    }
  }
}

TEST_CASE("in the original order kept columns are ascending and every tile keeps the same number") {
  RandomStream random(5);
  const Matrix<float> scores = test::random_matrix(10, 23, random);
  const Geometry geometry = geometry_of(hinm_pattern(4, 0.5), 10, 23).value();
  // K' = 4·floor(23·0.5/4) = 8; tiles of 4, 4 and 2 rows.
  CHECK(geometry.kept_columns == 8);
  CHECK(geometry.tiles == 3);
  CHECK(geometry.rows_of(2) == 2);
  const Order order = original_order(scores.view(), geometry);
  for (std::int64_t tile = 0; tile < 3; ++tile) {
    CHECK(std::is_sorted(order.tile_columns(tile), order.tile_columns(tile) + 8));
    std::vector<double> sums(23);
    for (std::int64_t c = 0; c < 23; ++c) {
      for (std::int64_t r = 0; r < geometry.rows_of(tile); ++r)
        sums[static_cast<std::size_t>(c)] += static_cast<double>(scores.at(4 * tile + r, c));
    }
    const auto expected = test::survivors(sums, 8);
    CHECK(std::equal(expected.begin(), expected.end(), order.tile_columns(tile)));
  }
}

TEST_CASE("a matrix with fewer rows than V is one short tile") {
  const Geometry geometry = geometry_of(hinm_pattern(32, 0.5), 10, 256).value();
  CHECK(geometry.tiles == 1);
  CHECK(geometry.tile_rows == 10);
  CHECK(geometry.kept_columns == 128);
}

TEST_CASE("sparsities that decimals cannot hold still keep the whole number they mean") {
  // 1 − 0.9 is below 0.1 in binary; 10·0.1 must still be 1.
  CHECK(kept_of(10, 0.9) == 1);
  CHECK(kept_of(1000, 0.3) == 700);
  CHECK(kept_of(7, 0.5) == 3);
}

TEST_CASE("what a pattern cannot do is refused in one sentence with the nearest legal value") {
  CHECK(geometry_of(group_pattern(2, 4), 8, 10).error().message ==
        "The layer has 10 input channels, which is not a multiple of 4; 2:4 needs one, such as 12.");
  CHECK(geometry_of(hinm_pattern(4, 0.5), 8, 3).error().message ==
        "The layer has 3 input channels, fewer than one group of 4; the least is 4.");
  CHECK(geometry_of(hinm_pattern(4, 0.8), 8, 16).error().message ==
        "A vector sparsity of 0.8 keeps fewer than 4 of 16 columns in a tile; choose at most 0.75.");
  CHECK_FALSE(geometry_of(group_pattern(4, 4), 8, 16).ok());
  CHECK_FALSE(geometry_of(hinm_pattern(0, 0.5), 8, 16).ok());
  CHECK_FALSE(geometry_of(hinm_pattern(4, 1.0), 8, 16).ok());
  CHECK_FALSE(geometry_of(hinm_pattern(4, std::numeric_limits<double>::quiet_NaN()), 8, 16).ok());
}

TEST_CASE("NaN, infinite and negative scores are refused with their position") {
  Matrix<float> scores(2, 4, 1.0f);
  scores.at(1, 2) = std::numeric_limits<float>::quiet_NaN();
  const Result<Mask> mask = build_mask(scores.view(), group_pattern(2, 4), nullptr);
  REQUIRE_FALSE(mask.ok());
  CHECK(mask.error().code == "NOT_FINITE");
  CHECK(mask.error().message.find("row 1, column 2") != std::string::npos);
  scores.at(1, 2) = -1;
  CHECK(build_mask(scores.view(), group_pattern(2, 4), nullptr).error().code == "INVALID_ARGUMENT");
}

TEST_CASE("an order of another geometry is refused") {
  const Matrix<float> scores(8, 16, 1.0f);
  Order order = original_order(scores.view(), geometry_of(hinm_pattern(4, 0.5), 8, 16).value());
  CHECK(build_mask(scores.view(), hinm_pattern(4, 0.5), &order).ok());
  CHECK_FALSE(build_mask(scores.view(), hinm_pattern(2, 0.5), &order).ok());
  order.columns[1] = order.columns[0];
  CHECK_FALSE(build_mask(scores.view(), hinm_pattern(4, 0.5), &order).ok());
}
