#include "kernels/cuda/device_packing.h"

#include <algorithm>
#include <cmath>
#include <string>


namespace hinm::cuda {
namespace {

constexpr std::int32_t kFragmentRows = 16;
constexpr std::int32_t kLanes = 32;

/// Where the packed arrays hold row `row` of device tile `tile`.
struct Position {
  const DevicePacking& packing;

  std::size_t fragment(std::int32_t tile, std::int32_t step, std::int32_t row) const {
    const std::int64_t fragments = packing.tile_rows / kFragmentRows;
    return static_cast<std::size_t>((static_cast<std::int64_t>(tile) * packing.steps + step) * fragments + row / kFragmentRows);
  }
  /// `stored` counts the stored columns of a step: 0–31 with 2:4, 0–63 dense inside.
  std::size_t value(std::int32_t tile, std::int32_t row, std::int32_t step, std::int32_t stored) const {
    const std::size_t blocks = packing.format == Format::vector ? 4 : 2;
    const std::int32_t in_block = stored % 16;
    const std::int32_t lane = row % 8 * 4 + in_block % 8 / 2;
    const std::int32_t reg = in_block / 8 * 2 + row % 16 / 8;
    const std::size_t block = fragment(tile, step, row) * blocks + static_cast<std::size_t>(stored / 16);
    return (block * kLanes + static_cast<std::size_t>(lane)) * 8 + static_cast<std::size_t>(reg * 2 + in_block % 2);
  }
  /// `group` counts the groups of four logical columns of a step, 0–15.
  std::size_t metadata(std::int32_t tile, std::int32_t row, std::int32_t step, std::int32_t group) const {
    const std::int32_t lane = row % 8 * 4 + group / 4;
    return fragment(tile, step, row) * kLanes + static_cast<std::size_t>(lane);
  }
  static int metadata_shift(std::int32_t row, std::int32_t group) { return row % 16 / 8 * 16 + group % 4 * 4; }
};

/// Output row and source row of every device row. Tiles of the description are cut, or padded, to device tiles.
struct RowMap {
  std::vector<std::int32_t> source;  ///< index into the description's tile rows, −1 is padding
  std::int32_t per_source_tile;      ///< device tiles that share one tile's columns
};

RowMap map_rows(const SparseTiles& tiles, std::int32_t tile_rows) {
  const auto described = static_cast<std::int32_t>(tiles.output_row.size());
  RowMap map;
  const std::int32_t height = tiles.format == Format::two_four ? described : tiles.tile_rows;
  const std::int32_t padded = (height + tile_rows - 1) / tile_rows * tile_rows;
  map.per_source_tile = padded / tile_rows;
  for (std::int32_t first = 0; first < described; first += height) {
    for (std::int32_t row = 0; row < padded; ++row) map.source.push_back(row < height ? first + row : -1);
  }
  return map;
}

Status store_values(const SparseTiles& tiles, const RowMap& map, DevicePacking& packing) {
  const Position at{packing};
  const std::int32_t per_row = tiles.values_per_row();
  const std::int32_t per_step = packing.format == Format::vector ? kStepColumns : kStepColumns / 2;
  for (std::size_t device_row = 0; device_row < map.source.size(); ++device_row) {
    const std::int32_t source = map.source[device_row];
    if (source < 0) continue;
    const auto tile = static_cast<std::int32_t>(device_row) / packing.tile_rows;
    const auto row = static_cast<std::int32_t>(device_row) % packing.tile_rows;
    const std::size_t first = static_cast<std::size_t>(source) * static_cast<std::size_t>(per_row);
    for (std::int32_t i = 0; i < per_row; ++i) {
      const float value = tiles.values[first + static_cast<std::size_t>(i)];
      const std::uint16_t bits = encode(packing.type, value);
      if (!std::isfinite(decode(packing.type, bits))) {
        return not_finite("The weight " + std::to_string(value) + " of output row " + std::to_string(tiles.output_row[static_cast<std::size_t>(source)]) +
                          (packing.type == ValueType::f16 ? " does not fit float16, whose largest value is 65504; choose bfloat16."
                                                          : " is not a finite number; the layer cannot be multiplied."));
      }
      packing.values[at.value(tile, row, i / per_step, i % per_step)] = bits;
    }
    if (!tiles.sparse()) continue;
    for (std::int32_t group = 0; group < tiles.kept / 4; ++group) {
      const std::uint8_t* pair = &tiles.selection[first + static_cast<std::size_t>(group) * 2];
      const std::int32_t in_step = group % (kStepColumns / 4);
      std::uint32_t& word = packing.metadata[at.metadata(tile, row, group / (kStepColumns / 4), in_step)];
      const int shift = Position::metadata_shift(row, in_step);
      word = (word & ~(15u << shift)) | static_cast<std::uint32_t>(pair[0] | pair[1] << 2) << shift;
    }
  }
  return success();
}

}  // namespace

std::vector<std::int32_t> device_tile_heights(const SparseTiles& tiles) {
  if (tiles.format == Format::two_four) return {128};
  if (tiles.tile_rows < kFragmentRows) return {kFragmentRows};
  std::vector<std::int32_t> heights;
  for (const std::int32_t height : {128, 64, 32, 16}) {
    if (tiles.tile_rows % height == 0) heights.push_back(height);
  }
  return heights;
}

Result<DevicePacking> pack_for_device(const SparseTiles& tiles, ValueType type, std::int32_t tile_rows) {
  if (Status fine = check(tiles); !fine.ok()) return fine.error();
  const std::vector<std::int32_t> heights = device_tile_heights(tiles);
  if (std::find(heights.begin(), heights.end(), tile_rows) == heights.end()) {
    return invalid_argument("Tiles of " + std::to_string(tiles.tile_rows) + " rows cannot be packed to device tiles of " + std::to_string(tile_rows) +
                            " rows; V must be below 16 or a multiple of 16, and the device tile one of 16, 32, 64 and 128 that divides it.");
  }
  const RowMap map = map_rows(tiles, tile_rows);
  DevicePacking packing;
  packing.format = tiles.format;
  packing.type = type;
  packing.rows = tiles.rows;
  packing.cols = tiles.cols;
  packing.tile_rows = tile_rows;
  packing.tiles = static_cast<std::int32_t>(map.source.size()) / tile_rows;
  packing.steps = (tiles.kept + kStepColumns - 1) / kStepColumns;
  const std::size_t elements = map.source.size() * static_cast<std::size_t>(packing.steps) * kStepColumns;
  packing.values.assign(tiles.sparse() ? elements / 2 : elements, 0);
  if (tiles.sparse()) packing.metadata.assign(elements / 32, kPaddingMetadata);
  for (const std::int32_t source : map.source) packing.output_row.push_back(source < 0 ? -1 : tiles.output_row[static_cast<std::size_t>(source)]);
  if (tiles.format != Format::two_four) {
    const std::size_t padded = static_cast<std::size_t>(packing.steps) * kStepColumns;
    packing.columns.assign(static_cast<std::size_t>(packing.tiles) * padded, -1);
    for (std::int32_t tile = 0; tile < packing.tiles; ++tile) {
      const auto source = tiles.columns.begin() + static_cast<std::ptrdiff_t>(tile / map.per_source_tile) * tiles.kept;
      std::copy(source, source + tiles.kept, packing.columns.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(tile) * padded));
    }
  }
  if (Status stored = store_values(tiles, map, packing); !stored.ok()) return stored.error();
  return packing;
}

}  // namespace hinm::cuda
