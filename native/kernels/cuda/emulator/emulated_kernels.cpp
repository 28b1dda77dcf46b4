#include "kernels/cuda/emulator/emulated_kernels.h"

#include <unordered_map>

#include "kernels/cuda/product/gather_probe.h"
#include "kernels/cuda/product/mma_product.h"
#include "kernels/cuda/product/reference_product.h"
#include "kernels/cuda/product/variants.h"
#include "kernels/cuda/product/warpgroup_product.h"

namespace hinm::simt {
namespace {

using namespace hinm::cuda;

template <class Kernel, class Arguments>
std::function<void()> bind(const void* const* parameters) {
  return [arguments = *static_cast<const Arguments*>(parameters[0])] { Kernel::run(arguments); };
}

#define HINM_TEXT_OF(name) #name
#define HINM_TEXT(name) HINM_TEXT_OF(name)
#define HINM_MMA(format, type, v, n, warps_m, warps_n, stages)   \
  {HINM_TEXT(HINM_MMA_KERNEL_NAME(format, type, v, n)),          \
   bind<MmaProduct<MmaShape{Format::format, ValueType::type, v, n, warps_m, warps_n, stages}>, ProductArguments>},
#define HINM_WARPGROUP(format, type, v, n, stages, lag, together)        \
  {HINM_TEXT(HINM_WARPGROUP_KERNEL_NAME(format, type, v, n)),            \
   bind<WarpgroupProduct<WarpgroupShape{Format::format, ValueType::type, v, n, stages, lag, together}>, ProductArguments>},

const std::unordered_map<std::string, EmulatedKernel> kernels{
    HINM_MMA_SHAPES(HINM_MMA, bf16) HINM_MMA_SHAPES(HINM_MMA, f16) HINM_WARPGROUP_SHAPES(HINM_WARPGROUP, bf16)
        HINM_WARPGROUP_SHAPES(HINM_WARPGROUP, f16){"hinm_reference_bf16", bind<ReferenceProduct<ValueType::bf16>, ReferenceArguments>},
    {"hinm_reference_f16", bind<ReferenceProduct<ValueType::f16>, ReferenceArguments>},
    {"hinm_gather_256", bind<GatherProbe<256>, GatherArguments>},
    {"hinm_gather_512", bind<GatherProbe<512>, GatherArguments>},
};

}  // namespace

EmulatedKernel find_emulated_kernel(const std::string& name) {
  const auto found = kernels.find(name);
  return found == kernels.end() ? nullptr : found->second;
}

}  // namespace hinm::simt
