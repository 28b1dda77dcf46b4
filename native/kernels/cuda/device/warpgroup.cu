// Entry points of the Hopper products. Compiled for sm_90a alone, in a fatbin of their own: a kernel of this kind also
// compiles for plain sm_90, to one that writes nothing, so a wrong device must fail at load.
#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
#error "warpgroup.cu is for -gencode=arch=compute_90a,code=sm_90a only"
#endif
#include "kernels/cuda/product/variants.h"
#include "kernels/cuda/product/warpgroup_product.h"

#define HINM_WARPGROUP_ENTRY(format, type, v, n, stages, lag, together)                                                        \
  extern "C" __global__ void __launch_bounds__(128 * (1 + v / 64), together)                                                   \
      HINM_WARPGROUP_KERNEL_NAME(format, type, v, n)(const __grid_constant__ hinm::cuda::ProductArguments arguments) {         \
    hinm::cuda::WarpgroupProduct<hinm::cuda::WarpgroupShape{hinm::cuda::Format::format, hinm::cuda::ValueType::type, v, n,     \
                                                            stages, lag, together}>::run(arguments);                          \
  }

HINM_WARPGROUP_SHAPES(HINM_WARPGROUP_ENTRY, bf16)
HINM_WARPGROUP_SHAPES(HINM_WARPGROUP_ENTRY, f16)
