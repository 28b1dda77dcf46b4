#include "training/engine/gemm.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "base/parallel.h"
#include "device/cpu_features.h"
#include "training/engine/open_blas.h"
#include "training/engine/tile_kernel.h"

namespace hinm::training {
namespace {

const TileKernels& kernels() {
  static const TileKernels* chosen = [] {
    const auto& features = device::cpu_features();
    if (features.avx512 && tile_kernels_avx512() != nullptr) return tile_kernels_avx512();
    if (features.avx2 && tile_kernels_avx2() != nullptr) return tile_kernels_avx2();
    if (features.neon && tile_kernels_neon() != nullptr) return tile_kernels_neon();
    return tile_kernels_plain();
  }();
  return *chosen;
}

template <class T>
const TileKernel<T>& kernel_for() {
  if constexpr (std::is_same_v<T, float>) return kernels().single;
  else return kernels().twice;
}

/// Below this many multiply-adds waking a thread costs more than it brings (measured at 64³).
constexpr std::int64_t worth_threads = 1 << 20;

/// One panel of b, depth × width, its missing columns zero.
template <class T>
void pack_panel(const Operand<T>& b, std::int64_t first, int width, T* panel) {
  const std::int64_t columns = std::min<std::int64_t>(width, b.cols - first);
  const T* from = b.data + first * b.col_step;
  if (b.col_step == 1) {
    for (std::int64_t k = 0; k < b.rows; ++k) {
      std::copy_n(from + k * b.row_step, columns, panel + k * width);
      std::fill(panel + k * width + columns, panel + (k + 1) * width, T{0});
    }
    return;
  }
  // A transposed operand: read along its contiguous axis in pieces that stay in the first-level cache.
  constexpr std::int64_t piece = 16;
  for (std::int64_t k0 = 0; k0 < b.rows; k0 += piece) {
    const std::int64_t k1 = std::min(b.rows, k0 + piece);
    for (std::int64_t c = 0; c < columns; ++c) {
      const T* column = from + c * b.col_step;
      for (std::int64_t k = k0; k < k1; ++k) panel[k * width + c] = column[k * b.row_step];
    }
    for (std::int64_t k = k0; k < k1; ++k) std::fill(panel + k * width + columns, panel + (k + 1) * width, T{0});
  }
}

template <class T>
void run_rows(const Operand<T>& a, const T* packed, MatrixView<T> result, bool accumulate, std::int64_t first, std::int64_t last) {
  const TileKernel<T>& kernel = kernel_for<T>();
  const std::int64_t panels = (result.cols + kernel.width - 1) / kernel.width;
  for (std::int64_t p = 0; p < panels; ++p) {
    TileArguments<T> tile{nullptr, a.row_step, a.col_step, packed + p * a.cols * kernel.width, a.cols, nullptr, result.stride,
                          std::min<std::int64_t>(kernel.width, result.cols - p * kernel.width), accumulate};
    for (std::int64_t r = first; r < last; r += kernel.rows) {
      tile.a = a.data + r * a.row_step;
      tile.result = result.row(r) + p * kernel.width;
      kernel.run(static_cast<int>(std::min<std::int64_t>(kernel.rows, last - r)), tile);
    }
  }
}

template <class T>
void multiply_tiled(const Operand<T>& a, const Operand<T>& b, MatrixView<T> result, bool accumulate, int threads) {
  const TileKernel<T>& kernel = kernel_for<T>();
  const std::int64_t panels = (b.cols + kernel.width - 1) / kernel.width;
  const int useful = a.rows * a.cols * b.cols < worth_threads ? 1 : threads;
  thread_local std::vector<T> workspace;
  workspace.resize(static_cast<std::size_t>(std::max<std::int64_t>(1, panels * a.cols * kernel.width)));
  T* packed = workspace.data();
  parallel_for(panels, useful, [&](std::int64_t p, int) { pack_panel(b, p * kernel.width, kernel.width, packed + p * a.cols * kernel.width); });
  if (useful == 1) return run_rows(a, packed, result, accumulate, 0, a.rows);
  const std::int64_t block = kernel.rows * std::max<std::int64_t>(1, a.rows / (kernel.rows * 4 * useful));
  for_pieces(a.rows, block, useful, [&](std::int64_t first, std::int64_t last) { run_rows(a, packed, result, accumulate, first, last); });
}

template <class T>
void multiply_naive(const Operand<T>& a, const Operand<T>& b, MatrixView<T> result, bool accumulate) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < b.cols; ++j) {
      T sum = 0;
      for (std::int64_t k = 0; k < a.cols; ++k) sum += a.data[i * a.row_step + k * a.col_step] * b.data[k * b.row_step + j * b.col_step];
      result.at(i, j) = accumulate ? result.at(i, j) + sum : sum;
    }
  }
}

}  // namespace

template <class T>
void multiply(const Operand<T>& a, const Operand<T>& b, MatrixView<T> result, bool accumulate, const Compute& compute) {
  if (result.rows == 0 || result.cols == 0) return;
  if (compute.backend == GemmBackend::naive) return multiply_naive(a, b, result, accumulate);
  if (compute.backend == GemmBackend::open_blas && open_blas_multiply(a, b, result, accumulate, compute.threads)) return;
  multiply_tiled(a, b, result, accumulate, compute.threads);
}

const char* tiled_kernel_name() { return kernels().name; }

template void multiply(const Operand<float>&, const Operand<float>&, MatrixView<float>, bool, const Compute&);
template void multiply(const Operand<double>&, const Operand<double>&, MatrixView<double>, bool, const Compute&);

}  // namespace hinm::training
