#include "sparsity/block_columns.h"

#include <algorithm>
#include <array>

#include "sparsity/ranking.h"

namespace hinm {
namespace {

constexpr std::int64_t widest_exhaustive = 16;

/// Of every pair of columns the larger entry and the sum, row by row: two of four are the larger of each pair or one
/// whole pair.
class PairTable {
 public:
  PairTable(MatrixView<const float> scores, const std::uint32_t* rows, std::int64_t count,
            const std::vector<std::uint32_t>& columns)
      : columns_(static_cast<std::int64_t>(columns.size())),
        rows_(count),
        larger_(columns_ * columns_, count),
        sum_(columns_ * columns_, count) {
    for (std::int64_t i = 0; i < columns_; ++i) {
      for (std::int64_t j = i + 1; j < columns_; ++j) {
        for (std::int64_t r = 0; r < count; ++r) {
          const double a = static_cast<double>(scores.at(rows[r], columns[static_cast<std::size_t>(i)]));
          const double b = static_cast<double>(scores.at(rows[r], columns[static_cast<std::size_t>(j)]));
          larger_.at(i * columns_ + j, r) = std::max(a, b);
          sum_.at(i * columns_ + j, r) = a + b;
        }
      }
    }
  }

  double kept(const std::array<std::int64_t, 4>& set) const {
    const std::int64_t first = set[0] * columns_ + set[1], second = set[2] * columns_ + set[3];
    const double *larger_a = larger_.view().row(first), *larger_b = larger_.view().row(second);
    const double *sum_a = sum_.view().row(first), *sum_b = sum_.view().row(second);
    std::array<double, 4> partial{};
    for (std::int64_t r = 0; r < rows_; ++r) {
      partial[static_cast<std::size_t>(r & 3)] += std::max(larger_a[r] + larger_b[r], std::max(sum_a[r], sum_b[r]));
    }
    return (partial[0] + partial[1]) + (partial[2] + partial[3]);
  }

 private:
  std::int64_t columns_, rows_;
  Matrix<double> larger_, sum_;
};

std::array<std::int64_t, 4> best_set(const PairTable& table, std::int64_t count) {
  std::array<std::int64_t, 4> best{0, 1, 2, 3};
  double most = -1;
  std::array<std::int64_t, 4> set{};
  for (set[0] = 0; set[0] < count - 3; ++set[0]) {
    for (set[1] = set[0] + 1; set[1] < count - 2; ++set[1]) {
      for (set[2] = set[1] + 1; set[2] < count - 1; ++set[2]) {
        for (set[3] = set[2] + 1; set[3] < count; ++set[3]) {
          const double kept = table.kept(set);
          if (kept < most) continue;
          most = kept;
          best = set;
        }
      }
    }
  }
  return best;
}

std::vector<std::uint32_t> candidates_of(MatrixView<const float> scores, const std::uint32_t* rows, std::int64_t count,
                                         std::int64_t first, std::int64_t block) {
  std::vector<double> sums(static_cast<std::size_t>(block));
  for (std::int64_t r = 0; r < count; ++r) {
    for (std::int64_t c = 0; c < block; ++c)
      sums[static_cast<std::size_t>(c)] += static_cast<double>(scores.at(rows[r], first + c));
  }
  std::vector<std::uint32_t> candidates = highest_ranks(sums.data(), block, std::min(block, widest_exhaustive));
  for (std::uint32_t& column : candidates) column += static_cast<std::uint32_t>(first);
  return candidates;
}

}  // namespace

std::vector<std::uint32_t> block_columns(MatrixView<const float> scores, const std::uint32_t* rows, std::int64_t count,
                                         std::int64_t block) {
  std::vector<std::uint32_t> kept;
  for (std::int64_t first = 0; first < scores.cols; first += block) {
    const std::vector<std::uint32_t> candidates = candidates_of(scores, rows, count, first, block);
    const PairTable table(scores, rows, count, candidates);
    for (const std::int64_t i : best_set(table, static_cast<std::int64_t>(candidates.size())))
      kept.push_back(candidates[static_cast<std::size_t>(i)]);
  }
  return kept;
}

}  // namespace hinm
