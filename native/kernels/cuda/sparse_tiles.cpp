#include "kernels/cuda/sparse_tiles.h"

#include <string>

namespace hinm::cuda {
namespace {

Error wrong_count(const char* what, std::size_t got, std::int64_t wanted) {
  return invalid_argument("The packed weights have " + std::to_string(got) + " " + what + "; their shape needs " + std::to_string(wanted) + ".");
}

Status check_sizes(const SparseTiles& tiles) {
  if (tiles.rows <= 0 || tiles.cols <= 0 || tiles.tile_rows <= 0 || tiles.kept <= 0) {
    return invalid_argument("The packed weights are " + std::to_string(tiles.rows) + "×" + std::to_string(tiles.cols) + " in tiles of " +
                            std::to_string(tiles.tile_rows) + " rows with " + std::to_string(tiles.kept) + " kept columns; all four must be positive.");
  }
  if (tiles.sparse() && tiles.kept % 4 != 0) {
    return invalid_argument("The packed weights keep " + std::to_string(tiles.kept) + " columns a tile; 2:4 needs a multiple of 4.");
  }
  const std::int64_t rows = static_cast<std::int64_t>(tiles.tiles()) * tiles.tile_rows;
  const std::int64_t values = rows * tiles.values_per_row();
  const std::int64_t columns = tiles.format == Format::two_four ? 0 : static_cast<std::int64_t>(tiles.tiles()) * tiles.kept;
  if (static_cast<std::int64_t>(tiles.output_row.size()) != rows) return wrong_count("output rows", tiles.output_row.size(), rows);
  if (static_cast<std::int64_t>(tiles.values.size()) != values) return wrong_count("values", tiles.values.size(), values);
  if (static_cast<std::int64_t>(tiles.columns.size()) != columns) return wrong_count("columns", tiles.columns.size(), columns);
  const std::int64_t selections = tiles.sparse() ? values : 0;
  if (static_cast<std::int64_t>(tiles.selection.size()) != selections) return wrong_count("selections", tiles.selection.size(), selections);
  return success();
}

}  // namespace

Status check(const SparseTiles& tiles) {
  if (Status sizes = check_sizes(tiles); !sizes.ok()) return sizes;
  for (const std::int32_t column : tiles.columns) {
    if (column < -1 || column >= tiles.cols) {
      return invalid_argument("The packed weights name column " + std::to_string(column) + "; columns run from 0 to " + std::to_string(tiles.cols - 1) + ", −1 is padding.");
    }
  }
  std::vector<bool> written(static_cast<std::size_t>(tiles.rows), false);
  std::int32_t rows = 0;
  for (const std::int32_t row : tiles.output_row) {
    if (row == -1) continue;
    if (row < -1 || row >= tiles.rows || written[static_cast<std::size_t>(row)]) {
      return invalid_argument("The packed weights write output row " + std::to_string(row) + " twice or outside 0 to " + std::to_string(tiles.rows - 1) + ".");
    }
    written[static_cast<std::size_t>(row)] = true;
    ++rows;
  }
  if (rows != tiles.rows) {
    return invalid_argument("The packed weights write " + std::to_string(rows) + " of " + std::to_string(tiles.rows) + " output rows.");
  }
  for (std::size_t i = 0; i + 1 < tiles.selection.size(); i += 2) {
    if (tiles.selection[i] >= tiles.selection[i + 1] || tiles.selection[i + 1] > 3) {
      return invalid_argument("The packed weights select positions " + std::to_string(tiles.selection[i]) + " and " + std::to_string(tiles.selection[i + 1]) +
                              " of a group of four; they must be two of 0 to 3 in ascending order.");
    }
  }
  return success();
}

std::vector<double> multiply(const SparseTiles& tiles, const std::vector<float>& x, std::int32_t n) {
  std::vector<double> y(static_cast<std::size_t>(tiles.rows) * static_cast<std::size_t>(n), 0.0);
  const std::int32_t values = tiles.values_per_row();
  for (std::size_t tile_row = 0; tile_row < tiles.output_row.size(); ++tile_row) {
    const std::int32_t row = tiles.output_row[tile_row];
    if (row < 0) continue;
    const std::size_t tile = tile_row / static_cast<std::size_t>(tiles.tile_rows);
    double* sums = &y[static_cast<std::size_t>(row) * static_cast<std::size_t>(n)];
    for (std::int32_t i = 0; i < values; ++i) {
      const std::size_t at = tile_row * static_cast<std::size_t>(values) + static_cast<std::size_t>(i);
      const double weight = tiles.values[at];
      const std::int32_t kept = tiles.sparse() ? i / 2 * 4 + tiles.selection[at] : i;
      const std::int32_t column = tiles.columns.empty() ? kept : tiles.columns[tile * static_cast<std::size_t>(tiles.kept) + static_cast<std::size_t>(kept)];
      if (weight == 0 || column < 0 || column >= tiles.cols) continue;
      const float* row_of_x = &x[static_cast<std::size_t>(column) * static_cast<std::size_t>(n)];
      for (std::int32_t j = 0; j < n; ++j) sums[j] += weight * row_of_x[j];
    }
  }
  return y;
}

}  // namespace hinm::cuda
