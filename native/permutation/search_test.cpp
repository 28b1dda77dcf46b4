#include "permutation/search.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "permutation/strategies.h"
#include "sparsity/build_mask.h"
#include "sparsity/quality.h"
#include "sparsity/test_support.h"

using namespace hinm;
using test::group_pattern;
using test::hinm_pattern;

namespace {

double kept_by(const Matrix<float>& scores, const Pattern& pattern, const Order* order) {
  const Mask mask = build_mask(scores.view(), pattern, order).value();
  return measure_quality(scores.view(), pattern, order, mask).value().kept_saliency;
}

Pattern random_pattern(RandomStream& random) {
  switch (random.below(3)) {
    case 0:
      return group_pattern(1 + random.below(2), 4);
    case 1:
      return {.kind = PatternKind::vector, .vector = 1 + random.below(6), .sparsity = 0.25 * (1 + random.below(3))};
    default: {
      const std::int64_t m = 2 + random.below(3);
      return hinm_pattern(1 + random.below(6), 0.25 * random.below(4),
                          1 + random.below(static_cast<std::uint32_t>(m - 1)), m);
    }
  }
}

}  // namespace

TEST_CASE("every order is a bijection, never keeps less than none, and its trace never worsens") {
  constexpr std::uint64_t seed = 61;
  INFO("seed ", seed);
  for (std::uint32_t trial = 0; trial < 2000; ++trial) {
    RandomStream random(seed, trial);
    const Pattern pattern = random_pattern(random);
    const std::int64_t rows = 1 + random.below(20), cols = 4 * (1 + random.below(6));
    const Result<Geometry> geometry = geometry_of(pattern, rows, cols);
    if (!geometry.ok()) continue;
    const Matrix<float> scores = test::random_matrix(rows, cols, random, random.below(2) * 5);
    const Strategy& strategy = strategies()[random.below(static_cast<std::uint32_t>(strategies().size()))];
    const std::int64_t budget = random.below(2) * random.below(6000);
    CAPTURE(trial);
    CAPTURE(strategy.id);
    const Result<Order> order = search_order({.scores = scores.view(),
                                              .pattern = pattern,
                                              .strategy = std::string(strategy.id),
                                              .budget = budget,
                                              .seed = trial});
    REQUIRE(order.ok());
    CHECK(
        (order.value().strategy == strategy.id || (order.value().strategy == "none" && !order.value().reason.empty())));
    if (budget > 0) CHECK(order.value().evaluations <= budget);
    CHECK(check_order(order.value(), geometry.value()).ok());
    const double none = kept_by(scores, pattern, nullptr);
    const SearchTrace& trace = order.value().trace;
    if (!order.value().reason.empty()) continue;
    CHECK(trace.kept.front() == doctest::Approx(none).epsilon(1e-12));
    CHECK(trace.kept.back() >= trace.kept.front());
    CHECK(kept_by(scores, pattern, &order.value()) == doctest::Approx(trace.kept.back()).epsilon(1e-12));
    CHECK(std::is_sorted(trace.kept.begin(), trace.kept.end()));
    CHECK(std::is_sorted(trace.evaluations.begin(), trace.evaluations.end()));
  }
}

TEST_CASE("every strategy gives the same order bit for bit on 1, 2 and 7 threads") {
  RandomStream random(62);
  const Matrix<float> scores = test::random_matrix(70, 64, random);
  for (const Strategy& strategy : strategies()) {
    CAPTURE(strategy.id);
    for (const Pattern& pattern : {hinm_pattern(8, 0.5), group_pattern(2, 4)}) {
      SearchRequest request{.scores = scores.view(),
                            .pattern = pattern,
                            .strategy = std::string(strategy.id),
                            .budget = 15000,
                            .seed = 5,
                            .layer = 3};
      const Order first = search_order(request).value();
      for (const int threads : {2, 7}) {
        request.threads = threads;
        const Order again = search_order(request).value();
        CHECK(again.output_order == first.output_order);
        CHECK(again.columns == first.columns);
        CHECK(again.trace.kept == first.trace.kept);
        CHECK(again.evaluations == first.evaluations);
      }
    }
  }
}

TEST_CASE("another seed or layer draws another order") {
  RandomStream random(65);
  const Matrix<float> scores = test::random_matrix(64, 64, random);
  SearchRequest request{.scores = scores.view(), .pattern = hinm_pattern(8, 0.5), .strategy = "gyro", .seed = 5};
  const Order first = search_order(request).value();
  request.layer = 1;
  CHECK(search_order(request).value().columns != first.columns);
  request.layer = 0;
  request.seed = 6;
  CHECK(search_order(request).value().columns != first.columns);
}

TEST_CASE("gyro finds the planted order of rows") {
  // Rows alternate between two disjoint column sets, so that tiles of 8 can keep everything only when rows are grouped.
  Matrix<float> scores(16, 16);
  for (std::int64_t r = 0; r < 16; ++r) {
    for (std::int64_t c = 0; c < 16; ++c) scores.at(r, c) = (r % 2 == c / 8) ? 1.0f : 0.0f;
  }
  const Pattern pattern{.kind = PatternKind::vector, .vector = 8, .sparsity = 0.5};
  const Order order = search_order({.scores = scores.view(), .pattern = pattern, .strategy = "gyro"}).value();
  CHECK(kept_by(scores, pattern, &order) == 128);
  CHECK(kept_by(scores, pattern, nullptr) == 64);
}

TEST_CASE(
    "at a vector sparsity of 3/4 gyro maximises the kept quarter, where the published sum maximises three quarters") {
  // Four kinds of rows, each with its own 4 of 16 columns: tiles of one kind keep everything.
  Matrix<float> scores(32, 16);
  for (std::int64_t r = 0; r < 32; ++r) {
    for (std::int64_t c = 0; c < 16; ++c) scores.at(r, c) = (r % 4 == c / 4) ? 1.0f : 0.0f;
  }
  const Pattern pattern{.kind = PatternKind::vector, .vector = 8, .sparsity = 0.75};
  const Order order = search_order({.scores = scores.view(), .pattern = pattern, .strategy = "gyro-iterated"}).value();
  CHECK(kept_by(scores, pattern, &order) == 128);
}

TEST_CASE("a budget of evaluations is never passed") {
  RandomStream random(63);
  const Matrix<float> scores = test::random_matrix(64, 64, random);
  for (const std::int64_t budget : {1, 100, 1000, 5000}) {
    const Order order =
        search_order({.scores = scores.view(), .pattern = hinm_pattern(8, 0.5), .strategy = "gyro", .budget = budget})
            .value();
    CHECK(order.evaluations <= budget);
  }
}

TEST_CASE("a pattern that no order changes answers none with the reason") {
  const Matrix<float> scores(4, 8, 1.0f);
  const Order order =
      search_order({.scores = scores.view(), .pattern = {.kind = PatternKind::dense}, .strategy = "gyro"}).value();
  CHECK(order.strategy == "none");
  CHECK(order.reason == "no order changes the pattern dense");
}

TEST_CASE("bad requests are refused in one sentence") {
  const Matrix<float> scores(8, 16, 1.0f);
  SearchRequest request{.scores = scores.view(), .pattern = hinm_pattern(4, 0.5), .strategy = "gyroscope"};
  CHECK(search_order(request).error().message.find("\"gyroscope\" is not known") != std::string::npos);
  request.strategy = "gyro";
  request.budget = -1;
  CHECK_FALSE(search_order(request).ok());
  request.budget = 0;
  request.threads = 0;
  CHECK_FALSE(search_order(request).ok());
}

TEST_CASE("a cancel is obeyed within 200 ms") {
  RandomStream random(64);
  const Matrix<float> scores = test::random_matrix(1024, 1024, random);
  std::int32_t stop = 0;
  std::chrono::steady_clock::time_point asked;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    asked = std::chrono::steady_clock::now();
    std::atomic_ref<std::int32_t>(stop).store(1);
  });
  const Result<Order> order = search_order(
      {.scores = scores.view(), .pattern = hinm_pattern(16, 0.5), .strategy = "gyro", .threads = 2}, JobControl(&stop));
  const auto ended = std::chrono::steady_clock::now();
  canceller.join();
  REQUIRE_FALSE(order.ok());
  CHECK(order.error().code == "CANCELLED");
  CHECK(std::chrono::duration<double>(ended - asked).count() < 0.2);
}
