// The packed product for AVX-512: 32 registers hold the sums of 4 rows × 4 vectors or 8 rows × 2.
#include "kernels/cpu/product_kernel.h"

#if defined(HINM_HAS_HIGHWAY) && defined(__AVX512F__)
#define HINM_SIMD_NAMESPACE avx512
#define HINM_SIMD_HIGHWAY
#include "kernels/cpu/multiply_add_peak.h"
#include "kernels/cpu/product_column.h"
#include "kernels/cpu/product_panel.h"

namespace hinm::kernels {
const ProductKernel* product_kernel_avx512() {
  static const ProductKernel kernel{"AVX-512", avx512::lanes, 4, avx512::dispatch_panel<4>, avx512::run_column, avx512::run_multiply_adds};
  return &kernel;
}
}  // namespace hinm::kernels
#else
namespace hinm::kernels {
const ProductKernel* product_kernel_avx512() { return nullptr; }
}  // namespace hinm::kernels
#endif
