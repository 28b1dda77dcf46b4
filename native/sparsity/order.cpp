#include "sparsity/order.h"

#include <numeric>

#include "sparsity/columns.h"
#include "sparsity/regions.h"

namespace hinm {
namespace {

/// Whether `values` are distinct numbers below `bound`.
bool distinct_below(const std::uint32_t* values, std::int64_t count, std::int64_t bound) {
  std::vector<bool> seen(static_cast<std::size_t>(bound));
  for (std::int64_t i = 0; i < count; ++i) {
    if (values[i] >= bound || seen[values[i]]) return false;
    seen[values[i]] = true;
  }
  return true;
}

}  // namespace

Order original_order(MatrixView<const float> scores, const Geometry& geometry) {
  Order order{.rows = geometry.rows,
              .cols = geometry.cols,
              .tile_rows = geometry.tile_rows,
              .kept_columns = geometry.kept_columns,
              .dense_columns = geometry.dense_columns};
  order.output_order.resize(static_cast<std::size_t>(geometry.rows));
  std::iota(order.output_order.begin(), order.output_order.end(), 0u);
  order.columns = choose_columns(scores, geometry, order.output_order);
  return order;
}

Result<Geometry> geometry_for(MatrixView<const float> scores, const Pattern& pattern, const Order* order) {
  Result<Geometry> geometry = geometry_of(pattern, scores.rows, scores.cols);
  if (!geometry.ok() || pattern.kind != PatternKind::three_region) return geometry;
  if (order == nullptr)
    return with_regions(geometry.value(), pattern, best_semi_groups(scores, geometry.value(), pattern));
  const std::int64_t semi_groups = (order->kept_columns - order->dense_columns) / pattern.m;
  if (!regions_fit(geometry.value(), pattern, semi_groups)) {
    return invalid_argument(
        "The order has " + std::to_string(order->dense_columns) + " dense and " + std::to_string(order->kept_columns) +
        " kept columns a tile, which this pattern does not allow; search the order for this pattern.");
  }
  return with_regions(geometry.value(), pattern, semi_groups);
}

Status check_order(const Order& order, const Geometry& geometry) {
  if (order.rows != geometry.rows || order.cols != geometry.cols || order.tile_rows != geometry.tile_rows ||
      order.kept_columns != geometry.kept_columns || order.dense_columns != geometry.dense_columns) {
    return invalid_argument("The order is of a " + std::to_string(order.rows) + " x " + std::to_string(order.cols) +
                            " matrix with tiles of " + std::to_string(order.tile_rows) + " rows and " +
                            std::to_string(order.kept_columns) + " columns, but the pattern gives " +
                            std::to_string(geometry.rows) + " x " + std::to_string(geometry.cols) + " with tiles of " +
                            std::to_string(geometry.tile_rows) + " and " + std::to_string(geometry.kept_columns) +
                            "; search the order for this pattern.");
  }
  if (static_cast<std::int64_t>(order.output_order.size()) != geometry.rows ||
      !distinct_below(order.output_order.data(), geometry.rows, geometry.rows)) {
    return invalid_argument("The output order is no permutation of the " + std::to_string(geometry.rows) +
                            " output channels.");
  }
  if (static_cast<std::int64_t>(order.columns.size()) != geometry.tiles * geometry.kept_columns) {
    return invalid_argument("The order lists " + std::to_string(order.columns.size()) + " kept columns, but " +
                            std::to_string(geometry.tiles) + " tiles of " + std::to_string(geometry.kept_columns) +
                            " were expected.");
  }
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
    if (!distinct_below(order.tile_columns(tile), geometry.kept_columns, geometry.cols)) {
      return invalid_argument("The kept columns of tile " + std::to_string(tile) +
                              " are not distinct columns of the matrix.");
    }
    for (std::int64_t j = 0; geometry.block > 0 && j < geometry.kept_columns; ++j) {
      if (order.tile_columns(tile)[j] / geometry.block != j / 4) {
        return invalid_argument("Tile " + std::to_string(tile) + " does not keep 4 columns of every block of " +
                                std::to_string(geometry.block) + ".");
      }
    }
  }
  return success();
}

}  // namespace hinm
