// The packed product in plain C++: what runs where no instruction set above the compiler's baseline is known.
#define HINM_SIMD_NAMESPACE plain
#include "kernels/cpu/multiply_add_peak.h"
#include "kernels/cpu/product_column.h"
#include "kernels/cpu/product_panel.h"

namespace hinm::kernels {
const ProductKernel* product_kernel_plain() {
  static const ProductKernel kernel{"plain C++", plain::lanes, 2, plain::dispatch_panel<2>, plain::run_column, plain::run_multiply_adds};
  return &kernel;
}
}  // namespace hinm::kernels
