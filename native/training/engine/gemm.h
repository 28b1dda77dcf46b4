// Matrix products of the training engine, small and of any orientation.
#pragma once

#include <cstdint>

#include "base/matrix.h"
#include "training/engine/compute.h"

namespace hinm::training {

/// A read-only matrix with a step for each axis, so that a transpose costs nothing.
template <class T>
struct Operand {
  const T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t row_step = 0;
  std::int64_t col_step = 0;

  Operand(MatrixView<const T> view) : data(view.data), rows(view.rows), cols(view.cols), row_step(view.stride), col_step(1) {}
  Operand(MatrixView<T> view) : Operand(MatrixView<const T>(view)) {}
  Operand transposed() const {
    Operand other = *this;
    std::swap(other.rows, other.cols);
    std::swap(other.row_step, other.col_step);
    return other;
  }
};

/// result = a·b, or result += a·b with `accumulate`. a is m × k, b is k × n, result m × n; none may overlap. Every element is
/// one chain of fused multiply-adds over k in order: the same on any thread count and, in the tiled kernel, on any SIMD
/// width.
template <class T>
void multiply(const Operand<T>& a, const Operand<T>& b, MatrixView<T> result, bool accumulate, const Compute& compute);

/// Whether `open_blas` can be used; it runs `tiled` otherwise, so ask first.
bool open_blas_present();
/// Name of the tiled kernel that this processor runs: "AVX-512", "AVX2", "NEON" or "plain".
const char* tiled_kernel_name();

}  // namespace hinm::training
