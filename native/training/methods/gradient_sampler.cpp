#include "training/methods/gradient_sampler.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/random.h"

namespace hinm::training {
namespace {

Four magnitudes_of(const Four& values) {
  return {std::abs(values[0]), std::abs(values[1]), std::abs(values[2]), std::abs(values[3])};
}

double sum_of(const Four& values) { return values[0] + values[1] + values[2] + values[3]; }

double uniform_of(std::uint32_t high, std::uint32_t low) {
  return static_cast<double>((static_cast<std::uint64_t>(high >> 5) << 26) | (low >> 6)) * 0x1.0p-53;
}

/// Index drawn in proportion to `weights`; the last positive one where rounding leaves the uniform past the sum.
std::size_t draw(const Four& weights, double total, double uniform) {
  double position = uniform * total;
  std::size_t last = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (weights[i] == 0) continue;
    last = i;
    if (position < weights[i]) return i;
    position -= weights[i];
  }
  return last;
}

Four sample(const Four& values, GradientSampler sampler, std::uint32_t group, const SampleKey& key) {
  if (sampler == GradientSampler::greedy) return keep_greedy(values);
  constexpr std::uint32_t purpose = 0x4D565545;
  const auto words = philox({group, key.layer, key.step, purpose},
                            {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)});
  const double first = uniform_of(words[0], words[1]);
  return sampler == GradientSampler::exact ? sample_exact(values, first) : sample_approximate(values, first, uniform_of(words[2], words[3]));
}

}  // namespace

Four exact_inclusion(const Four& values) {
  const Four a = magnitudes_of(values);
  const double sum = sum_of(a);
  if (sum == 0) return {0, 0, 0, 0};
  const std::size_t largest = static_cast<std::size_t>(std::max_element(a.begin(), a.end()) - a.begin());
  Four inclusion{};
  if (2 * a[largest] <= sum) {
    for (std::size_t i = 0; i < 4; ++i) inclusion[i] = 2 * a[i] / sum;
    return inclusion;
  }
  double rest = 0;
  for (std::size_t i = 0; i < 4; ++i) rest += i == largest ? 0 : a[i];
  for (std::size_t i = 0; i < 4; ++i) inclusion[i] = i == largest ? 1 : rest == 0 ? 0 : a[i] / rest;
  return inclusion;
}

Four approximate_inclusion(const Four& values) {
  const Four a = magnitudes_of(values);
  const double sum = sum_of(a);
  Four inclusion{};
  if (sum == 0) return inclusion;
  for (std::size_t i = 0; i < 4; ++i) {
    if (a[i] == 0) continue;
    inclusion[i] = a[i] / sum;
    for (std::size_t k = 0; k < 4; ++k) {
      double others = 0;
      for (std::size_t j = 0; j < 4; ++j) others += j == k ? 0 : a[j];
      if (k != i && a[k] != 0) inclusion[i] += a[k] / sum * (a[i] / others);
    }
  }
  return inclusion;
}

Four sample_exact(const Four& values, double uniform) {
  const Four inclusion = exact_inclusion(values);
  const double total = sum_of(inclusion);
  Four sampled{};
  double left = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (inclusion[i] == 0) continue;
    // The last interval with a positive probability ends at the whole sum: prefix sums round.
    const bool is_last = std::all_of(inclusion.begin() + static_cast<std::ptrdiff_t>(i) + 1, inclusion.end(), [](double p) { return p == 0; });
    const double right = is_last ? std::round(total) : left + inclusion[i];
    if ((left <= uniform && uniform < right) || (left <= uniform + 1 && uniform + 1 < right)) sampled[i] = values[i] / inclusion[i];
    left = right;
  }
  return sampled;
}

Four sample_approximate(const Four& values, double first, double second) {
  Four remaining = magnitudes_of(values);
  const double sum = sum_of(remaining);
  Four sampled{};
  if (sum == 0) return sampled;
  const Four inclusion = approximate_inclusion(values);
  const std::size_t one = draw(remaining, sum, first);
  sampled[one] = values[one] / inclusion[one];
  remaining[one] = 0;
  const double rest = sum_of(remaining);
  if (rest == 0) return sampled;
  const std::size_t two = draw(remaining, rest, second);
  sampled[two] = values[two] / inclusion[two];
  return sampled;
}

Four keep_greedy(const Four& values) {
  Four kept{};
  for (std::size_t i = 0; i < 4; ++i) {
    int rank = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const double mine = std::abs(values[i]), other = std::abs(values[j]);
      rank += other < mine || (other == mine && j < i);
    }
    if (rank >= 2) kept[i] = values[i];
  }
  return kept;
}

double total_variance(const Four& values, const Four& inclusion) {
  double variance = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (inclusion[i] > 0) variance += values[i] * values[i] * (1 - inclusion[i]) / inclusion[i];
  }
  return variance;
}

PairSample pair_estimator(const std::array<double, 2>& values) {
  const double sum = std::abs(values[0]) + std::abs(values[1]);
  PairSample estimator{};
  for (std::size_t i = 0; i < 2; ++i) {
    if (values[i] == 0) continue;
    estimator.probability[i] = std::abs(values[i]) / sum;
    estimator.value_if_kept[i] = std::copysign(sum, values[i]);
  }
  return estimator;
}

template <class T>
void sample_along_rows(MatrixView<const T> values, GradientSampler sampler, SampleKey key, int threads, MatrixView<T> sampled) {
  const std::int64_t groups = values.rows / 4;
  parallel_for(groups + (values.rows % 4 != 0), threads, [&](std::int64_t g, int) {
    if (g == groups || sampler == GradientSampler::none) {
      for (std::int64_t r = g * 4; r < std::min(values.rows, g * 4 + 4); ++r) std::copy_n(values.row(r), values.cols, sampled.row(r));
      return;
    }
    for (std::int64_t c = 0; c < values.cols; ++c) {
      Four group;
      for (std::size_t i = 0; i < 4; ++i) group[i] = static_cast<double>(values.at(g * 4 + static_cast<std::int64_t>(i), c));
      const Four kept = sample(group, sampler, static_cast<std::uint32_t>(g * values.cols + c), key);
      for (std::size_t i = 0; i < 4; ++i) sampled.at(g * 4 + static_cast<std::int64_t>(i), c) = static_cast<T>(kept[i]);
    }
  });
}

template void sample_along_rows(MatrixView<const float>, GradientSampler, SampleKey, int, MatrixView<float>);
template void sample_along_rows(MatrixView<const double>, GradientSampler, SampleKey, int, MatrixView<double>);

}  // namespace hinm::training
