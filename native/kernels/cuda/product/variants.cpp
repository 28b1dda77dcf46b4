#include "kernels/cuda/product/variants.h"

#include "kernels/cuda/product/mma_product.h"
#include "kernels/cuda/product/warpgroup_product.h"

namespace hinm::cuda {
namespace {

template <MmaShape Shape>
Variant describe(const char* kernel) {
  using Kernel = MmaProduct<Shape>;
  return {kernel, Path::mma, Shape.format, Shape.type, Shape.tile_rows, Shape.block_columns, Kernel::kThreads, Kernel::kSharedBytes};
}

template <WarpgroupShape Shape>
Variant describe(const char* kernel) {
  using Kernel = WarpgroupProduct<Shape>;
  return {kernel, Path::warpgroup, Shape.format, Shape.type, Shape.tile_rows, Shape.block_columns, Kernel::kThreads, Kernel::kSharedBytes};
}

#define HINM_TEXT_OF(name) #name
#define HINM_TEXT(name) HINM_TEXT_OF(name)
#define HINM_DESCRIBE_MMA(format, type, v, n, warps_m, warps_n, stages) \
  describe<MmaShape{Format::format, ValueType::type, v, n, warps_m, warps_n, stages}>(HINM_TEXT(HINM_MMA_KERNEL_NAME(format, type, v, n))),
#define HINM_DESCRIBE_WARPGROUP(format, type, v, n, stages, lag, together) \
  describe<WarpgroupShape{Format::format, ValueType::type, v, n, stages, lag, together}>(HINM_TEXT(HINM_WARPGROUP_KERNEL_NAME(format, type, v, n))),

}  // namespace

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all{HINM_MMA_SHAPES(HINM_DESCRIBE_MMA, bf16) HINM_MMA_SHAPES(HINM_DESCRIBE_MMA, f16)
                                            HINM_WARPGROUP_SHAPES(HINM_DESCRIBE_WARPGROUP, bf16) HINM_WARPGROUP_SHAPES(HINM_DESCRIBE_WARPGROUP, f16)};
  return all;
}

}  // namespace hinm::cuda
