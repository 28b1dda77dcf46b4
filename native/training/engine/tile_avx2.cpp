// The tile for AVX2. 16 registers: 6 rows × 2 vectors of sums, two of the panel, one broadcast.
#include "training/engine/tile_kernel.h"

#if defined(HINM_HAS_HIGHWAY) && defined(__AVX2__)
#define HINM_TILE_NAMESPACE avx2
namespace hinm::training::avx2 {
constexpr int tile_rows = 6;
constexpr int tile_vectors = 2;
}  // namespace hinm::training::avx2
#include "training/engine/tile_simd.h"

namespace hinm::training {
const TileKernels* tile_kernels_avx2() {
  static const TileKernels kernels{"AVX2", avx2::make_kernel<float>(), avx2::make_kernel<double>()};
  return &kernels;
}
}  // namespace hinm::training
#else
namespace hinm::training {
const TileKernels* tile_kernels_avx2() { return nullptr; }
}  // namespace hinm::training
#endif
