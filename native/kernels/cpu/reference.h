// The product in float64 that every kernel is held against.
#pragma once

#include "base/matrix.h"
#include "kernels/format/pack.h"

namespace hinm::kernels {

/// (W∘mask)·X accumulated in float64, in the original order. Pruned weights are left out, which adds the same as +0·x
/// for every finite x.
Matrix<double> reference_product(MatrixView<const float> weights, const MaskView& mask, MatrixView<const float> activations, int threads);

/// How a result compares with its reference.
struct ProductError {
  double relative = 0;  ///< ‖Y − Y_ref‖ / ‖Y_ref‖ (Frobenius); 0/0 counts as 0
  double largest = 0;   ///< largest |Y − Y_ref|
};

/// NaN anywhere in `output` makes both numbers NaN, which is below no tolerance.
ProductError product_error(MatrixView<const float> output, const Matrix<double>& reference);

}  // namespace hinm::kernels
