// Runs one product kernel in the emulator and compares it with the host's float64.
#pragma once

#include <string>
#include <vector>

#include "kernels/cuda/emulator/machine.h"
#include "kernels/cuda/product/variants.h"
#include "kernels/cuda/sparse_tiles.h"

namespace hinm::cuda {

/// A fault in the packed data instead of the machine.
enum class PackingFault { none, unordered_metadata, swapped_halves, neighbour_column, real_row_as_padding, wrong_output_row };

struct EmulationOptions {
  int parts = 1;  ///< split-K
  Activation activation = Activation::none;
  bool bias = false;
  bool output_16bit = false;
  std::uint32_t seed = 1;
  simt::Fault fault = simt::Fault::none;
  PackingFault packing_fault = PackingFault::none;
  int missing_shared_bytes = 0;  ///< launches with so much less than the kernel needs
  bool poison_unused_rows = false;  ///< infinity in the activation rows that no tile keeps
};

struct EmulationOutcome {
  std::string fault;  ///< what the machine stopped for, empty when it ran to the end
  simt::Counters counters;
  double relative_error = 0;  ///< ‖Y − Y_ref‖ / ‖Y_ref‖; infinite when an element is not finite or was not written
  bool wrote_outside = false; ///< something beside the N columns of Y changed
  std::vector<float> y;       ///< [M][N]
};

EmulationOutcome emulate(const Variant& variant, const SparseTiles& tiles, std::int32_t n, const std::vector<float>& x, const EmulationOptions& options = {});

}  // namespace hinm::cuda
