// The CPU's own layout of a packed matrix: per tile, block of columns and quad of rows the weights in the order in which
// the kernel eats them, four rows interleaved.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/cpu/aligned_vector.h"
#include "kernels/cpu/product_kernel.h"
#include "kernels/format/packed_matrix.h"

namespace hinm::kernels {

/// A part of a tile of the format: the format's tiles are cut where they are higher than tile_rows_limit (n:m has one
/// tile of all rows); the parts share the column list.
struct StreamTile {
  std::int64_t first_row = 0;     ///< position of its first row
  std::int64_t row_count = 0;
  std::int64_t columns = 0;       ///< offset of its column list
  std::int64_t values = 0;        ///< offset of its weights and indices
};

struct RowStream {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  Selection selection;
  ValueType value_type = ValueType::float32;
  std::int64_t column_count = 0;   ///< packed columns a tile, padding to whole groups included
  std::int64_t block_columns = 0;  ///< columns a block

  std::vector<StreamTile> tiles;
  std::vector<std::uint32_t> output_rows;
  std::vector<std::uint32_t> columns;   ///< format tiles × column_count
  AlignedVector<float> weights;         ///< per tile, block, quad: [value][4 rows]; empty when bfloat16
  AlignedVector<std::uint16_t> narrow_weights;  ///< the same in bfloat16; empty when float32
  AlignedVector<std::uint8_t> index;    ///< column of each weight inside its block

  /// Bytes that one product reads of it.
  std::int64_t bytes() const;
};

RowStream make_row_stream(const PackedMatrix& packed);

}  // namespace hinm::kernels
