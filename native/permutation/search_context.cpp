#include "permutation/search_context.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/parallel.h"
#include "permutation/loops.h"
#include "sparsity/columns.h"
#include "sparsity/tile_kept.h"

namespace hinm {

SearchContext::SearchContext(const SearchRequest& request, const Geometry& geometry, const JobControl& control)
    : request_(request), geometry_(geometry), control_(control), padded_(request.scores) {
  if (padded_.stride % lane_count != 0 || padded_.cols != padded_.stride) {
    padded_copy_ = Matrix<float>(geometry.rows, padded_to_lanes(geometry.cols));
    for (std::int64_t r = 0; r < geometry.rows; ++r)
      std::copy_n(request.scores.row(r), geometry.cols, padded_copy_.view().row(r));
    padded_ = padded_copy_.view();
  }
  Order original = original_order(request.scores, geometry);
  best_ = {std::move(original.output_order), std::move(original.columns)};
  best_kept_ = kept_saliency(request.scores, geometry, best_, request.threads);
  record();
}

std::int64_t SearchContext::remaining() const {
  return request_.budget > 0 ? request_.budget - spent_ : std::numeric_limits<std::int64_t>::max();
}

void SearchContext::choose_columns_of(Arrangement& arrangement) const {
  arrangement.columns = choose_columns(scores(), geometry_, arrangement.rows);
}

void SearchContext::offer(const Arrangement& arrangement) {
  const double kept = kept_saliency(scores(), geometry_, arrangement, threads());
  if (!(kept > best_kept_)) return;
  best_ = arrangement;
  best_kept_ = kept;
  record();
}

double SearchContext::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void SearchContext::record() {
  trace_.evaluations.push_back(static_cast<double>(spent_));
  trace_.kept.push_back(best_kept_);
  trace_.seconds.push_back(elapsed());
}

Order SearchContext::finish() && {
  Order order{.rows = geometry_.rows,
              .cols = geometry_.cols,
              .tile_rows = geometry_.tile_rows,
              .kept_columns = geometry_.kept_columns,
              .dense_columns = geometry_.dense_columns};
  order.strategy = request_.strategy;
  order.output_order = std::move(best_.rows);
  order.columns = std::move(best_.columns);
  order.evaluations = spent_;
  order.seconds = elapsed();
  order.trace = std::move(trace_);
  return order;
}

double kept_saliency(MatrixView<const float> scores, const Geometry& geometry, const Arrangement& arrangement,
                     int threads) {
  // A long tile is cut into runs of rows of fixed height: the sum must not depend on the number of threads.
  constexpr std::int64_t run_rows = 64;
  const std::int64_t runs_a_tile = (geometry.tile_rows + run_rows - 1) / run_rows;
  std::vector<double> kept(static_cast<std::size_t>(geometry.tiles * runs_a_tile));
  parallel_for(geometry.tiles * runs_a_tile, threads, [&](std::int64_t run, int) {
    const std::int64_t tile = run / runs_a_tile;
    const std::int64_t first = run % runs_a_tile * run_rows;
    const std::int64_t count = std::min(run_rows, geometry.rows_of(tile) - first);
    if (count <= 0) return;
    kept[static_cast<std::size_t>(run)] =
        kept_of_tile(scores, geometry, arrangement.rows.data() + geometry.first_row(tile) + first, count,
                     arrangement.columns.data() + tile * geometry.kept_columns);
  });
  double total = 0;
  for (const double part : kept) total += part;
  return total;
}

}  // namespace hinm
