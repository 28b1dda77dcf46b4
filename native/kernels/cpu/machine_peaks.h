// What the machine can do at most, measured: the ceilings of the roofline.
#pragma once

#include <cstdint>

namespace hinm::kernels {

struct MachinePeaks {
  double multiply_add = 0;  ///< float32 fused multiply-adds in registers, FLOP/s on these threads together
  double bandwidth = 0;     ///< reading a buffer of eight times the last-level cache, bytes/s on these threads together
  const char* instruction_set = "";
};

/// The best of five runs each; takes about half a second. One FLOP is a multiplication or an addition.
MachinePeaks measure_peaks(int threads);

}  // namespace hinm::kernels
