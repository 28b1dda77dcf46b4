// The tile for AVX-512. 32 registers: 8 rows × 2 vectors of sums, two of the panel, one broadcast.
#include "training/engine/tile_kernel.h"

#if defined(HINM_HAS_HIGHWAY) && defined(__AVX512F__)
#define HINM_TILE_NAMESPACE avx512
namespace hinm::training::avx512 {
constexpr int tile_rows = 8;
constexpr int tile_vectors = 2;
}  // namespace hinm::training::avx512
#include "training/engine/tile_simd.h"

namespace hinm::training {
const TileKernels* tile_kernels_avx512() {
  static const TileKernels kernels{"AVX-512", avx512::make_kernel<float>(), avx512::make_kernel<double>()};
  return &kernels;
}
}  // namespace hinm::training
#else
namespace hinm::training {
const TileKernels* tile_kernels_avx512() { return nullptr; }
}  // namespace hinm::training
#endif
