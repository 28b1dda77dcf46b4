// Unbiased 2-of-4 sparsification of gradients (minimum-variance unbiased estimators; Chmiel et al., arXiv 2203.10991;
// S-STE, section 5.1). A kept value is a/π with π its inclusion probability.
#pragma once

#include <array>
#include <cstdint>

#include "base/matrix.h"

namespace hinm::training {

using Four = std::array<double, 4>;

/// `none` keeps all; `exact` is the minimum-variance estimator by systematic sampling; `approximate` draws twice without
/// replacement in proportion to magnitude (what the authors run); `greedy` keeps the two largest unchanged and is biased.
enum class GradientSampler { none, exact, approximate, greedy };

/// π_i = min(1, c·|a_i|) with Σπ = 2. With fewer than two non-zeros these get 1 and zeros get 0: what a zero's inclusion
/// is changes neither values nor variance.
Four exact_inclusion(const Four& values);
/// π_i of two draws without replacement in proportion to magnitude.
Four approximate_inclusion(const Four& values);

/// Systematic sampling: with C the prefix sums of π (the last forced to 2), i is kept when u or u + 1 lies in
/// [C_i, C_i+1). `uniform` in [0, 1).
Four sample_exact(const Four& values, double uniform);
Four sample_approximate(const Four& values, double first, double second);
/// The two largest magnitudes, the higher index on ties.
Four keep_greedy(const Four& values);

/// Σ a_i²·(1 − π_i)/π_i, the total variance of an unbiased estimator with these inclusion probabilities.
double total_variance(const Four& values, const Four& inclusion);

/// The 1:2 estimator of TF32: keeps one of a pair with probability in proportion to its magnitude.
struct PairSample {
  std::array<double, 2> probability;
  std::array<double, 2> value_if_kept;
};
PairSample pair_estimator(const std::array<double, 2>& values);

/// Identity of one sampling, for the counter-based numbers: group g draws from (seed; g, layer, step).
struct SampleKey {
  std::uint64_t seed = 0;
  std::uint32_t step = 0;
  std::uint32_t layer = 0;
};

/// Sparsifies each column of `values` (tokens × features) in groups of four along the rows. A last group of fewer than
/// four rows is kept whole, which is unbiased.
template <class T>
void sample_along_rows(MatrixView<const T> values, GradientSampler sampler, SampleKey key, int threads, MatrixView<T> sampled);

}  // namespace hinm::training
