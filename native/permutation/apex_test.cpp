#include "permutation/apex.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "permutation/search.h"
#include "permutation/stripe_windows.h"
#include "sparsity/build_mask.h"
#include "sparsity/quality.h"
#include "sparsity/test_support.h"

using namespace hinm;

namespace {

/// numpy's RandomState(1).rand(128, 64): the same Mersenne Twister, 53 bits of two words.
Matrix<float> published_matrix() {
  std::mt19937 twister(1);
  Matrix<float> matrix(128, 64);
  for (float& value : matrix.data) {
    const double high = static_cast<double>(twister() >> 5), low = static_cast<double>(twister() >> 6);
    value = static_cast<float>((high * 67108864 + low) / 9007199254740992);
  }
  return matrix;
}

Quality quality_of(const Matrix<float>& scores, const Pattern& pattern, const Order* order) {
  return measure_quality(scores.view(), pattern, order, build_mask(scores.view(), pattern, order).value()).value();
}

}  // namespace

TEST_CASE("Apex's published figures on its 128 x 64 uniform matrix are met within 0.1 %") {
  const Matrix<float> scores = published_matrix();
  const Pattern pattern = test::group_pattern(2, 4);
  const Quality none = quality_of(scores, pattern, nullptr);
  CHECK(none.total_saliency == doctest::Approx(4083.169).epsilon(1e-6));
  CHECK(none.kept_saliency == doctest::Approx(2852.376).epsilon(1e-6));
  CHECK(quality_of(scores, {.kind = PatternKind::unstructured, .sparsity = 0.5}, nullptr).kept_saliency ==
        doctest::Approx(3060.238).epsilon(1e-6));
  CHECK(quality_of(scores, {.kind = PatternKind::row_wise, .sparsity = 0.5}, nullptr).kept_saliency ==
        doctest::Approx(3042.332).epsilon(1e-6));
  struct Published {
    const char* strategy;
    double kept;
    double efficacy;
  };
  for (const Published& published :
       {Published{"apex-swap", 2913.352, 0.321}, Published{"apex-stripes", 2919.757, 0.355}}) {
    const Order order =
        search_order({.scores = scores.view(), .pattern = pattern, .strategy = published.strategy}).value();
    const Quality quality = quality_of(scores, pattern, &order);
    CAPTURE(published.strategy);
    CHECK(quality.kept_saliency == doctest::Approx(published.kept).epsilon(1e-3));
    // 0.1 % of the kept saliency is 2.9 of the 190 between none and the bound: 0.015.
    CHECK(std::abs(quality.efficacy.value() - published.efficacy) < 0.016);
  }
}

TEST_CASE("windows of two and three stripes have 35 and 5,775 partitions") {
  CHECK(partition_candidates(2) == 35);
  CHECK(partition_candidates(3) == 5775);
}

TEST_CASE("the best partition of a window is the best of all partitions") {
  constexpr std::uint64_t seed = 101;
  INFO("seed ", seed);
  for (std::uint32_t trial = 0; trial < 5; ++trial) {
    RandomStream random(seed, trial);
    Stripes stripes{Matrix<double>(8, 1 + random.below(4)), {0, 1, 2, 3, 4, 5, 6, 7}, 2, 4};
    for (double& value : stripes.values.data)
      value = random.below(2) == 0 ? random.uniform() : static_cast<double>(random.below(3));
    const double before = stripe_kept(stripes, stripes.order.data()) + stripe_kept(stripes, stripes.order.data() + 4);
    std::vector<std::uint32_t> order = stripes.order;
    double most = 0;
    do most = std::max(most, stripe_kept(stripes, order.data()) + stripe_kept(stripes, order.data() + 4));
    while (std::next_permutation(order.begin(), order.end()));
    CHECK(before + best_partition(stripes, {0, 1}).gain == doctest::Approx(most).epsilon(1e-12));
  }
}

TEST_CASE("a strategy that cannot run on the pattern is none with the reason") {
  RandomStream random(102);
  const Matrix<float> scores = test::random_matrix(16, 256, random);
  const auto reason = [&](const char* strategy, const Pattern& pattern) {
    return search_order({.scores = scores.view(), .pattern = pattern, .strategy = strategy}).value().reason;
  };
  CHECK(reason("apex-stripes", test::group_pattern(2, 8)) == "stripe groups need groups of 4 columns, not of 8");
  CHECK(reason("apex-stripes-12", test::group_pattern(2, 4)) ==
        "stripe groups of 12 columns need at most 32 stripes, not 64");
  CHECK(reason("tetris", test::group_pattern(2, 4)) ==
        "the pattern has one tile, so no order of the output channels changes it");
}
