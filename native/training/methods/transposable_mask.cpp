#include "training/methods/transposable_mask.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace hinm::training {
namespace {

constexpr bool has_bit(BlockPattern pattern, int index) { return (pattern >> (15 - index) & 1) != 0; }

bool two_in_every_column(BlockPattern pattern) {
  for (int c = 0; c < 4; ++c) {
    int count = 0;
    for (int r = 0; r < 4; ++r) count += has_bit(pattern, r * 4 + c);
    if (count != 2) return false;
  }
  return true;
}

bool two_in_every_row(BlockPattern pattern) {
  for (int r = 0; r < 4; ++r) {
    if (std::popcount(static_cast<unsigned>(pattern >> (4 * r) & 0xF)) != 2) return false;
  }
  return true;
}

}  // namespace

const std::vector<BlockPattern>& transposable_patterns() {
  static const std::vector<BlockPattern> patterns = [] {
    std::vector<BlockPattern> found;
    for (int bits = 0xFFFF; bits >= 0; --bits) {
      const auto pattern = static_cast<BlockPattern>(bits);
      if (two_in_every_row(pattern) && two_in_every_column(pattern)) found.push_back(pattern);
    }
    return found;
  }();
  return patterns;
}

BlockPattern best_transposable(const std::array<double, 16>& block) {
  // The sum of a pattern is the sum of its rows' parts: 4 × 16 partial sums serve all 90.
  std::array<std::array<double, 16>, 4> row_sums{};
  for (std::size_t r = 0; r < 4; ++r) {
    for (std::size_t bits = 0; bits < 16; ++bits) {
      for (std::size_t c = 0; c < 4; ++c) row_sums[r][bits] += bits >> (3 - c) & 1 ? std::abs(block[r * 4 + c]) : 0;
    }
  }
  BlockPattern best = 0;
  double best_sum = -1;
  for (const BlockPattern pattern : transposable_patterns()) {
    double sum = 0;
    for (std::size_t r = 0; r < 4; ++r) sum += row_sums[r][pattern >> (12 - 4 * r) & 0xF];
    if (sum > best_sum) {
      best_sum = sum;
      best = pattern;
    }
  }
  return best;
}

BlockPattern greedy_transposable(const std::array<double, 16>& block) {
  std::array<std::size_t, 16> order;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return std::abs(block[a]) > std::abs(block[b]); });
  std::array<int, 4> in_row{}, in_column{};
  BlockPattern pattern = 0;
  for (const std::size_t i : order) {
    if (in_row[i / 4] == 2 || in_column[i % 4] == 2) continue;
    ++in_row[i / 4];
    ++in_column[i % 4];
    pattern = static_cast<BlockPattern>(pattern | 1u << (15 - i));
  }
  return pattern;
}

template <class T>
void transposable_mask(MatrixView<const T> weights, bool exact, std::uint8_t* mask) {
  std::array<double, 16> block;
  for (std::int64_t r = 0; r < weights.rows; r += 4) {
    for (std::int64_t c = 0; c < weights.cols; c += 4) {
      for (std::int64_t i = 0; i < 16; ++i) block[static_cast<std::size_t>(i)] = static_cast<double>(weights.at(r + i / 4, c + i % 4));
      const BlockPattern pattern = exact ? best_transposable(block) : greedy_transposable(block);
      for (int i = 0; i < 16; ++i) mask[(r + i / 4) * weights.cols + c + i % 4] = has_bit(pattern, i);
    }
  }
}

template void transposable_mask(MatrixView<const float>, bool, std::uint8_t*);
template void transposable_mask(MatrixView<const double>, bool, std::uint8_t*);

}  // namespace hinm::training
