#include "kernels/cpu/row_stream.h"

#include <algorithm>

namespace hinm::kernels {
namespace {

/// Parts of equal height, a multiple of the stream's quads, at most `limit` rows each.
std::int64_t part_height(std::int64_t tile_rows) {
  if (tile_rows <= tile_rows_limit) return tile_rows;
  constexpr std::int64_t preferred = 64;
  const std::int64_t parts = (tile_rows + preferred - 1) / preferred;
  const std::int64_t height = (tile_rows + parts - 1) / parts;
  return (height + stream_rows - 1) / stream_rows * stream_rows;
}

void append_quad(RowStream& stream, const PackedMatrix& packed, const StreamTile& tile, std::int64_t quad, std::int64_t first_column) {
  const std::int64_t columns = std::min(stream.block_columns, stream.column_count - first_column);
  const std::int64_t count = columns / stream.selection.m * stream.selection.n;
  const std::int64_t first_value = first_column / stream.selection.m * stream.selection.n;
  for (std::int64_t j = 0; j < count; ++j) {
    for (std::int64_t r = 0; r < stream_rows; ++r) {
      const std::int64_t row = quad * stream_rows + r;
      const bool exists = row < tile.row_count;
      const std::int64_t position = tile.first_row + row;
      const float weight = exists ? packed.row_values(position)[first_value + j] : 0.0f;
      if (stream.value_type == ValueType::float32) {
        stream.weights.push_back(weight);
      } else {
        stream.narrow_weights.push_back(to_bfloat16(weight));
      }
      stream.index.push_back(exists ? static_cast<std::uint8_t>(packed.packed_column(position, first_value + j) - first_column) : 0);
    }
  }
}

}  // namespace

std::int64_t RowStream::bytes() const {
  return static_cast<std::int64_t>(weights.size() * 4 + narrow_weights.size() * 2 + index.size() + columns.size() * 4 + output_rows.size() * 4);
}

RowStream make_row_stream(const PackedMatrix& packed) {
  RowStream stream;
  stream.rows = packed.rows;
  stream.cols = packed.cols;
  stream.selection = packed.selection;
  stream.value_type = packed.value_type;
  const std::int64_t m = packed.selection.m;
  stream.column_count = (packed.kept_columns + m - 1) / m * m;
  stream.block_columns = block_columns_limit / m * m;
  stream.output_rows = packed.output_rows;
  const std::int64_t values = packed.rows * (stream.column_count / m * packed.selection.n);
  if (stream.value_type == ValueType::float32) {
    stream.weights.reserve(static_cast<std::size_t>(values));
  } else {
    stream.narrow_weights.reserve(static_cast<std::size_t>(values));
  }
  stream.index.reserve(static_cast<std::size_t>(values));
  for (std::int64_t tile = 0; tile < packed.tiles(); ++tile) {
    const std::uint32_t* columns = packed.tile_columns(tile);
    const std::int64_t list = static_cast<std::int64_t>(stream.columns.size());
    stream.columns.insert(stream.columns.end(), columns, columns + stream.column_count);
    const std::int64_t height = part_height(packed.tile_rows(tile));
    for (std::int64_t first = 0; first < packed.tile_rows(tile); first += height) {
      const StreamTile part{tile * packed.vector + first, std::min(height, packed.tile_rows(tile) - first), list,
                            static_cast<std::int64_t>(stream.index.size())};
      for (std::int64_t column = 0; column < stream.column_count; column += stream.block_columns)
        for (std::int64_t quad = 0; quad * stream_rows < part.row_count; ++quad) append_quad(stream, packed, part, quad, column);
      stream.tiles.push_back(part);
    }
  }
  // Widening reads whole vectors of up to 16 values.
  if (stream.value_type == ValueType::bfloat16) stream.narrow_weights.resize(stream.narrow_weights.size() + 16);
  return stream;
}

}  // namespace hinm::kernels
