// Properties of the methods' formulas against brute force and statistics.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "training/methods/fp8.h"
#include "training/methods/gradient_sampler.h"
#include "training/methods/magnitude_mask.h"
#include "training/methods/related_rules.h"
#include "training/methods/soft_threshold.h"
#include "training/methods/transposable_mask.h"

using namespace hinm;
using namespace hinm::training;

namespace {

std::vector<double> normals(std::int64_t count, std::uint32_t key) {
  RandomStream random(17, key);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = random.normal();
  return values;
}

}  // namespace

TEST_CASE("a mask keeps n of every m, and no other choice keeps more") {
  const auto values = normals(64 * 24, 1);
  for (const GroupPattern pattern : {GroupPattern{2, 4}, GroupPattern{1, 4}, GroupPattern{2, 8}, GroupPattern{3, 6}, GroupPattern{1, 2}}) {
    Mask mask(values.size());
    magnitude_mask(contiguous(values.data(), 64, 24), pattern, mask.data());
    for (std::size_t g = 0; g < values.size(); g += static_cast<std::size_t>(pattern.of)) {
      double kept = 0, best = 0;
      int count = 0;
      for (int i = 0; i < pattern.of; ++i) {
        count += mask[g + static_cast<std::size_t>(i)];
        kept += mask[g + static_cast<std::size_t>(i)] ? std::abs(values[g + static_cast<std::size_t>(i)]) : 0;
      }
      for (unsigned bits = 0; bits < 1u << pattern.of; ++bits) {
        if (std::popcount(bits) != pattern.kept) continue;
        double sum = 0;
        for (int i = 0; i < pattern.of; ++i) sum += bits >> i & 1 ? std::abs(values[g + static_cast<std::size_t>(i)]) : 0;
        best = std::max(best, sum);
      }
      CHECK(count == pattern.kept);
      CHECK(kept == doctest::Approx(best).epsilon(1e-12));
    }
  }
}

TEST_CASE("the soft threshold is continuous: its Lipschitz ratio stays below √3, the hard one's does not") {
  RandomStream random(3);
  double largest_soft = 0, largest_hard = 0;
  const auto distance = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
  };
  for (int trial = 0; trial < 20000; ++trial) {
    std::vector<double> a(4), b(4), soft_a(4), soft_b(4), hard_a(4), hard_b(4);
    for (std::size_t i = 0; i < 4; ++i) {
      // Near-ties are where a discontinuity would show.
      a[i] = std::round(4 * random.normal()) / 4;
      b[i] = a[i] + 1e-6 * random.normal();
    }
    Mask mask_a(4), mask_b(4);
    soft_threshold(contiguous<const double>(a.data(), 1, 4), {}, contiguous(soft_a.data(), 1, 4));
    soft_threshold(contiguous<const double>(b.data(), 1, 4), {}, contiguous(soft_b.data(), 1, 4));
    magnitude_mask(contiguous<const double>(a.data(), 1, 4), {}, mask_a.data());
    magnitude_mask(contiguous<const double>(b.data(), 1, 4), {}, mask_b.data());
    for (std::size_t i = 0; i < 4; ++i) {
      hard_a[i] = mask_a[i] ? a[i] : 0;
      hard_b[i] = mask_b[i] ? b[i] : 0;
    }
    largest_soft = std::max(largest_soft, distance(soft_a, soft_b) / distance(a, b));
    largest_hard = std::max(largest_hard, distance(hard_a, hard_b) / distance(a, b));
  }
  // Rounding of values near 1 adds at most ε/1e-6 = 2e-10 to a ratio.
  CHECK(largest_soft <= std::sqrt(3.0) + 1e-9);
  CHECK(largest_hard > 1000);
}

TEST_CASE("general n:m thresholds keep at most n and agree with a sort") {
  const auto values = normals(8 * 40, 2);
  const GroupPattern pattern{3, 8};
  std::vector<double> soft(values.size());
  soft_threshold(contiguous(values.data(), 8, 40), pattern, contiguous(soft.data(), 8, 40));
  for (std::size_t g = 0; g < values.size(); g += 8) {
    std::vector<double> magnitudes;
    for (std::size_t i = 0; i < 8; ++i) magnitudes.push_back(std::abs(values[g + i]));
    std::sort(magnitudes.begin(), magnitudes.end());
    for (std::size_t i = 0; i < 8; ++i) {
      const double expected = std::copysign(std::max(0.0, std::abs(values[g + i]) - magnitudes[4]), values[g + i]);
      CHECK(soft[g + i] == (expected == 0 ? 0 : expected));
    }
  }
}

TEST_CASE("the samplers are unbiased within four standard errors over a million draws, and exact has the least variance") {
  const Four groups[] = {{1, 2, 3, 4}, {-0.1, 0.2, -0.3, 2}, {1, 1, 1, 1}};
  for (const Four& group : groups) {
    for (const GradientSampler sampler : {GradientSampler::exact, GradientSampler::approximate}) {
      const Four inclusion = sampler == GradientSampler::exact ? exact_inclusion(group) : approximate_inclusion(group);
      constexpr int draws = 1000000;
      Four sums{};
      double squared_error = 0;
      RandomStream random(23);
      for (int d = 0; d < draws; ++d) {
        const Four kept = sampler == GradientSampler::exact ? sample_exact(group, random.uniform()) : sample_approximate(group, random.uniform(), random.uniform());
        for (std::size_t i = 0; i < 4; ++i) {
          sums[i] += kept[i];
          squared_error += (kept[i] - group[i]) * (kept[i] - group[i]);
        }
      }
      for (std::size_t i = 0; i < 4; ++i) {
        const double deviation = std::abs(group[i]) * std::sqrt((1 - inclusion[i]) / inclusion[i] / draws);
        CHECK(std::abs(sums[i] / draws - group[i]) <= 4 * deviation + 1e-12);
      }
      CHECK(std::abs(squared_error / draws / total_variance(group, inclusion) - 1) < 0.01);
    }
    CHECK(total_variance(group, exact_inclusion(group)) <= total_variance(group, approximate_inclusion(group)) + 1e-12);
  }
}

TEST_CASE("no other inclusion probabilities of sum 2 have less variance") {
  RandomStream random(29);
  for (int trial = 0; trial < 2000; ++trial) {
    Four group;
    for (double& value : group) value = random.normal();
    const Four best = exact_inclusion(group);
    Four other = best;
    const std::size_t from = random.below(4), to = random.below(4);
    const double moved = 0.2 * random.uniform();
    if (from == to || best[from] - moved <= 0.01 || best[to] + moved > 1) continue;
    other[from] -= moved;
    other[to] += moved;
    CHECK(total_variance(group, other) >= total_variance(group, best) - 1e-12);
  }
}

TEST_CASE("sampling a matrix keeps two of every four down its columns, whatever the thread count") {
  const auto values = normals(66 * 10, 5);
  std::vector<double> one(values.size()), many(values.size());
  const auto view = contiguous(values.data(), 66, 10);
  for (const GradientSampler sampler : {GradientSampler::exact, GradientSampler::approximate, GradientSampler::greedy}) {
    sample_along_rows(view, sampler, {1, 2, 3}, 1, contiguous(one.data(), 66, 10));
    sample_along_rows(view, sampler, {1, 2, 3}, 3, contiguous(many.data(), 66, 10));
    CHECK(one == many);
    for (std::size_t c = 0; c < 10; ++c) {
      for (std::size_t r = 0; r < 64; r += 4) {
        int kept = 0;
        for (std::size_t i = 0; i < 4; ++i) kept += one[(r + i) * 10 + c] != 0;
        CHECK(kept == 2);
      }
      CHECK(one[64 * 10 + c] == values[64 * 10 + c]);
    }
  }
}

TEST_CASE("a float32 tensor quantises to the values of the reference codes") {
  RandomStream random(31);
  for (const Fp8Format format : {Fp8Format::e4m3, Fp8Format::e5m2}) {
    std::vector<float> values(4096), quantized(4096);
    for (float& value : values) value = static_cast<float>(random.normal() * std::pow(10, 4 * random.uniform() - 3));
    const auto tensor = fp8_quantize(contiguous<const float>(values.data(), 64, 64), format, Fp8Overflow::saturate, contiguous(quantized.data(), 64, 64));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const float scaled = values[i] * static_cast<float>(tensor.scale);
      CHECK(quantized[i] == static_cast<float>(fp8_decode(fp8_encode(scaled, format, Fp8Overflow::saturate), format)));
    }
  }
  std::vector<float> zeros(16), quantized(16, 1);
  const auto tensor = fp8_quantize(contiguous<const float>(zeros.data(), 4, 4), Fp8Format::e4m3, Fp8Overflow::saturate, contiguous(quantized.data(), 4, 4));
  CHECK(tensor.scale == 1);
  CHECK(quantized == zeros);
}

TEST_CASE("transposable masks have two in every row and column, and the greedy one never keeps more") {
  const auto values = normals(32 * 16, 7);
  Mask exact(values.size()), greedy(values.size());
  transposable_mask(contiguous(values.data(), 32, 16), true, exact.data());
  transposable_mask(contiguous(values.data(), 32, 16), false, greedy.data());
  double kept_exact = 0, kept_greedy = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    kept_exact += exact[i] ? std::abs(values[i]) : 0;
    kept_greedy += greedy[i] ? std::abs(values[i]) : 0;
  }
  CHECK(kept_greedy <= kept_exact);
  for (std::size_t r = 0; r < 32; r += 4) {
    for (std::size_t c = 0; c < 16; c += 4) {
      for (std::size_t line = 0; line < 4; ++line) {
        int row = 0, column = 0;
        for (std::size_t i = 0; i < 4; ++i) {
          row += exact[(r + line) * 16 + c + i];
          column += exact[(r + i) * 16 + c + line];
        }
        CHECK(row == 2);
        CHECK(column == 2);
      }
    }
  }
}

TEST_CASE("a backward mask keeps two of four down some grouping of the rows") {
  const auto values = normals(16 * 8, 9);
  Mask forward(values.size()), first(values.size()), searched(values.size());
  magnitude_mask(contiguous(values.data(), 16, 8), {}, forward.data());
  backward_mask(contiguous(values.data(), 16, 8), forward, 1, 1, 0, first.data());
  backward_mask(contiguous(values.data(), 16, 8), forward, 50, 1, 0, searched.data());
  const auto shared = [&](const Mask& mask) {
    double kept = 0;
    for (std::size_t i = 0; i < values.size(); ++i) kept += mask[i] && forward[i] ? std::abs(values[i]) : 0;
    return kept;
  };
  CHECK(shared(searched) >= shared(first));
  for (std::size_t c = 0; c < 8; ++c) {
    int kept = 0;
    for (std::size_t r = 0; r < 16; ++r) kept += searched[r * 8 + c];
    CHECK(kept == 8);
  }
}

TEST_CASE("STEP switches when the second moment is calm, never before the earliest step, always after the latest") {
  PreconditionerSwitch calm(0.9, 0.1, 20, 1000);
  std::int64_t step = 0;
  while (!calm.observe(step, step < 50 ? 1.0 : 0.0)) ++step;
  // The window holds the last 10 changes: with one of them left at 1 the mean is 0.1, so it takes all ten to fall below.
  CHECK(step == 59);
  PreconditionerSwitch early(0.9, 0.1, 20, 1000);
  for (step = 0; !early.observe(step, 0); ++step) {}
  CHECK(step == 21);
  PreconditionerSwitch late(0.9, 0.1, 20, 30);
  for (step = 0; !late.observe(step, 1); ++step) {}
  CHECK(step == 31);
}
