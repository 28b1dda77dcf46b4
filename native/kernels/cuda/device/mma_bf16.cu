// Entry points of the mma.sp products on bf16.
#include "kernels/cuda/product/mma_product.h"
#include "kernels/cuda/product/variants.h"

#define HINM_MMA_ENTRY(format, type, v, n, warps_m, warps_n, stages)                                                          \
  extern "C" __global__ void __launch_bounds__(32 * warps_m * warps_n)                                                        \
      HINM_MMA_KERNEL_NAME(format, type, v, n)(const __grid_constant__ hinm::cuda::ProductArguments arguments) {              \
    hinm::cuda::MmaProduct<hinm::cuda::MmaShape{hinm::cuda::Format::format, hinm::cuda::ValueType::type, v, n, warps_m, warps_n, \
                                                stages}>::run(arguments);                                                     \
  }

HINM_MMA_SHAPES(HINM_MMA_ENTRY, bf16)
