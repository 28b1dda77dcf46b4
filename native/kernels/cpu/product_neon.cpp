// The packed product for 64-bit ARM.
#include "kernels/cpu/product_kernel.h"

#if defined(HINM_HAS_HIGHWAY) && defined(__aarch64__)
#define HINM_SIMD_NAMESPACE neon
#define HINM_SIMD_HIGHWAY
#include "kernels/cpu/multiply_add_peak.h"
#include "kernels/cpu/product_column.h"
#include "kernels/cpu/product_panel.h"

namespace hinm::kernels {
const ProductKernel* product_kernel_neon() {
  static const ProductKernel kernel{"NEON", neon::lanes, 4, neon::dispatch_panel<4>, neon::run_column, neon::run_multiply_adds};
  return &kernel;
}
}  // namespace hinm::kernels
#else
namespace hinm::kernels {
const ProductKernel* product_kernel_neon() { return nullptr; }
}  // namespace hinm::kernels
#endif
