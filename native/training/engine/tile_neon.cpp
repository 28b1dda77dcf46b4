// The tile for NEON. 32 registers: 8 rows × 2 vectors of sums, two of the panel, one broadcast.
#include "training/engine/tile_kernel.h"

#if defined(HINM_HAS_HIGHWAY) && defined(__aarch64__)
#define HINM_TILE_NAMESPACE neon
namespace hinm::training::neon {
constexpr int tile_rows = 8;
constexpr int tile_vectors = 2;
}  // namespace hinm::training::neon
#include "training/engine/tile_simd.h"

namespace hinm::training {
const TileKernels* tile_kernels_neon() {
  static const TileKernels kernels{"NEON", neon::make_kernel<float>(), neon::make_kernel<double>()};
  return &kernels;
}
}  // namespace hinm::training
#else
namespace hinm::training {
const TileKernels* tile_kernels_neon() { return nullptr; }
}  // namespace hinm::training
#endif
