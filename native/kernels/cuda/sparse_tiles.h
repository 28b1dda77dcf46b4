// A pruned weight matrix as plain host data: what the GPU side takes from whoever made the mask.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "kernels/cuda/product/product_arguments.h"

namespace hinm::cuda {

/// Tiles of `tile_rows` output channels. Where the format keeps column vectors, each tile has its own list of `kept`
/// columns, in the order of the tile's input permutation; 2:4 acts on groups of four neighbours in that list.
struct SparseTiles {
  Format format = Format::hinm;
  std::int32_t rows = 0;       ///< M
  std::int32_t cols = 0;       ///< K
  std::int32_t tile_rows = 0;  ///< V
  std::int32_t kept = 0;       ///< logical columns of a tile before 2:4: a multiple of 4 with 2:4; K rounded up for two_four
  std::vector<std::int32_t> columns;     ///< [tile][kept], −1 is padding; empty for two_four
  std::vector<std::int32_t> output_row;  ///< [tile][tile_rows], −1 past the last row
  std::vector<float> values;             ///< [tile][tile_rows][kept/2], or [kept] for vector
  std::vector<std::uint8_t> selection;   ///< [tile][tile_rows][kept/2], 0–3, ascending in each pair; empty for vector

  std::int32_t tiles() const { return tile_rows > 0 ? (rows + tile_rows - 1) / tile_rows : 0; }
  bool sparse() const { return format != Format::vector; }
  std::int32_t values_per_row() const { return sparse() ? kept / 2 : kept; }
};

/// Checks every size, index and selection. The error names the first that is wrong.
Status check(const SparseTiles& tiles);

/// Multiplies on the host in float64: y[M][n] = W·x without bias or activation, x row-major [K][n].
std::vector<double> multiply(const SparseTiles& tiles, const std::vector<float>& x, std::int32_t n);

}  // namespace hinm::cuda
