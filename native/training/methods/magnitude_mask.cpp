#include "training/methods/magnitude_mask.h"

#include <cmath>

namespace hinm::training {
namespace {

/// Branch-free ranking of four: each comparison asks whether the later element beats the earlier one, ties included.
template <class T>
void mask_two_of_four(const T* group, std::uint8_t* mask) {
  const T a = std::abs(group[0]), b = std::abs(group[1]), c = std::abs(group[2]), d = std::abs(group[3]);
  const int ba = b >= a, ca = c >= a, da = d >= a, cb = c >= b, db = d >= b, dc = d >= c;
  mask[0] = static_cast<std::uint8_t>(3 - ba - ca - da >= 2);
  mask[1] = static_cast<std::uint8_t>(2 + ba - cb - db >= 2);
  mask[2] = static_cast<std::uint8_t>(1 + ca + cb - dc >= 2);
  mask[3] = static_cast<std::uint8_t>(da + db + dc >= 2);
}

template <class T>
void mask_group(const T* group, GroupPattern pattern, std::uint8_t* mask) {
  for (int i = 0; i < pattern.of; ++i) {
    int rank = 0;
    for (int j = 0; j < pattern.of; ++j) {
      const T mine = std::abs(group[i]), other = std::abs(group[j]);
      rank += other < mine || (other == mine && j < i);
    }
    mask[i] = static_cast<std::uint8_t>(rank >= pattern.of - pattern.kept);
  }
}

}  // namespace

template <class T>
void magnitude_mask(MatrixView<const T> weights, GroupPattern pattern, std::uint8_t* mask) {
  const bool two_of_four = pattern.kept == 2 && pattern.of == 4;
  for (std::int64_t r = 0; r < weights.rows; ++r) {
    const T* row = weights.row(r);
    std::uint8_t* to = mask + r * weights.cols;
    for (std::int64_t c = 0; c < weights.cols; c += pattern.of) {
      if (two_of_four) mask_two_of_four(row + c, to + c);
      else mask_group(row + c, pattern, to + c);
    }
  }
}

double flip_rate(const Mask& before, const Mask& after) {
  if (before.empty()) return 0;
  std::int64_t flips = 0;
  for (std::size_t i = 0; i < before.size(); ++i) flips += before[i] != after[i];
  return static_cast<double>(flips) / static_cast<double>(before.size());
}

template void magnitude_mask(MatrixView<const float>, GroupPattern, std::uint8_t*);
template void magnitude_mask(MatrixView<const double>, GroupPattern, std::uint8_t*);

}  // namespace hinm::training
