#include "training/methods/soft_threshold.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hinm::training {
namespace {

constexpr int largest_group = 64;

/// Second smallest of four magnitudes without a sort.
template <class T>
T second_smallest(const T* group) {
  const T a = std::abs(group[0]), b = std::abs(group[1]), c = std::abs(group[2]), d = std::abs(group[3]);
  const T low_ab = std::min(a, b), high_ab = std::max(a, b), low_cd = std::min(c, d), high_cd = std::max(c, d);
  return std::min(std::max(low_ab, low_cd), std::min(high_ab, high_cd));
}

/// Without a branch, because which weights fall below the threshold cannot be predicted. NaN goes through; adding zero turns
/// the −0 of a pruned negative weight into +0.
template <class T>
T shrink(T value, T threshold, T scale) {
  return std::copysign(std::max(std::abs(value) - threshold, T{0}) * scale, value) + T{0};
}

/// The whole row at once for the pattern that training uses, so that the threshold stays in registers.
template <class T>
void shrink_row_two_of_four(const T* from, T* to, std::int64_t cols, T scale) {
  for (std::int64_t c = 0; c < cols; c += 4) {
    const T threshold = second_smallest(from + c);
    for (int i = 0; i < 4; ++i) to[c + i] = shrink(from[c + i], threshold, scale);
  }
}

}  // namespace

template <class T>
T group_threshold(const T* group, GroupPattern pattern) {
  if (pattern.kept == 2 && pattern.of == 4) return second_smallest(group);
  std::array<T, largest_group> magnitudes;
  for (int i = 0; i < pattern.of; ++i) magnitudes[static_cast<std::size_t>(i)] = std::abs(group[i]);
  const auto nth = magnitudes.begin() + (pattern.of - pattern.kept - 1);
  std::nth_element(magnitudes.begin(), nth, magnitudes.begin() + pattern.of);
  return *nth;
}

template <class T>
void soft_threshold(MatrixView<const T> weights, GroupPattern pattern, MatrixView<T> soft, T scale) {
  const bool two_of_four = pattern.kept == 2 && pattern.of == 4;
  for (std::int64_t r = 0; r < weights.rows; ++r) {
    const T* from = weights.row(r);
    T* to = soft.row(r);
    if (two_of_four) {
      shrink_row_two_of_four(from, to, weights.cols, scale);
      continue;
    }
    for (std::int64_t c = 0; c < weights.cols; c += pattern.of) {
      const T threshold = group_threshold(from + c, pattern);
      for (int i = 0; i < pattern.of; ++i) to[c + i] = shrink(from[c + i], threshold, scale);
    }
  }
}

template <class T>
double projection_scale(MatrixView<const T> weights, MatrixView<const T> soft) {
  double weights_soft = 0, soft_soft = 0;
  for (std::int64_t r = 0; r < weights.rows; ++r) {
    const T* w = weights.row(r);
    const T* s = soft.row(r);
    for (std::int64_t c = 0; c < weights.cols; ++c) {
      weights_soft += static_cast<double>(w[c]) * static_cast<double>(s[c]);
      soft_soft += static_cast<double>(s[c]) * static_cast<double>(s[c]);
    }
  }
  return soft_soft == 0 ? 1 : weights_soft / soft_soft;
}

template float group_threshold(const float*, GroupPattern);
template double group_threshold(const double*, GroupPattern);
template void soft_threshold(MatrixView<const float>, GroupPattern, MatrixView<float>, float);
template void soft_threshold(MatrixView<const double>, GroupPattern, MatrixView<double>, double);
template double projection_scale(MatrixView<const float>, MatrixView<const float>);
template double projection_scale(MatrixView<const double>, MatrixView<const double>);

}  // namespace hinm::training
