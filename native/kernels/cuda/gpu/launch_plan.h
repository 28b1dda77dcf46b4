// Which kernel multiplies a given product on a given device, and how its work is divided.
#pragma once

#include <string>
#include <vector>

#include "device/cuda/device_list.h"
#include "kernels/cuda/product/variants.h"
#include "kernels/cuda/sparse_tiles.h"

namespace hinm::cuda {

struct LaunchPlan {
  const Variant* variant = nullptr;
  int tiles = 0;
  int steps = 0;
  int blocks = 0;  ///< of activation columns
  int parts = 1;   ///< split-K

  /// Kernel and split, e.g. "hinm_mma_hinm_bf16_v64_n128 ×4".
  std::string name() const { return parts == 1 ? variant->kernel : variant->kernel + " ×" + std::to_string(parts); }
  /// Bytes of partial sums that a split product needs.
  std::size_t workspace_bytes() const;
};

/// Every plan worth trying for Y = W·X with n columns, the likeliest first; tuning times them all. A split is tried where
/// tiles × blocks leave multiprocessors idle, with at least four steps of 64 columns in each part. Empty when no kernel
/// serves this V or fits this device.
std::vector<LaunchPlan> launch_plans(const SparseTiles& tiles, ValueType type, std::int32_t n, const DeviceLimits& limits);

}  // namespace hinm::cuda
