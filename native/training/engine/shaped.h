// Reuse of an activation's storage.
#pragma once

#include "base/matrix.h"

namespace hinm::training {

/// Gives `matrix` this shape; its content is then undefined.
template <class T>
MatrixView<T> shaped(Matrix<T>& matrix, std::int64_t rows, std::int64_t cols) {
  matrix.rows = rows;
  matrix.cols = cols;
  matrix.data.resize(static_cast<std::size_t>(rows * cols));
  return matrix.view();
}

}  // namespace hinm::training
