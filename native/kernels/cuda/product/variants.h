// The product kernels that are built: one list, read by the device build, the emulator and the launch planner.
//
// Macros, because a kernel's name must be a token: each entry makes an extern "C" function such as
// hinm_mma_hinm_bf16_v64_n128. Tile shapes: V, activation columns of a block, warps (M × N), stages. A warp multiplies
// 64×64 where it can, because then each activation fragment that is read from shared memory feeds four row fragments.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/cuda/number_formats.h"
#include "kernels/cuda/product/product_arguments.h"

#define HINM_MMA_SHAPES(ENTRY, type)      \
  ENTRY(hinm, type, 16, 64, 1, 2, 4)      \
  ENTRY(hinm, type, 32, 128, 1, 4, 4)     \
  ENTRY(hinm, type, 64, 16, 4, 1, 8)      \
  ENTRY(hinm, type, 64, 64, 1, 2, 4)      \
  ENTRY(hinm, type, 64, 128, 1, 2, 4)     \
  ENTRY(hinm, type, 64, 256, 1, 4, 3)     \
  ENTRY(hinm, type, 128, 16, 4, 1, 6)     \
  ENTRY(hinm, type, 128, 64, 2, 1, 4)     \
  ENTRY(hinm, type, 128, 128, 2, 2, 4)    \
  ENTRY(hinm, type, 128, 256, 2, 4, 3)    \
  ENTRY(two_four, type, 128, 16, 4, 1, 6) \
  ENTRY(two_four, type, 128, 128, 2, 2, 4) \
  ENTRY(vector, type, 64, 16, 4, 1, 6)    \
  ENTRY(vector, type, 64, 128, 1, 2, 3)   \
  ENTRY(vector, type, 128, 128, 2, 2, 3)

/// Hopper: V, columns of a block, stages, lag of the signal, blocks together on a multiprocessor.
#define HINM_WARPGROUP_SHAPES(ENTRY, type) \
  ENTRY(hinm, type, 64, 128, 4, 2, 2)      \
  ENTRY(hinm, type, 64, 256, 5, 2, 1)      \
  ENTRY(hinm, type, 128, 128, 7, 3, 1)     \
  ENTRY(hinm, type, 128, 256, 5, 2, 1)     \
  ENTRY(two_four, type, 128, 256, 5, 2, 1) \
  ENTRY(vector, type, 128, 256, 4, 2, 1)

#define HINM_MMA_KERNEL_NAME(format, type, v, n) hinm_mma_##format##_##type##_v##v##_n##n
#define HINM_WARPGROUP_KERNEL_NAME(format, type, v, n) hinm_wgmma_##format##_##type##_v##v##_n##n

namespace hinm::cuda {

enum class Path : std::uint8_t { mma, warpgroup };

/// One built kernel and what launching it takes.
struct Variant {
  std::string kernel;
  Path path;
  Format format;
  ValueType type;
  int tile_rows;      ///< V of the device tile
  int block_columns;  ///< activation columns of a block
  int threads;
  int shared_bytes;
};

/// All kernels in this build, whether or not nvcc compiled them.
const std::vector<Variant>& variants();

}  // namespace hinm::cuda
