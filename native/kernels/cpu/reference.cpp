#include "kernels/cpu/reference.h"

#include <cmath>

#include "base/parallel.h"

namespace hinm::kernels {

Matrix<double> reference_product(MatrixView<const float> weights, const MaskView& mask, MatrixView<const float> activations, int threads) {
  Matrix<double> output(weights.rows, activations.cols);
  parallel_for(weights.rows, threads, [&](std::int64_t row, int) {
    double* to = output.view().row(row);
    for (std::int64_t col = 0; col < weights.cols; ++col) {
      if (!mask.kept(row, col)) continue;
      const double weight = weights.at(row, col);
      const float* x = activations.row(col);
      for (std::int64_t i = 0; i < activations.cols; ++i) to[i] += weight * static_cast<double>(x[i]);
    }
  });
  return output;
}

ProductError product_error(MatrixView<const float> output, const Matrix<double>& reference) {
  double difference_squares = 0, reference_squares = 0;
  ProductError error;
  for (std::int64_t row = 0; row < output.rows; ++row) {
    for (std::int64_t col = 0; col < output.cols; ++col) {
      const double expected = reference.at(row, col);
      const double difference = std::abs(static_cast<double>(output.at(row, col)) - expected);
      difference_squares += difference * difference;
      reference_squares += expected * expected;
      if (!(difference <= error.largest)) error.largest = std::isnan(error.largest) ? error.largest : difference;
    }
  }
  error.relative = difference_squares == 0 ? 0 : std::sqrt(difference_squares) / std::sqrt(reference_squares);
  return error;
}

}  // namespace hinm::kernels
