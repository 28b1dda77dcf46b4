#include "permutation/row_prices.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/parallel.h"
#include "permutation/loops.h"
#include "sparsity/columns.h"

namespace hinm {

Matrix<float> priced_scores(const SearchContext& context, const Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  const MatrixView<const float> scores = context.padded_scores();
  Matrix<float> priced(geometry.rows, scores.cols);
  const std::int64_t kept = geometry.kept_in_row();
  parallel_for(geometry.rows, context.threads(), [&](std::int64_t position, int) {
    const std::int64_t r = arrangement.rows[static_cast<std::size_t>(position)];
    const float* row = scores.row(r);
    float price = 0;
    if (kept < geometry.kept_columns) {
      const std::uint32_t* columns = arrangement.columns.data() + position / geometry.tile_rows * geometry.kept_columns;
      std::vector<float> packed(static_cast<std::size_t>(padded_to_lanes(geometry.kept_columns)));
      for (std::int64_t j = 0; j < geometry.kept_columns; ++j) packed[static_cast<std::size_t>(j)] = row[columns[j]];
      // Any price from the next smaller score up to the q-th largest gives the same minimum. The guess is the row's
      // own, so that the price does not depend on which thread came by.
      const float mean =
          std::accumulate(packed.begin(), packed.end(), 0.0f) / static_cast<float>(geometry.kept_columns);
      price = loops().top_sum(packed.data(), static_cast<std::int64_t>(packed.size()), kept, mean).threshold;
    }
    float* out = priced.view().row(r);
    for (std::int64_t c = 0; c < scores.cols; ++c) out[c] = std::max(0.0f, row[c] - price);
  });
  return priced;
}

void choose_columns_by(const SearchContext& context, MatrixView<const float> values, Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  if (geometry.block > 0) {
    context.choose_columns_of(arrangement);
    return;
  }
  arrangement.columns =
      choose_columns({values.data, geometry.rows, geometry.cols, values.stride}, geometry, arrangement.rows);
}

}  // namespace hinm
