// Entry points of the correctness-first products and of the probes.
#include "kernels/cuda/product/gather_probe.h"
#include "kernels/cuda/product/reference_product.h"

extern "C" __global__ void __launch_bounds__(128) hinm_reference_bf16(const __grid_constant__ hinm::cuda::ReferenceArguments arguments) {
  hinm::cuda::ReferenceProduct<hinm::cuda::ValueType::bf16>::run(arguments);
}
extern "C" __global__ void __launch_bounds__(128) hinm_reference_f16(const __grid_constant__ hinm::cuda::ReferenceArguments arguments) {
  hinm::cuda::ReferenceProduct<hinm::cuda::ValueType::f16>::run(arguments);
}
extern "C" __global__ void __launch_bounds__(128) hinm_gather_256(const __grid_constant__ hinm::cuda::GatherArguments arguments) {
  hinm::cuda::GatherProbe<256>::run(arguments);
}
extern "C" __global__ void __launch_bounds__(128) hinm_gather_512(const __grid_constant__ hinm::cuda::GatherArguments arguments) {
  hinm::cuda::GatherProbe<512>::run(arguments);
}
