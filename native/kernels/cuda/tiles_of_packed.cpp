#include "kernels/cuda/tiles_of_packed.h"

#include <string>

namespace hinm::cuda {
namespace {

constexpr int kGroup = 4;

struct Slot {
  std::uint8_t position;
  float value;
};

/// The one or two kept weights of a group of four as an ascending pair; a missing weight is a zero in a free position.
void add_pair(SparseTiles& tiles, const Slot* kept, int count) {
  Slot pair[2] = {{0, 0.0f}, {1, 0.0f}};
  if (count == 2) {
    pair[0] = kept[0];
    pair[1] = kept[1];
  } else if (count == 1) {
    const std::uint8_t position = kept[0].position;
    pair[0] = position == kGroup - 1 ? Slot{kGroup - 2, 0.0f} : kept[0];
    pair[1] = position == kGroup - 1 ? kept[0] : Slot{static_cast<std::uint8_t>(position + 1), 0.0f};
  }
  for (const Slot& slot : pair) {
    tiles.values.push_back(slot.value);
    tiles.selection.push_back(slot.position);
  }
}

void add_sparse_row(SparseTiles& tiles, const kernels::PackedMatrix& packed, std::int64_t position) {
  const int n = packed.selection.n;
  for (std::int64_t group = 0; group < packed.groups(); ++group) {
    Slot kept[2] = {};
    for (int i = 0; i < n; ++i) {
      const std::int64_t index = group * n + i;
      kept[i] = {static_cast<std::uint8_t>(packed.packed_column(position, index) % kGroup), packed.row_values(position)[index]};
    }
    add_pair(tiles, kept, n);
  }
}

}  // namespace

Result<SparseTiles> tiles_of(const kernels::PackedMatrix& packed) {
  const bool dense_inside = packed.selection.n == packed.selection.m;
  if (!dense_inside && (packed.selection.m != kGroup || packed.selection.n > 2)) {
    return invalid_argument("There is no GPU kernel for " + std::to_string(packed.selection.n) + ":" + std::to_string(packed.selection.m) +
                            " inside the kept columns; 2:4, 1:4 and whole vectors have one.");
  }
  SparseTiles tiles;
  tiles.format = dense_inside ? Format::vector : Format::hinm;
  tiles.rows = static_cast<std::int32_t>(packed.rows);
  tiles.cols = static_cast<std::int32_t>(packed.cols);
  tiles.tile_rows = static_cast<std::int32_t>(packed.vector);
  tiles.kept = static_cast<std::int32_t>(packed.padded_columns);
  for (const std::uint32_t column : packed.columns) tiles.columns.push_back(column == kernels::no_column ? -1 : static_cast<std::int32_t>(column));
  for (std::int64_t position = 0; position < packed.rows; ++position) {
    tiles.output_row.push_back(static_cast<std::int32_t>(packed.output_rows[static_cast<std::size_t>(position)]));
    if (dense_inside) {
      tiles.values.insert(tiles.values.end(), packed.row_values(position), packed.row_values(position) + packed.values_per_row());
    } else {
      add_sparse_row(tiles, packed, position);
    }
  }
  // The last tile may be shorter than V: rows of zeros that nobody writes.
  const std::int64_t padded_rows = packed.tiles() * packed.vector;
  for (std::int64_t position = packed.rows; position < padded_rows; ++position) {
    tiles.output_row.push_back(-1);
    if (dense_inside) {
      tiles.values.insert(tiles.values.end(), static_cast<std::size_t>(tiles.kept), 0.0f);
    } else {
      for (std::int32_t group = 0; group < tiles.kept / kGroup; ++group) add_pair(tiles, nullptr, 0);
    }
  }
  if (Status fine = check(tiles); !fine.ok()) return fine.error();
  return tiles;
}

}  // namespace hinm::cuda
