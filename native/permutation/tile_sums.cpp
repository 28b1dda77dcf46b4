#include "permutation/tile_sums.h"

#include <algorithm>

#include "base/parallel.h"
#include "sparsity/columns.h"
#include "sparsity/ranking.h"

namespace hinm {

TileSums::TileSums(const SearchContext& context, MatrixView<const float> values, const std::vector<std::uint32_t>& rows)
    : geometry_(context.geometry()),
      values_(values),
      sums_(geometry_.tiles, values.cols),
      top_(static_cast<std::size_t>(geometry_.tiles)) {
  parallel_for(geometry_.tiles, context.threads(), [&](std::int64_t tile, int) { refresh(tile, rows); });
}

void TileSums::refresh(std::int64_t tile, const std::vector<std::uint32_t>& rows) {
  float* sums = sums_.view().row(tile);
  std::fill(sums, sums + sums_.cols, 0.0f);
  for (std::int64_t i = 0; i < geometry_.rows_of(tile); ++i) {
    const float* row = values_.row(rows[static_cast<std::size_t>(geometry_.first_row(tile) + i)]);
    for (std::int64_t c = 0; c < sums_.cols; ++c) sums[c] += row[c];
  }
  TopSum& top = top_[static_cast<std::size_t>(tile)];
  top = loops().top_sum(sums, sums_.cols, geometry_.kept_columns, top.threshold);
}

void TileSums::replace(std::int64_t tile, const float* sums, const TopSum& top) {
  std::copy(sums, sums + sums_.cols, sums_.view().row(tile));
  top_[static_cast<std::size_t>(tile)] = top;
}

double vector_objective(const SearchContext& context, MatrixView<const float> values,
                        const std::vector<std::uint32_t>& rows) {
  const Geometry& geometry = context.geometry();
  std::vector<double> kept(static_cast<std::size_t>(geometry.tiles));
  parallel_for(geometry.tiles, context.threads(), [&](std::int64_t tile, int) {
    std::vector<std::uint32_t> members(rows.begin() + geometry.first_row(tile),
                                       rows.begin() + geometry.first_row(tile) + geometry.rows_of(tile));
    std::sort(members.begin(), members.end());
    std::vector<double> sums(static_cast<std::size_t>(values.cols)), scratch;
    column_sums(values, members.data(), static_cast<std::int64_t>(members.size()), sums.data());
    kept[static_cast<std::size_t>(tile)] = sum_of_largest(sums.data(), values.cols, geometry.kept_columns, scratch);
  });
  double total = 0;
  for (const double part : kept) total += part;
  return total;
}

}  // namespace hinm
