// What the machine can do at most, measured: the ceilings of the roofline.
#pragma once

#include <cstdint>

namespace hinm::kernels {

struct MachinePeaks {
  double multiply_add = 0;  ///< float32 fused multiply-adds in registers, FLOP/s on these threads together
  double bandwidth = 0;     ///< reading a buffer of four times the last-level cache, bytes/s on these threads together
  const char* instruction_set = "";
};

/// The arithmetic peak, the best of five runs; takes milliseconds. One FLOP is a multiplication or an addition.
double measure_multiply_adds(int threads);

/// Both, with the best of three readings of memory; takes a few tenths of a second.
MachinePeaks measure_peaks(int threads);

}  // namespace hinm::kernels
