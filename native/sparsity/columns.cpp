#include "sparsity/columns.h"

#include <algorithm>
#include <numeric>

#include "sparsity/ranking.h"

namespace hinm {

void column_sums(MatrixView<const float> scores, const std::uint32_t* rows, std::int64_t count, double* sums) {
  std::fill(sums, sums + scores.cols, 0.0);
  for (std::int64_t i = 0; i < count; ++i) {
    const float* row = scores.row(rows[i]);
    for (std::int64_t c = 0; c < scores.cols; ++c) sums[c] += static_cast<double>(row[c]);
  }
}

std::vector<std::uint32_t> choose_columns(MatrixView<const float> scores, const Geometry& geometry,
                                          const std::vector<std::uint32_t>& output_order) {
  std::vector<std::uint32_t> columns(static_cast<std::size_t>(geometry.tiles * geometry.kept_columns));
  if (!geometry.chooses_columns) {
    for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
      std::iota(columns.begin() + tile * geometry.kept_columns, columns.begin() + (tile + 1) * geometry.kept_columns, 0u);
    }
    return columns;
  }
  std::vector<double> sums(static_cast<std::size_t>(geometry.cols));
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
    column_sums(scores, output_order.data() + geometry.first_row(tile), geometry.rows_of(tile), sums.data());
    const auto kept = highest_ranks(sums.data(), geometry.cols, geometry.kept_columns);
    std::copy(kept.begin(), kept.end(), columns.begin() + tile * geometry.kept_columns);
  }
  return columns;
}

}  // namespace hinm
