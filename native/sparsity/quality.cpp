#include "sparsity/quality.h"

#include <algorithm>
#include <string>

#include "sparsity/build_mask.h"
#include "sparsity/ranking.h"
#include "sparsity/saliency.h"

namespace hinm {
namespace {

double kept_in_row(MatrixView<const float> scores, const Mask& mask, std::int64_t r) {
  const float* row = scores.row(r);
  double sum = 0;
  for (std::int64_t c = 0; c < scores.cols; ++c) {
    if (mask.kept(r, c)) sum += static_cast<double>(row[c]);
  }
  return sum;
}

double all_of_row(MatrixView<const float> scores, std::int64_t r) {
  double sum = 0;
  for (std::int64_t c = 0; c < scores.cols; ++c) sum += static_cast<double>(scores.at(r, c));
  return sum;
}

double kept_in_matrix(MatrixView<const float> scores, const Mask& mask) {
  double sum = 0;
  for (std::int64_t r = 0; r < scores.rows; ++r) sum += kept_in_row(scores, mask, r);
  return sum;
}

/// Saliency of the best unstructured mask that keeps as many weights.
double unstructured_bound(MatrixView<const float> scores, std::int64_t kept) {
  std::vector<float> values, scratch;
  values.reserve(static_cast<std::size_t>(scores.size()));
  for (std::int64_t r = 0; r < scores.rows; ++r)
    values.insert(values.end(), scores.row(r), scores.row(r) + scores.cols);
  return sum_of_largest(values.data(), scores.size(), kept, scratch);
}

/// What is inside the kept columns, and the most that any n:m order of them could keep.
struct ColumnBounds {
  double inside = 0;
  double row_wise = 0;
};

ColumnBounds column_bounds(MatrixView<const float> scores, const Geometry& geometry, const Order& order) {
  ColumnBounds bounds;
  std::vector<float> packed(static_cast<std::size_t>(geometry.kept_columns)), scratch;
  const std::int64_t kept = geometry.kept_in_row();
  for (std::int64_t position = 0; position < geometry.rows; ++position) {
    const float* row = scores.row(order.output_order[static_cast<std::size_t>(position)]);
    const std::uint32_t* columns = order.tile_columns(position / geometry.tile_rows);
    for (std::int64_t j = 0; j < geometry.kept_columns; ++j) {
      packed[static_cast<std::size_t>(j)] = row[columns[j]];
      bounds.inside += static_cast<double>(row[columns[j]]);
    }
    bounds.row_wise += sum_of_largest(packed.data(), geometry.kept_columns, kept, scratch);
  }
  return bounds;
}

std::vector<double> tile_shares(MatrixView<const float> scores, const Geometry& geometry, const Order& order,
                                const Mask& mask) {
  std::vector<double> shares(static_cast<std::size_t>(geometry.tiles));
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
    double kept = 0, all = 0;
    for (std::int64_t position = 0; position < geometry.rows_of(tile); ++position) {
      const std::int64_t r = order.output_order[static_cast<std::size_t>(geometry.first_row(tile) + position)];
      kept += kept_in_row(scores, mask, r);
      all += all_of_row(scores, r);
    }
    shares[static_cast<std::size_t>(tile)] = all > 0 ? kept / all : 1;
  }
  return shares;
}

/// Differences below the rounding of the sums count as none.
std::optional<double> efficacy_of(double kept, double original, double bound, double total) {
  if (bound - original <= total * 1e-14) return std::nullopt;
  return (kept - original) / (bound - original);
}

}  // namespace

Result<Quality> measure_quality(MatrixView<const float> scores, const Pattern& pattern, const Order* order,
                                const Mask& mask, const JobControl& control) {
  if (mask.rows != scores.rows || mask.cols != scores.cols) {
    return invalid_argument("The mask is " + std::to_string(mask.rows) + " x " + std::to_string(mask.cols) +
                            " but the saliency is " + std::to_string(scores.rows) + " x " +
                            std::to_string(scores.cols) + "; both must have the layer's shape.");
  }
  if (Status status = check_scores(scores); !status.ok()) return status.error();
  const Result<Geometry> found = geometry_for(scores, pattern, order);
  if (!found.ok()) return found.error();
  const Geometry& geometry = found.value();
  Order original;
  if (order == nullptr) {
    original = original_order(scores, geometry);
    order = &original;
  } else if (Status status = check_order(*order, geometry); !status.ok()) {
    return status.error();
  }
  Quality quality;
  quality.kept = mask.count();
  quality.kept_saliency = kept_in_matrix(scores, mask);
  for (std::int64_t r = 0; r < scores.rows; ++r) quality.total_saliency += all_of_row(scores, r);
  quality.retained = quality.total_saliency > 0 ? quality.kept_saliency / quality.total_saliency : 1;
  if (control.stop_requested()) return cancelled();
  const double bound = unstructured_bound(scores, quality.kept);
  quality.relative = bound > 0 ? quality.kept_saliency / bound : 1;
  if (control.stop_requested()) return cancelled();
  if (geometry.chooses_columns || geometry.orders_columns) {
    const ColumnBounds bounds = column_bounds(scores, geometry, *order);
    if (geometry.chooses_columns) {
      quality.vector = quality.total_saliency > 0 ? bounds.inside / quality.total_saliency : 1;
      quality.tiles = tile_shares(scores, geometry, *order, mask);
    }
    if (control.stop_requested()) return cancelled();
    if (geometry.orders_columns) {
      const Result<Mask> unpermuted = build_mask(scores, pattern, nullptr, control);
      if (!unpermuted.ok()) return unpermuted.error();
      quality.efficacy = efficacy_of(quality.kept_saliency, kept_in_matrix(scores, unpermuted.value()), bounds.row_wise,
                                     quality.total_saliency);
    }
  }
  return quality;
}

}  // namespace hinm
