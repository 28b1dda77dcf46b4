#include "permutation/loops.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "device/cpu_features.h"
#include "sparsity/ranking.h"
#include "sparsity/test_support.h"

using namespace hinm;

namespace {

/// Every set of loops that this processor can run.
std::vector<const Loops*> runnable_loops() {
  std::vector<const Loops*> all{&loops()};
  const device::CpuFeatures& features = device::cpu_features();
  if (features.avx2 && avx2_loops() != nullptr) all.push_back(avx2_loops());
  return all;
}

std::vector<float> padded_values(std::int64_t count, RandomStream& random, std::uint32_t levels) {
  std::vector<float> values(static_cast<std::size_t>(padded_to_lanes(count)));
  for (std::int64_t i = 0; i < count; ++i) {
    values[static_cast<std::size_t>(i)] =
        levels > 0 ? static_cast<float>(random.below(levels)) : static_cast<float>(random.uniform() * 40);
  }
  return values;
}

}  // namespace

TEST_CASE("the sum of the largest equals the sorted sum and does not depend on the hint or the instruction set") {
  constexpr std::uint64_t seed = 71;
  INFO("seed ", seed);
  for (std::uint32_t trial = 0; trial < 2000; ++trial) {
    RandomStream random(seed, trial);
    const std::int64_t count = 1 + random.below(200);
    std::vector<float> values = padded_values(count, random, random.below(3) * 2);
    if (random.below(4) == 0) {
      for (float& x : values) x *= random.below(2) == 0 ? 1e-38f : 1e30f;
    }
    const auto padded = static_cast<std::int64_t>(values.size());
    const std::int64_t keep = 1 + random.below(static_cast<std::uint32_t>(count));
    std::vector<float> scratch;
    const double expected = sum_of_largest(values.data(), padded, keep, scratch);
    const TopSum plain = plain_loops().top_sum(values.data(), padded, keep, 0);
    CHECK(plain.sum == doctest::Approx(expected).epsilon(1e-5));
    for (const float hint : {0.0f, 1e-20f, 5.0f, 20.0f, 39.0f, 1e25f}) {
      for (const Loops* simd : runnable_loops())
        CHECK(simd->top_sum(values.data(), padded, keep, hint).sum == plain.sum);
    }
  }
}

TEST_CASE("every loop gives the same bits with and without vector instructions") {
  constexpr std::uint64_t seed = 72;
  INFO("seed ", seed);
  for (std::uint32_t trial = 0; trial < 1000; ++trial) {
    RandomStream random(seed, trial);
    const std::int64_t padded = padded_to_lanes(1 + random.below(120));
    const auto a = padded_values(padded, random, 0), b = padded_values(padded, random, 0);
    const auto c = padded_values(padded, random, random.below(2) * 3), d = padded_values(padded, random, 0);
    const auto all = runnable_loops();
    const Loops& simd = *all[trial % all.size()];
    const Loops& plain = plain_loops();
    const ExchangeExcess x = simd.exchange_excess(a.data(), b.data(), c.data(), d.data(), padded, 20, 30);
    const ExchangeExcess y = plain.exchange_excess(a.data(), b.data(), c.data(), d.data(), padded, 20, 30);
    CHECK(x.first == y.first);
    CHECK(x.second == y.second);
    CHECK(simd.column_exchange(a.data(), b.data(), c.data(), d.data(), padded) ==
          plain.column_exchange(a.data(), b.data(), c.data(), d.data(), padded));
    std::vector<float> first(static_cast<std::size_t>(padded)), second(first);
    simd.exchanged_sums(a.data(), b.data(), c.data(), padded, first.data());
    plain.exchanged_sums(a.data(), b.data(), c.data(), padded, second.data());
    CHECK(first == second);
    const std::int64_t count = 1 + random.below(9), rows = 1 + random.below(9);
    const auto many = padded_values(padded * 16, random, 0);
    std::vector<float> dots(16), plain_dots(16);
    simd.dot_products(a.data(), many.data(), count, padded, dots.data());
    plain.dot_products(a.data(), many.data(), count, padded, plain_dots.data());
    CHECK(dots == plain_dots);
    std::vector<float> sums(static_cast<std::size_t>(count * padded)), plain_sums(sums);
    const auto least = padded_values(count * rows, random, 0);
    simd.max_plus(least.data(), many.data(), count, rows, padded, sums.data());
    plain.max_plus(least.data(), many.data(), count, rows, padded, plain_sums.data());
    CHECK(sums == plain_sums);
    std::vector<float> price(static_cast<std::size_t>(padded));
    for (float& p : price) p = random.below(2) == 0 ? 0.0f : static_cast<float>(random.uniform());
    const Bid bid = simd.best_two(c.data(), price.data(), padded),
              same = plain.best_two(c.data(), price.data(), padded);
    CHECK(bid.best == same.best);
    CHECK(bid.second == same.second);
    CHECK(bid.column == same.column);
  }
}

TEST_CASE("max-plus and dot products equal their definition") {
  RandomStream random(73);
  const std::int64_t groups = 5, rows = 7, stride = 32;
  const auto least = padded_values(groups * rows, random, 0), values = padded_values(rows * stride, random, 0);
  std::vector<float> result(static_cast<std::size_t>(groups * stride));
  loops().max_plus(least.data(), values.data(), groups, rows, stride, result.data());
  for (std::int64_t g = 0; g < groups; ++g) {
    for (std::int64_t j = 0; j < stride; ++j) {
      double expected = 0;
      for (std::int64_t r = 0; r < rows; ++r) {
        expected += static_cast<double>(
            std::max(least[static_cast<std::size_t>(g * rows + r)], values[static_cast<std::size_t>(r * stride + j)]));
      }
      CHECK(static_cast<double>(result[static_cast<std::size_t>(g * stride + j)]) ==
            doctest::Approx(expected).epsilon(1e-5));
    }
  }
  const double dot = std::inner_product(values.begin(), values.begin() + 32, values.begin() + 32, 0.0);
  float product = 0;
  loops().dot_products(values.data(), values.data() + 32, 1, 32, &product);
  CHECK(static_cast<double>(product) == doctest::Approx(dot).epsilon(1e-5));
}
