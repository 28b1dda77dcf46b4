// Weights in the order in which the tensor cores take them: every lane's four A registers are one 16-byte load.
//
//   values    [tile][step of 64][V/16][2 halves of 32 columns][32 lanes][8 values]          with 2:4
//             [tile][step of 64][V/16][4 blocks of 16 columns][32 lanes][8 values]          dense inside
//   metadata  [tile][step of 64][V/16][32 lanes] 32-bit words: lanes 4g and 4g+1 describe the first half, 4g+2 and 4g+3 the
//             second; low 16 bits row g, high 16 bits row g+8; four bits for each group of four columns
//   columns   [tile][steps·64], −1 is padding (copied as zeros, never as a real row: 0·∞ is NaN)
//   rows      [tile][V] output row, −1 is padding
//
// Lane 4g+t holds rows g (registers 0, 2) and g+8 (1, 3) and, of each 16 stored columns, 2t, 2t+1 (0, 1) and 2t+8, 2t+9
// (2, 3). The same packing serves mma.sp.m16n8k32 and wgmma.sp m64nNk32: warp w of a warpgroup owns rows 16w to 16w+15.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "kernels/cuda/number_formats.h"
#include "kernels/cuda/sparse_tiles.h"

namespace hinm::cuda {

/// Metadata of a padded group of four: indexes 0 and 1. Zero would be a pair that is not in order, which is undefined.
inline constexpr std::uint32_t kPaddingMetadata = 0x44444444u;

struct DevicePacking {
  Format format = Format::hinm;
  ValueType type = ValueType::bf16;
  std::int32_t rows = 0;
  std::int32_t cols = 0;
  std::int32_t tile_rows = 0;  ///< V of the device tile: 16, 32, 64 or 128
  std::int32_t tiles = 0;
  std::int32_t steps = 0;      ///< of 64 logical columns
  std::vector<std::uint16_t> values;
  std::vector<std::uint32_t> metadata;
  std::vector<std::int32_t> columns;
  std::vector<std::int32_t> output_row;

  /// Bytes that lie in device memory.
  std::int64_t bytes() const {
    return static_cast<std::int64_t>(values.size() * 2 + metadata.size() * 4 + columns.size() * 4 + output_row.size() * 4);
  }
};

/// Device tile heights that a description can be packed to, the preferred first: divisors of its V, or 16 with padded rows
/// where V is smaller. Plain 2:4 has no columns of its own and takes 128. Empty when V is above 16 and no multiple of it.
std::vector<std::int32_t> device_tile_heights(const SparseTiles& tiles);

/// @param tile_rows one of device_tile_heights.
/// Fails with INVALID_ARGUMENT when the description is inconsistent, or a value does not fit the type (f16: 65504).
Result<DevicePacking> pack_for_device(const SparseTiles& tiles, ValueType type, std::int32_t tile_rows);

}  // namespace hinm::cuda
