#include "sparsity/build_mask.h"

#include <algorithm>
#include <vector>

#include "sparsity/ranking.h"
#include "sparsity/saliency.h"
#include "sparsity/verify_mask.h"

namespace hinm {
namespace {

Mask keep_all(MatrixView<const float> scores) {
  Mask mask(scores.rows, scores.cols);
  for (std::int64_t i = 0; i < scores.size(); ++i) mask.keep(i);
  return mask;
}

/// The global top-k; equal scores rank by row-major index.
Mask keep_largest(MatrixView<const float> scores, std::int64_t kept) {
  std::vector<float> sorted;
  sorted.reserve(static_cast<std::size_t>(scores.size()));
  for (std::int64_t r = 0; r < scores.rows; ++r)
    sorted.insert(sorted.end(), scores.row(r), scores.row(r) + scores.cols);
  Mask mask(scores.rows, scores.cols);
  if (kept == 0) return mask;
  std::nth_element(sorted.begin(), sorted.begin() + (kept - 1), sorted.end(), std::greater<float>());
  const float threshold = sorted[static_cast<std::size_t>(kept - 1)];
  std::int64_t at_threshold =
      kept - std::count_if(sorted.begin(), sorted.end(), [threshold](float x) { return x > threshold; });
  for (std::int64_t r = scores.rows - 1; r >= 0; --r) {
    for (std::int64_t c = scores.cols - 1; c >= 0; --c) {
      const float score = scores.at(r, c);
      if (score > threshold || (score == threshold && at_threshold-- > 0)) mask.keep(r, c);
    }
  }
  return mask;
}

Mask keep_largest_of_rows(MatrixView<const float> scores, std::int64_t kept) {
  Mask mask(scores.rows, scores.cols);
  for (std::int64_t r = 0; r < scores.rows; ++r) {
    for (const std::uint32_t c : highest_ranks(scores.row(r), scores.cols, kept)) mask.keep(r, c);
  }
  return mask;
}

/// Kept columns of every tile: the dense ones whole, of the others n of every m packed ones (m = 0: all whole).
Result<Mask> keep_in_tiles(MatrixView<const float> scores, const Geometry& geometry, const Order& order,
                           const JobControl& control) {
  Mask mask(scores.rows, scores.cols);
  const std::int64_t whole = geometry.m > 0 ? geometry.dense_columns : geometry.kept_columns;
  std::vector<float> group(static_cast<std::size_t>(geometry.m));
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
    if (control.stop_requested()) return cancelled();
    const std::uint32_t* columns = order.tile_columns(tile);
    for (std::int64_t position = 0; position < geometry.rows_of(tile); ++position) {
      const std::int64_t r = order.output_order[static_cast<std::size_t>(geometry.first_row(tile) + position)];
      for (std::int64_t j = 0; j < whole; ++j) mask.keep(r, columns[j]);
      for (std::int64_t first = whole; first < geometry.kept_columns; first += geometry.m) {
        for (std::int64_t i = 0; i < geometry.m; ++i)
          group[static_cast<std::size_t>(i)] = scores.at(r, columns[first + i]);
        keep_in_group(group.data(), geometry.n, geometry.m, [&](std::int64_t i) { mask.keep(r, columns[first + i]); });
      }
    }
  }
  return mask;
}

Result<Mask> build(MatrixView<const float> scores, const Pattern& pattern, const Geometry& geometry, const Order& order,
                   const JobControl& control) {
  switch (pattern.kind) {
    case PatternKind::dense:
      return keep_all(scores);
    case PatternKind::unstructured:
      return keep_largest(scores, kept_of(scores.size(), pattern.sparsity));
    case PatternKind::row_wise:
      return keep_largest_of_rows(scores, kept_of(scores.cols, pattern.sparsity));
    default:
      return keep_in_tiles(scores, geometry, order, control);
  }
}

}  // namespace

Result<Mask> build_mask(MatrixView<const float> scores, const Pattern& pattern, const Order* order,
                        const JobControl& control) {
  if (Status status = check_scores(scores); !status.ok()) return status.error();
  const Result<Geometry> geometry = geometry_for(scores, pattern, order);
  if (!geometry.ok()) return geometry.error();
  Order original;
  if (order == nullptr) {
    original = original_order(scores, geometry.value());
    order = &original;
  } else if (Status status = check_order(*order, geometry.value()); !status.ok()) {
    return status.error();
  }
  Result<Mask> mask = build(scores, pattern, geometry.value(), *order, control);
  if (!mask.ok()) return mask;
  if (Status status = verify_mask(mask.value(), pattern, *order); !status.ok()) return status.error();
  return mask;
}

}  // namespace hinm
