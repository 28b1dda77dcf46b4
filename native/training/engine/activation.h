// ReLU and GELU, element by element.
#pragma once

#include "base/matrix.h"
#include "training/engine/compute.h"

namespace hinm::training {

/// y = max(x, 0).
template <class T>
void relu(MatrixView<const T> x, MatrixView<T> y, const Compute& compute);
/// dx = dy where x > 0, else 0. dx may be dy.
template <class T>
void relu_backward(MatrixView<const T> x, MatrixView<const T> dy, MatrixView<T> dx, const Compute& compute);

/// GELU by its tanh form, x·σ(2u) with u = √(2/π)·(x + 0.044715·x³) (Hendrycks and Gimpel, arXiv 1606.08415).
template <class T>
void gelu(MatrixView<const T> x, MatrixView<T> y, const Compute& compute);
template <class T>
void gelu_backward(MatrixView<const T> x, MatrixView<const T> dy, MatrixView<T> dx, const Compute& compute);

}  // namespace hinm::training
