#include "sparsity/columns.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "sparsity/block_columns.h"
#include "sparsity/ranking.h"

namespace hinm {

void column_sums(MatrixView<const float> scores, const std::uint32_t* rows, std::int64_t count, double* sums) {
  std::fill(sums, sums + scores.cols, 0.0);
  for (std::int64_t i = 0; i < count; ++i) {
    const float* row = scores.row(rows[i]);
    for (std::int64_t c = 0; c < scores.cols; ++c) sums[c] += static_cast<double>(row[c]);
  }
}

namespace {

std::vector<std::uint32_t> largest_columns(MatrixView<const float> scores, const std::uint32_t* rows,
                                           std::int64_t count, const Geometry& geometry) {
  std::vector<double> sums(static_cast<std::size_t>(geometry.cols));
  column_sums(scores, rows, count, sums.data());
  std::vector<std::uint32_t> kept = highest_ranks(sums.data(), geometry.cols, geometry.kept_columns);
  if (geometry.dense_columns == 0 || geometry.dense_columns == geometry.kept_columns) return kept;
  const std::vector<std::uint32_t> dense = highest_ranks(sums.data(), geometry.cols, geometry.dense_columns);
  std::vector<std::uint32_t> regions = dense;
  std::set_difference(kept.begin(), kept.end(), dense.begin(), dense.end(), std::back_inserter(regions));
  return regions;
}

}  // namespace

std::vector<std::uint32_t> choose_columns(MatrixView<const float> scores, const Geometry& geometry,
                                          const std::vector<std::uint32_t>& output_order) {
  std::vector<std::uint32_t> columns(static_cast<std::size_t>(geometry.tiles * geometry.kept_columns));
  if (!geometry.chooses_columns) {
    for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
      std::iota(columns.begin() + tile * geometry.kept_columns, columns.begin() + (tile + 1) * geometry.kept_columns,
                0u);
    }
    return columns;
  }
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
    const std::uint32_t* rows = output_order.data() + geometry.first_row(tile);
    const auto kept = geometry.block > 0 ? block_columns(scores, rows, geometry.rows_of(tile), geometry.block)
                                         : largest_columns(scores, rows, geometry.rows_of(tile), geometry);
    std::copy(kept.begin(), kept.end(), columns.begin() + tile * geometry.kept_columns);
  }
  return columns;
}

}  // namespace hinm
