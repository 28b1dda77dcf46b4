// Columns in stripes of m, and the windows of two or three stripes that a greedy search improves.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/matrix.h"

namespace hinm {

/// Columns [index][row of doubles] in an order of stripes of m, n of m kept per row.
struct Stripes {
  Matrix<double> values;             ///< one column a row of this matrix
  std::vector<std::uint32_t> order;  ///< packed position → column
  std::int64_t n = 0;
  std::int64_t m = 0;

  std::int64_t count() const { return static_cast<std::int64_t>(order.size()) / m; }
};

/// The best way found to rearrange the columns of one window.
struct WindowMove {
  double gain = 0;
  std::vector<std::uint32_t> columns;  ///< the window's columns, stripe by stripe
};

/// Saliency kept by m columns.
double stripe_kept(const Stripes& stripes, const std::uint32_t* columns);

/// The best single exchange of a column of one stripe with one of the other.
WindowMove best_exchange(const Stripes& stripes, const std::vector<std::int64_t>& window);

/// The best partition of the columns of a window of two or three stripes of 4: 35 or 5,775 candidates.
WindowMove best_partition(const Stripes& stripes, const std::vector<std::int64_t>& window);

/// Candidates of one window.
std::int64_t exchange_candidates(std::int64_t m);
std::int64_t partition_candidates(std::int64_t stripes);

}  // namespace hinm
