#include "permutation/assignment.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "permutation/loops.h"

namespace hinm {
namespace {

/// What no bidder ever wants: padding.
constexpr float unwanted = -1e30f;

/// One auction. Prices persist from one ε to the next; everything else starts anew. Benefits are scaled to [0, 1], so
/// that float32 resolves every ε that is used here.
class Auction {
 public:
  Auction(MatrixView<const float> benefit, double least, double range)
      : benefit_(benefit.rows, padded_to_lanes(benefit.cols), unwanted),
        price_(static_cast<std::size_t>(benefit_.cols), 0.0f),
        owner_(price_.size()),
        column_(static_cast<std::size_t>(benefit.rows)) {
    const double scale = 1 / range;
    const bool fits = range < 1e38;
    for (std::int64_t i = 0; i < benefit.rows; ++i) {
      const float* from = benefit.row(i);
      float* to = benefit_.view().row(i);
      if (fits) {
        const auto lowest = static_cast<float>(least), factor = static_cast<float>(scale);
        for (std::int64_t j = 0; j < benefit.cols; ++j) to[j] = (from[j] - lowest) * factor;
      } else {
        for (std::int64_t j = 0; j < benefit.cols; ++j)
          to[j] = static_cast<float>((static_cast<double>(from[j]) - least) * scale);
      }
    }
  }

  /// False when more than `most` bids were needed.
  bool run(float epsilon, std::int64_t most) {
    std::fill(owner_.begin(), owner_.end(), -1);
    std::fill(column_.begin(), column_.end(), -1);
    std::vector<std::int32_t> waiting(column_.size());
    std::iota(waiting.rbegin(), waiting.rend(), 0);
    while (!waiting.empty()) {
      if (most-- == 0) return false;
      const std::int32_t bidder = waiting.back();
      waiting.pop_back();
      const std::int32_t loser = bid(bidder, epsilon);
      if (loser >= 0) waiting.push_back(loser);
    }
    return true;
  }

  const std::vector<std::int32_t>& assignment() const { return column_; }

 private:
  /// The bidder takes its best column; returns the bidder that loses it, or −1.
  std::int32_t bid(std::int32_t bidder, float epsilon) {
    const Bid found = loops().best_two(benefit_.view().row(bidder), price_.data(), benefit_.cols);
    const auto chosen = static_cast<std::size_t>(found.column);
    price_[chosen] += found.best - found.second + epsilon;
    const std::int32_t loser = owner_[chosen];
    if (loser >= 0) column_[static_cast<std::size_t>(loser)] = -1;
    owner_[chosen] = bidder;
    column_[static_cast<std::size_t>(bidder)] = static_cast<std::int32_t>(chosen);
    return loser;
  }

  Matrix<float> benefit_;
  std::vector<float> price_;
  std::vector<std::int32_t> owner_;
  std::vector<std::int32_t> column_;
};

struct Range {
  float least = std::numeric_limits<float>::infinity();
  float most = -std::numeric_limits<float>::infinity();
};

/// Sixteen running extremes, which the compiler keeps in vectors.
Range range_of(MatrixView<const float> values) {
  float least[lane_count], most[lane_count];
  std::fill(least, least + lane_count, Range().least);
  std::fill(most, most + lane_count, Range().most);
  for (std::int64_t i = 0; i < values.rows; ++i) {
    const float* row = values.row(i);
    std::int64_t j = 0;
    for (; j + lane_count <= values.cols; j += lane_count) {
      for (std::int64_t lane = 0; lane < lane_count; ++lane) {
        const float x = row[j + lane];
        least[lane] = x < least[lane] ? x : least[lane];
        most[lane] = x > most[lane] ? x : most[lane];
      }
    }
    for (; j < values.cols; ++j) {
      least[0] = std::min(least[0], row[j]);
      most[0] = std::max(most[0], row[j]);
    }
  }
  return {*std::min_element(least, least + lane_count), *std::max_element(most, most + lane_count)};
}

std::vector<std::int32_t> identity(std::int64_t n) {
  std::vector<std::int32_t> result(static_cast<std::size_t>(n));
  std::iota(result.begin(), result.end(), 0);
  return result;
}

}  // namespace

std::vector<std::int32_t> assign(MatrixView<const float> benefit) {
  const std::int64_t n = benefit.rows;
  const auto [least, most] = range_of(benefit);
  if (n < 2 || least == most) return identity(n);
  const double range = static_cast<double>(most) - static_cast<double>(least);
  // The final ε bounds the loss by range/64; in practice the loss is far below, and callers accept a result only when
  // their exact objective grows. Each phase divides ε by 6 (measured best between 4 and 10).
  const float final_epsilon = 1 / (64 * static_cast<float>(n));
  const std::int64_t most_bids = 400 * n + 10000;
  Auction auction(benefit, static_cast<double>(least), range);
  for (float epsilon = 0.125f;; epsilon = std::max(epsilon / 6, final_epsilon)) {
    if (!auction.run(epsilon, most_bids)) return assign_exactly(benefit);
    if (epsilon <= final_epsilon) return auction.assignment();
  }
}

std::vector<std::int32_t> assign_exactly(MatrixView<const float> benefit) {
  const std::int64_t n = benefit.rows;
  const auto size = static_cast<std::size_t>(n + 1);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  // Row and column 0 are the free ends of the paths.
  std::vector<double> row_potential(size), column_potential(size), distance(size);
  std::vector<std::int64_t> row_of(size, 0), previous(size);
  std::vector<bool> reached(size);
  for (std::int64_t i = 1; i <= n; ++i) {
    std::fill(distance.begin(), distance.end(), infinite);
    std::fill(reached.begin(), reached.end(), false);
    row_of[0] = i;
    std::size_t column = 0;
    do {
      reached[column] = true;
      const auto row = static_cast<std::size_t>(row_of[column]);
      const float* values = benefit.row(row_of[column] - 1);
      double step = infinite;
      std::size_t nearest = 0;
      for (std::size_t j = 1; j < size; ++j) {
        if (reached[j]) continue;
        const double reduced = -static_cast<double>(values[j - 1]) - row_potential[row] - column_potential[j];
        if (reduced < distance[j]) {
          distance[j] = reduced;
          previous[j] = static_cast<std::int64_t>(column);
        }
        if (distance[j] < step) {
          step = distance[j];
          nearest = j;
        }
      }
      for (std::size_t j = 0; j < size; ++j) {
        if (reached[j]) {
          row_potential[static_cast<std::size_t>(row_of[j])] += step;
          column_potential[j] -= step;
        } else {
          distance[j] -= step;
        }
      }
      column = nearest;
    } while (row_of[column] != 0);
    while (column != 0) {
      const auto before = static_cast<std::size_t>(previous[column]);
      row_of[column] = row_of[before];
      column = before;
    }
  }
  std::vector<std::int32_t> result(static_cast<std::size_t>(n));
  for (std::size_t j = 1; j < size; ++j)
    result[static_cast<std::size_t>(row_of[j] - 1)] = static_cast<std::int32_t>(j - 1);
  return result;
}

}  // namespace hinm
