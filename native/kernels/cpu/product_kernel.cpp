#include "kernels/cpu/product_kernel.h"

#include "device/cpu_features.h"

namespace hinm::kernels {

const ProductKernel& best_product_kernel() {
  const device::CpuFeatures& features = device::cpu_features();
  if (features.avx512 && product_kernel_avx512() != nullptr) return *product_kernel_avx512();
  if (features.avx2 && product_kernel_avx2() != nullptr) return *product_kernel_avx2();
  if (features.neon && product_kernel_neon() != nullptr) return *product_kernel_neon();
  return *product_kernel_plain();
}

}  // namespace hinm::kernels
