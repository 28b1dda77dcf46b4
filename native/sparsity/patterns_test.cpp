// V:N:M, three-region, and the recognition of masks.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "sparsity/block_columns.h"
#include "sparsity/build_mask.h"
#include "sparsity/order.h"
#include "sparsity/quality.h"
#include "sparsity/recognise_mask.h"
#include "sparsity/test_support.h"
#include "sparsity/verify_mask.h"

using namespace hinm;

namespace {

double kept_of_set(const Matrix<float>& scores, std::int64_t rows, const std::vector<std::int64_t>& set) {
  double kept = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    std::vector<double> values;
    for (const std::int64_t c : set) values.push_back(static_cast<double>(scores.at(r, c)));
    std::sort(values.rbegin(), values.rend());
    kept += values[0] + values[1];
  }
  return kept;
}

Pattern three_region(std::int64_t vector, double sparsity) {
  return {.kind = PatternKind::three_region, .vector = vector, .n = 2, .m = 4, .sparsity = sparsity};
}

}  // namespace

TEST_CASE("a V:N:M tile keeps the best four columns of a block after 2:4, the later ones at equal worth") {
  constexpr std::uint64_t seed = 81;
  INFO("seed ", seed);
  for (std::uint32_t trial = 0; trial < 1000; ++trial) {
    RandomStream random(seed, trial);
    const std::int64_t block = 4 + random.below(5), rows = 1 + random.below(4);
    const Matrix<float> scores = test::random_matrix(rows, block, random, random.below(2) * 3);
    std::vector<std::uint32_t> all_rows(static_cast<std::size_t>(rows));
    for (std::size_t r = 0; r < all_rows.size(); ++r) all_rows[r] = static_cast<std::uint32_t>(r);
    double most = -1;
    std::vector<std::uint32_t> best;
    std::vector<int> chosen(static_cast<std::size_t>(block));
    std::fill(chosen.begin(), chosen.begin() + 4, 1);
    // prev_permutation walks the sets in ascending order of their columns, so the last best one is the highest.
    do {
      std::vector<std::int64_t> set;
      for (std::int64_t c = 0; c < block; ++c) {
        if (chosen[static_cast<std::size_t>(c)] == 1) set.push_back(c);
      }
      const double kept = kept_of_set(scores, rows, set);
      if (kept < most - 1e-12) continue;
      most = std::max(most, kept);
      best.assign(set.begin(), set.end());
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    CHECK(block_columns(scores.view(), all_rows.data(), rows, block) == best);
  }
}

TEST_CASE("V:N:M and three-region masks keep their exact counts, and a turned bit is refused") {
  constexpr std::uint64_t seed = 82;
  INFO("seed ", seed);
  for (std::uint32_t trial = 0; trial < 300; ++trial) {
    RandomStream random(seed, trial);
    const std::int64_t rows = 1 + random.below(9), cols = 8 * (1 + random.below(3));
    const Matrix<float> scores = test::random_matrix(rows, cols, random, random.below(2) * 3);
    const std::int64_t vector = 1 + random.below(5);
    const Pattern venom{.kind = PatternKind::venom, .vector = vector, .block = 8};
    for (const Pattern& pattern : {venom, three_region(vector, 0.5), three_region(vector, 0.75)}) {
      const Mask mask = build_mask(scores.view(), pattern, nullptr).value();
      // V:N:M keeps 2 of every 8; three-region floor(K·(1 − t)) in every row.
      const std::int64_t a_row = pattern.kind == PatternKind::venom ? cols / 4 : kept_of(cols, pattern.sparsity);
      CHECK(mask.count() == rows * a_row);
      const Order order = original_order(scores.view(), geometry_for(scores.view(), pattern, nullptr).value());
      CHECK(verify_mask(mask, pattern, order).ok());
      Mask wrong = mask;
      const std::uint32_t bit = random.below(static_cast<std::uint32_t>(rows * cols));
      wrong.bits[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
      CHECK_FALSE(verify_mask(wrong, pattern, order).ok());
      CHECK(measure_quality(scores.view(), pattern, nullptr, mask).value().relative <= 1 + 1e-12);
    }
  }
}

TEST_CASE("three regions keep at least what one region of whole columns keeps") {
  RandomStream random(83);
  const Matrix<float> scores = test::random_matrix(16, 64, random);
  const Pattern whole{.kind = PatternKind::vector, .vector = 4, .sparsity = 0.75};
  const auto kept = [&](const Pattern& pattern) {
    const Mask mask = build_mask(scores.view(), pattern, nullptr).value();
    return measure_quality(scores.view(), pattern, nullptr, mask).value().kept_saliency;
  };
  CHECK(kept(three_region(4, 0.75)) >= kept(whole));
}

TEST_CASE("a mask is recognised as the pattern it was made with") {
  RandomStream random(84);
  const Matrix<float> scores = test::random_matrix(64, 64, random);
  const std::vector<Pattern> patterns{{.kind = PatternKind::dense},
                                      test::group_pattern(2, 4),
                                      test::group_pattern(1, 4),
                                      test::group_pattern(2, 8),
                                      {.kind = PatternKind::vector, .vector = 16, .sparsity = 0.5},
                                      test::hinm_pattern(16, 0.5),
                                      test::hinm_pattern(32, 0.75, 1, 4),
                                      {.kind = PatternKind::venom, .vector = 16, .block = 8},
                                      {.kind = PatternKind::row_wise, .sparsity = 0.75},
                                      {.kind = PatternKind::unstructured, .sparsity = 0.75}};
  for (const Pattern& pattern : patterns) {
    const Pattern found = recognise_mask(build_mask(scores.view(), pattern, nullptr).value());
    CAPTURE(pattern_name(pattern.kind));
    CHECK(found.kind == pattern.kind);
    CHECK(found.vector == pattern.vector);
    CHECK(found.vector_sparsity == doctest::Approx(pattern.vector_sparsity));
    CHECK(found.block == pattern.block);
    CHECK(found.sparsity == doctest::Approx(pattern.sparsity));
    if (pattern.kind == PatternKind::hinm || pattern.kind == PatternKind::n_m) {
      CHECK(found.n == pattern.n);
      CHECK(found.m == pattern.m);
    }
  }
}
