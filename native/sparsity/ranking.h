// The one tie rule of every pattern and back end: rank by (score, index) ascending and drop from the front, so at
// equal score the higher index survives; -0.0 equals 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace hinm {

/// The indices of the `keep` highest ranks among `count` scores, ascending.
template <class Score>
std::vector<std::uint32_t> highest_ranks(const Score* scores, std::int64_t count, std::int64_t keep) {
  std::vector<std::uint32_t> indices(static_cast<std::size_t>(count));
  std::iota(indices.begin(), indices.end(), 0u);
  const auto outranks = [scores](std::uint32_t a, std::uint32_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a > b;
  };
  if (keep < count) std::nth_element(indices.begin(), indices.begin() + keep, indices.end(), outranks);
  indices.resize(static_cast<std::size_t>(keep));
  std::sort(indices.begin(), indices.end());
  return indices;
}

/// Calls kept(i) for the n highest ranks of one group of m scores, ascending in i.
template <class Score, class Kept>
void keep_in_group(const Score* scores, std::int64_t n, std::int64_t m, Kept kept) {
  for (std::int64_t i = 0; i < m; ++i) {
    std::int64_t above = 0;
    for (std::int64_t j = 0; j < m; ++j) above += scores[j] > scores[i] || (scores[j] == scores[i] && j > i);
    if (above < n) kept(i);
  }
}

/// Sum of the `keep` largest of `count` values in index order, so that it does not depend on how they were found.
/// `scratch` is overwritten.
template <class Score>
double sum_of_largest(const Score* values, std::int64_t count, std::int64_t keep, std::vector<Score>& scratch) {
  if (keep <= 0) return 0;
  double sum = 0;
  if (keep >= count) {
    for (std::int64_t i = 0; i < count; ++i) sum += static_cast<double>(values[i]);
    return sum;
  }
  scratch.assign(values, values + count);
  std::nth_element(scratch.begin(), scratch.begin() + (keep - 1), scratch.end(), std::greater<Score>());
  const Score threshold = scratch[static_cast<std::size_t>(keep - 1)];
  std::int64_t above = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (values[i] > threshold) {
      sum += static_cast<double>(values[i]);
      ++above;
    }
  }
  return sum + static_cast<double>(keep - above) * static_cast<double>(threshold);
}

}  // namespace hinm
