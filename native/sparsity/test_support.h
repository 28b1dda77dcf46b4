// Random matrices and slow, obvious references that the tests compare with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/matrix.h"
#include "base/random.h"
#include "sparsity/order.h"
#include "sparsity/pattern.h"

namespace hinm::test {

/// Uniform in [0, 1); with `levels` > 0 only that many different values, so that ties are frequent.
inline Matrix<float> random_matrix(std::int64_t rows, std::int64_t cols, RandomStream& random,
                                   std::uint32_t levels = 0) {
  Matrix<float> matrix(rows, cols);
  for (float& value : matrix.data) {
    value = levels > 0 ? static_cast<float>(random.below(levels)) : static_cast<float>(random.uniform());
  }
  return matrix;
}

/// The indices that survive: sort by (score, index) ascending and drop from the front.
template <class Score>
std::vector<std::int64_t> survivors(const std::vector<Score>& scores, std::int64_t keep) {
  std::vector<std::int64_t> ranked(scores.size());
  for (std::size_t i = 0; i < ranked.size(); ++i) ranked[i] = static_cast<std::int64_t>(i);
  std::stable_sort(ranked.begin(), ranked.end(), [&](std::int64_t a, std::int64_t b) {
    return scores[static_cast<std::size_t>(a)] < scores[static_cast<std::size_t>(b)];
  });
  ranked.erase(ranked.begin(), ranked.end() - keep);
  std::sort(ranked.begin(), ranked.end());
  return ranked;
}

inline Pattern hinm_pattern(std::int64_t vector, double vector_sparsity, std::int64_t n = 2, std::int64_t m = 4) {
  return {.kind = PatternKind::hinm, .vector = vector, .vector_sparsity = vector_sparsity, .n = n, .m = m};
}

inline Pattern group_pattern(std::int64_t n, std::int64_t m) { return {.kind = PatternKind::n_m, .n = n, .m = m}; }

}  // namespace hinm::test
