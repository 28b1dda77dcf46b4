// The packed product for AVX2: 16 registers hold the sums of 4 rows × 3 vectors.
#include "kernels/cpu/product_kernel.h"

#if defined(HINM_HAS_HIGHWAY) && defined(__AVX2__)
#define HINM_SIMD_NAMESPACE avx2
#define HINM_SIMD_HIGHWAY
#include "kernels/cpu/multiply_add_peak.h"
#include "kernels/cpu/product_column.h"
#include "kernels/cpu/product_panel.h"

namespace hinm::kernels {
const ProductKernel* product_kernel_avx2() {
  static const ProductKernel kernel{"AVX2", avx2::lanes, 3, avx2::dispatch_panel<3>, avx2::run_column, avx2::run_multiply_adds};
  return &kernel;
}
}  // namespace hinm::kernels
#else
namespace hinm::kernels {
const ProductKernel* product_kernel_avx2() { return nullptr; }
}  // namespace hinm::kernels
#endif
