// The correctness-first kernel: one thread for one output element, from the plain description of the tiles, so that it
// shares neither the fragment layouts nor the pipeline with the kernels that it checks. Sums in float64.
#pragma once

#include "kernels/cuda/product/epilogue.h"

namespace hinm::cuda {

/// The weights as a reader would write them down; see sparse_tiles.h.
struct ReferenceArguments {
  const std::uint16_t* values;     ///< [tile row][kept values of a row]
  const std::uint8_t* selection;   ///< [tile row][kept values]: position 0–3 in its group of four, or null when dense inside
  const std::int32_t* columns;     ///< [tile][kept], or null where all columns are kept
  ProductArguments product;        ///< rows, x, y, bias, depth, n, strides, activation, output type; the rest is unused
  std::int32_t tile_rows;
  std::int32_t kept;               ///< logical columns of a tile before 2:4
  std::int32_t row_count;          ///< tile rows in all, padding included
};

template <ValueType Type>
struct ReferenceProduct {
  static constexpr int kThreads = 128;
  static constexpr int kSharedBytes = 0;

  static SIMT_DEVICE double sum(const ReferenceArguments& p, int tile_row, int n) {
    const bool sparse = p.selection != nullptr;
    const int values = sparse ? p.kept / 2 : p.kept;
    const std::int64_t row = static_cast<std::int64_t>(tile_row) * values;
    double total = 0;
    for (int i = 0; i < values; ++i) {
      const int kept = sparse ? i / 2 * 4 + simt::load_global(p.selection + row + i) : i;
      const int column = p.columns != nullptr ? simt::load_global(p.columns + static_cast<std::int64_t>(tile_row / p.tile_rows) * p.kept + kept) : kept;
      const float weight = simt::to_float<Type>(simt::load_global(p.values + row + i));
      // A weight of zero may stand in a column past the matrix (padding of the last group): it must not read there.
      if (weight == 0.0f || column < 0 || column >= p.product.depth) continue;
      total += static_cast<double>(weight) * simt::to_float<Type>(simt::load_global(p.product.x + static_cast<std::int64_t>(column) * p.product.ldx + n));
    }
    return total;
  }

  /// Grid: x over pairs of columns in units of kThreads, y over tile rows.
  static SIMT_DEVICE void run(const ReferenceArguments& p) {
    const int n = (simt::block_x() * kThreads + simt::thread_index()) * 2;
    const int tile_row = simt::block_y();
    if (n >= p.product.n || tile_row >= p.row_count) return;
    const float first = static_cast<float>(sum(p, tile_row, n));
    const float second = n + 1 < p.product.n ? static_cast<float>(sum(p, tile_row, n + 1)) : 0.0f;
    store_pair<Type>(p.product, simt::load_global(p.product.rows + tile_row), n, first, second);
  }
};

}  // namespace hinm::cuda
