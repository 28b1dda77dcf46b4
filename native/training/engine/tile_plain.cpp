// The tile in plain C++: always there, and what the SIMD tiles are compared with.
#include "training/engine/tile_kernel.h"

namespace hinm::training {
namespace {

constexpr int rows = 4;
constexpr int width = 8;

template <class T>
void run(int row_count, const TileArguments<T>& t) {
  T sums[rows][width] = {};
  for (std::int64_t k = 0; k < t.depth; ++k) {
    for (int r = 0; r < row_count; ++r) {
      const T x = t.a[r * t.a_row_step + k * t.a_depth_step];
      for (int c = 0; c < width; ++c) sums[r][c] += x * t.panel[k * width + c];
    }
  }
  for (int r = 0; r < row_count; ++r) {
    T* to = t.result + r * t.result_stride;
    for (std::int64_t c = 0; c < t.columns; ++c) to[c] = t.accumulate ? to[c] + sums[r][c] : sums[r][c];
  }
}

}  // namespace

const TileKernels* tile_kernels_plain() {
  static const TileKernels kernels{"plain", {rows, width, run<float>}, {rows, width, run<double>}};
  return &kernels;
}

}  // namespace hinm::training
