#include "sparsity/regions.h"

#include <algorithm>

#include "sparsity/order.h"
#include "sparsity/tile_kept.h"

namespace hinm {
namespace {

double kept_with(MatrixView<const float> scores, const Geometry& geometry) {
  const Order order = original_order(scores, geometry);
  double kept = 0;
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
    kept += kept_of_tile(scores, geometry, order.output_order.data() + geometry.first_row(tile), geometry.rows_of(tile),
                         order.tile_columns(tile));
  }
  return kept;
}

}  // namespace

std::int64_t best_semi_groups(MatrixView<const float> scores, const Geometry& geometry, const Pattern& pattern) {
  const std::int64_t kept_a_row = kept_of(geometry.cols, pattern.sparsity);
  const std::int64_t most = std::min(kept_a_row / pattern.n, (geometry.cols - kept_a_row) / (pattern.m - pattern.n));
  const auto value = [&](std::int64_t groups) { return kept_with(scores, with_regions(geometry, pattern, groups)); };
  constexpr std::int64_t grid = 8;
  std::int64_t best = 0;
  double best_value = value(0);
  const auto look_at = [&](std::int64_t groups) {
    if (groups < 0 || groups > most || groups == best) return;
    const double candidate = value(groups);
    if (candidate > best_value) {
      best_value = candidate;
      best = groups;
    }
  };
  for (std::int64_t i = 1; i <= grid; ++i) look_at(most * i / grid);
  for (std::int64_t step = most / grid / 2; step > 0; step /= 2) {
    const std::int64_t centre = best;
    look_at(centre - step);
    look_at(centre + step);
  }
  return best;
}

}  // namespace hinm
