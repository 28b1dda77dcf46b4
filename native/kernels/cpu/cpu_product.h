// Y = W·X on the CPU.
#pragma once

#include "base/matrix.h"
#include "base/result.h"
#include "kernels/cpu/product_kernel.h"
#include "kernels/cpu/row_stream.h"

namespace hinm::kernels {

/// Writes every element of Y (rows × N, original row order) from X (cols × N). Fails with INVALID_ARGUMENT when the
/// shapes disagree. Tiles are shared among `threads`; the result does not depend on their number.
Status multiply(const RowStream& stream, MatrixView<const float> activations, MatrixView<float> output, int threads,
                const ProductKernel& kernel = best_product_kernel());

}  // namespace hinm::kernels
