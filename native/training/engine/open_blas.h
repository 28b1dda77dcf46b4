// OpenBLAS, opened at run time where it is installed.
#pragma once

#include "base/matrix.h"
#include "training/engine/gemm.h"

namespace hinm::training {

bool open_blas_present();

/// The product by OpenBLAS. False, and nothing done, where the library is absent or an operand has no unit step.
template <class T>
bool open_blas_multiply(const Operand<T>& a, const Operand<T>& b, MatrixView<T> result, bool accumulate, int threads);

}  // namespace hinm::training
