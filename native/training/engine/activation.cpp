#include "training/engine/activation.h"

#include <algorithm>
#include <cmath>

namespace hinm::training {
namespace {

/// Rows of a piece: about 16,384 elements, more than waking a thread costs.
std::int64_t rows_of_piece(std::int64_t cols) { return std::max<std::int64_t>(1, 16384 / std::max<std::int64_t>(1, cols)); }

constexpr double slope = 1.5957691216057308;  // 2·√(2/π)
constexpr double cubic = 0.044715;

template <class T>
T logistic_of(T x) {
  return T{1} / (T{1} + std::exp(-static_cast<T>(slope) * (x + static_cast<T>(cubic) * x * x * x)));
}

}  // namespace

template <class T>
void relu(MatrixView<const T> x, MatrixView<T> y, const Compute& compute) {
  for_pieces(x.rows, rows_of_piece(x.cols), compute.threads, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t r = first; r < last; ++r) {
      for (std::int64_t c = 0; c < x.cols; ++c) y.at(r, c) = std::max(x.at(r, c), T{0});
    }
  });
}

template <class T>
void relu_backward(MatrixView<const T> x, MatrixView<const T> dy, MatrixView<T> dx, const Compute& compute) {
  for_pieces(x.rows, rows_of_piece(x.cols), compute.threads, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t r = first; r < last; ++r) {
      for (std::int64_t c = 0; c < x.cols; ++c) dx.at(r, c) = x.at(r, c) > 0 ? dy.at(r, c) : T{0};
    }
  });
}

template <class T>
void gelu(MatrixView<const T> x, MatrixView<T> y, const Compute& compute) {
  for_pieces(x.rows, rows_of_piece(x.cols), compute.threads, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t r = first; r < last; ++r) {
      const T* from = x.row(r);
      T* to = y.row(r);
      for (std::int64_t c = 0; c < x.cols; ++c) to[c] = from[c] * logistic_of(from[c]);
    }
  });
}

template <class T>
void gelu_backward(MatrixView<const T> x, MatrixView<const T> dy, MatrixView<T> dx, const Compute& compute) {
  for_pieces(x.rows, rows_of_piece(x.cols), compute.threads, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t r = first; r < last; ++r) {
      const T* from = x.row(r);
      const T* up = dy.row(r);
      T* to = dx.row(r);
      for (std::int64_t c = 0; c < x.cols; ++c) {
        const T s = logistic_of(from[c]);
        const T inner = static_cast<T>(slope) * (T{1} + static_cast<T>(3 * cubic) * from[c] * from[c]);
        to[c] = up[c] * (s + from[c] * s * (T{1} - s) * inner);
      }
    }
  });
}

#define HINM_INSTANTIATE(T)                                                                                  \
  template void relu(MatrixView<const T>, MatrixView<T>, const Compute&);                                    \
  template void relu_backward(MatrixView<const T>, MatrixView<const T>, MatrixView<T>, const Compute&);      \
  template void gelu(MatrixView<const T>, MatrixView<T>, const Compute&);                                    \
  template void gelu_backward(MatrixView<const T>, MatrixView<const T>, MatrixView<T>, const Compute&);
HINM_INSTANTIATE(float)
HINM_INSTANTIATE(double)
#undef HINM_INSTANTIATE

}  // namespace hinm::training
