#include "sparsity/quality.h"

#include <doctest/doctest.h>

#include <numeric>

#include "sparsity/build_mask.h"
#include "sparsity/saliency.h"
#include "sparsity/test_support.h"

using namespace hinm;

TEST_CASE("quality of a worked example") {
  Matrix<float> scores(2, 4);
  scores.data = {4, 3, 2, 1, 1, 2, 3, 4};
  const Pattern pattern = test::hinm_pattern(2, 0, 1, 2);
  const Mask mask = build_mask(scores.view(), pattern, nullptr).value();
  const Quality quality = measure_quality(scores.view(), pattern, nullptr, mask).value();
  // 1:2 keeps 4 + 2 and 2 + 4 of 20; the best four anywhere are 4, 4, 3, 3.
  CHECK(quality.kept == 4);
  CHECK(quality.kept_saliency == 12);
  CHECK(quality.total_saliency == 20);
  CHECK(quality.retained == doctest::Approx(0.6));
  CHECK(quality.relative == doctest::Approx(12.0 / 14));
  CHECK(quality.vector.value() == 1);
  CHECK(quality.efficacy.value() == 0);
  CHECK(quality.tiles == std::vector<double>{0.6});
  // Columns 0,3 | 1,2 keep 4 + 3 a row: the bound, so efficacy 1.
  Order order = original_order(scores.view(), geometry_of(pattern, 2, 4).value());
  order.columns = {0, 3, 1, 2};
  const Mask better = build_mask(scores.view(), pattern, &order).value();
  CHECK(measure_quality(scores.view(), pattern, &order, better).value().efficacy.value() == 1);
}

TEST_CASE("all equal and all zero matrices have no efficacy and a relative quality of 1") {
  for (const float value : {0.0f, 3.0f}) {
    const Matrix<float> scores(4, 8, value);
    const Mask mask = build_mask(scores.view(), test::group_pattern(2, 4), nullptr).value();
    const Quality quality = measure_quality(scores.view(), test::group_pattern(2, 4), nullptr, mask).value();
    CHECK_FALSE(quality.efficacy.has_value());
    CHECK(quality.relative == 1);
    CHECK_FALSE(quality.vector.has_value());
  }
}

TEST_CASE("the relative quality never passes 1 and equals 1 for unstructured masks") {
  constexpr std::uint64_t seed = 77;
  INFO("seed ", seed);
  for (std::uint32_t trial = 0; trial < 1000; ++trial) {
    RandomStream random(seed, trial);
    const std::int64_t rows = 1 + random.below(9), cols = 4 * (1 + random.below(4));
    const Matrix<float> scores = test::random_matrix(rows, cols, random, random.below(2) * 3);
    const Pattern pattern = test::hinm_pattern(1 + random.below(4), random.below(2) * 0.5);
    if (!geometry_of(pattern, rows, cols).ok()) continue;
    const Mask mask = build_mask(scores.view(), pattern, nullptr).value();
    CHECK(measure_quality(scores.view(), pattern, nullptr, mask).value().relative <= 1 + 1e-12);
    const Pattern unstructured{.kind = PatternKind::unstructured, .sparsity = 0.5};
    const Mask best = build_mask(scores.view(), unstructured, nullptr).value();
    CHECK(measure_quality(scores.view(), unstructured, nullptr, best).value().relative ==
          doctest::Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("saliency of weights, and the position of what cannot be ranked") {
  const std::vector<float> weights{-2, 0.5f, -0.0f};
  std::vector<float> scores(3);
  REQUIRE(saliency_of("magnitude", weights.data(), 3, scores.data()).ok());
  CHECK(scores == std::vector<float>{2, 0.5f, 0});
  REQUIRE(saliency_of("squared", weights.data(), 3, scores.data()).ok());
  CHECK(scores == std::vector<float>{4, 0.25f, 0});
  const std::vector<float> bad{1, std::numeric_limits<float>::infinity()};
  CHECK(saliency_of("magnitude", bad.data(), 2, scores.data()).error().message ==
        "The weight at position 1 is infinite; only finite weights can be ranked, so repair the model or leave this "
        "layer dense.");
  const std::vector<float> large{1e30f};
  CHECK(saliency_of("squared", large.data(), 1, scores.data()).error().code == "NOT_FINITE");
  CHECK_FALSE(saliency_of("other", large.data(), 1, scores.data()).ok());
}
