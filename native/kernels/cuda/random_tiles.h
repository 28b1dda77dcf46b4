// Random pruned weights and activations for tests and for the check on a device.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "kernels/cuda/sparse_tiles.h"

namespace hinm::cuda {

struct RandomTilesSpec {
  Format format = Format::hinm;
  std::int32_t rows = 0;
  std::int32_t cols = 0;
  std::int32_t tile_rows = 0;
  std::int32_t kept = 0;       ///< ignored for two_four
  bool whole_eighths = false;  ///< values are non-zero multiples of 1/8 up to 2: every sum is exact in float32
};

/// Kept columns and output rows in random order; values standard normal, or multiples of 1/8.
SparseTiles random_tiles(const RandomTilesSpec& spec, std::uint64_t seed);

/// cols×n activations of the same kind.
std::vector<float> random_activations(std::int32_t cols, std::int32_t n, bool whole_eighths, std::uint64_t seed);

}  // namespace hinm::cuda
