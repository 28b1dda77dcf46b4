#include "kernels/cuda/device_packing.h"

#include <doctest/doctest.h>

#include <limits>

#include "kernels/cuda/random_tiles.h"

using namespace hinm;
using namespace hinm::cuda;

namespace {

/// One tile of 16 rows and 64 kept columns; value i of row r is 32r + i (exact in f16), every pair selects 1 and 3.
SparseTiles counted_tiles() {
  SparseTiles tiles;
  tiles.rows = tiles.tile_rows = 16;
  tiles.cols = tiles.kept = 64;
  for (int i = 0; i < 64; ++i) tiles.columns.push_back(63 - i);
  for (int row = 0; row < 16; ++row) tiles.output_row.push_back(row);
  for (int i = 0; i < 16 * 32; ++i) {
    tiles.values.push_back(static_cast<float>(i));
    tiles.selection.push_back(i % 2 == 0 ? 1 : 3);
  }
  return tiles;
}

std::string pack_error(const SparseTiles& tiles, ValueType type = ValueType::bf16, std::int32_t height = 16) {
  const Result<DevicePacking> packed = pack_for_device(tiles, type, height);
  return packed.ok() ? "" : packed.error().message;
}

}  // namespace

TEST_CASE("values lie where the lanes take them") {
  const Result<DevicePacking> packed = pack_for_device(counted_tiles(), ValueType::f16, 16);
  REQUIRE(packed.ok());
  const std::vector<std::uint16_t>& values = packed.value().values;
  REQUIRE(values.size() == 16 * 32);
  // Lane 4g+t of half h: registers 0 and 1 hold stored columns 16h+2t, +1 of rows g and g+8, registers 2 and 3 those 8 further.
  const int g = 5, t = 2, half = 1;
  const std::size_t lane = static_cast<std::size_t>(half * 32 + g * 4 + t) * 8;
  const int expected[8] = {32 * g + 16 + 4, 32 * g + 16 + 5, 32 * (g + 8) + 16 + 4, 32 * (g + 8) + 16 + 5,
                           32 * g + 24 + 4, 32 * g + 24 + 5, 32 * (g + 8) + 24 + 4, 32 * (g + 8) + 24 + 5};
  for (std::size_t i = 0; i < 8; ++i) CHECK(from_f16(values[lane + i]) == static_cast<float>(expected[i]));
  // Indexes 1 and 3 are the nibble 1 | 3 << 2 = 0xd in every group.
  for (const std::uint32_t word : packed.value().metadata) CHECK(word == 0xddddddddu);
  CHECK(packed.value().columns == counted_tiles().columns);
}

TEST_CASE("padding is zeros with valid metadata and no column") {
  SparseTiles tiles = counted_tiles();
  // 60 of 64 columns: the last group of four is padding.
  tiles.kept = 60;
  tiles.columns.resize(60);
  tiles.values.resize(16 * 30);
  tiles.selection.resize(16 * 30);
  const Result<DevicePacking> packed = pack_for_device(tiles, ValueType::f16, 16);
  REQUIRE(packed.ok());
  CHECK(packed.value().steps == 1);
  for (int i = 60; i < 64; ++i) CHECK(packed.value().columns[static_cast<std::size_t>(i)] == -1);
  // Group 15 is the last nibble of lanes 4g+3, in both halves of the word.
  for (std::size_t g = 0; g < 8; ++g) {
    CHECK((packed.value().metadata[g * 4 + 3] >> 12 & 15) == 4);
    CHECK((packed.value().metadata[g * 4 + 3] >> 28) == 4);
  }
}

TEST_CASE("tiles are cut or padded to the heights that kernels have") {
  const auto heights = [](Format format, std::int32_t vector) { return device_tile_heights(random_tiles({format, 300, 64, vector, 32, false}, 1)); };
  CHECK(heights(Format::hinm, 128) == std::vector<std::int32_t>{128, 64, 32, 16});
  CHECK(heights(Format::hinm, 48) == std::vector<std::int32_t>{16});
  CHECK(heights(Format::hinm, 4) == std::vector<std::int32_t>{16});
  CHECK(heights(Format::hinm, 24).empty());
  CHECK(heights(Format::two_four, 64) == std::vector<std::int32_t>{128});
  // Two tiles of 48 rows become six of 16 with their columns repeated; tiles of 4 rows become 16 with 12 rows of padding.
  const Result<DevicePacking> cut = pack_for_device(random_tiles({Format::hinm, 96, 64, 48, 32, false}, 1), ValueType::bf16, 16);
  REQUIRE(cut.ok());
  CHECK(cut.value().tiles == 6);
  CHECK(cut.value().columns[0] == cut.value().columns[64]);
  const Result<DevicePacking> padded = pack_for_device(random_tiles({Format::hinm, 8, 64, 4, 32, false}, 1), ValueType::bf16, 16);
  REQUIRE(padded.ok());
  CHECK(padded.value().tiles == 2);
  for (std::size_t row = 4; row < 16; ++row) CHECK(padded.value().output_row[row] == -1);
}

TEST_CASE("a description that does not add up is refused in one sentence") {
  SparseTiles tiles = counted_tiles();
  tiles.columns[3] = 64;
  CHECK(pack_error(tiles) == "The packed weights name column 64; columns run from 0 to 63, −1 is padding.");
  tiles = counted_tiles();
  tiles.output_row[3] = 4;
  CHECK(pack_error(tiles) == "The packed weights write output row 4 twice or outside 0 to 15.");
  tiles = counted_tiles();
  tiles.output_row[3] = -1;
  CHECK(pack_error(tiles) == "The packed weights write 15 of 16 output rows.");
  tiles = counted_tiles();
  tiles.selection[0] = 3;
  CHECK(pack_error(tiles) == "The packed weights select positions 3 and 3 of a group of four; they must be two of 0 to 3 in ascending order.");
  tiles = counted_tiles();
  tiles.values.pop_back();
  CHECK(pack_error(tiles) == "The packed weights have 511 values; their shape needs 512.");
  tiles = counted_tiles();
  tiles.kept = 62;
  CHECK(pack_error(tiles) == "The packed weights keep 62 columns a tile; 2:4 needs a multiple of 4.");
  tiles = counted_tiles();
  tiles.rows = 0;
  CHECK(pack_error(tiles).find("all four must be positive") != std::string::npos);
  CHECK(pack_error(counted_tiles(), ValueType::bf16, 64).find("cannot be packed to device tiles of 64 rows") != std::string::npos);
}

TEST_CASE("weights that the type cannot hold are refused") {
  SparseTiles tiles = counted_tiles();
  tiles.values[0] = 70000.0f;
  CHECK(pack_error(tiles, ValueType::f16).find("does not fit float16, whose largest value is 65504; choose bfloat16.") != std::string::npos);
  CHECK(pack_error(tiles, ValueType::bf16) == "");
  tiles.values[0] = std::numeric_limits<float>::quiet_NaN();
  CHECK(pack_error(tiles, ValueType::bf16).find("is not a finite number") != std::string::npos);
}
