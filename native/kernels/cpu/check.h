// The gate: no time of a kernel counts before its result was held against float64.
#pragma once

#include <cstdint>

#include "base/job_control.h"
#include "base/result.h"
#include "kernels/cpu/cpu_product.h"
#include "kernels/cpu/reference.h"

namespace hinm::kernels {

/// What a product with float32 sums may differ by, relative to float64 on the weights as stored (bfloat16 rounding is a
/// loss of the format, not of the kernel). A block of at most 64 terms is summed from zero and the at most K/64 block sums
/// are added up; with random signs each rounding adds about 0.4·2⁻²⁴ of the running sum, so the relative error is near
/// 2.4e-8·√((64 + K/64)/2), which is 2.5e-7 for K = 10⁴ and reaches 1e-6 only at K = 2·10⁵.
inline constexpr double product_tolerance = 1e-6;

struct ProductCheck {
  ProductError error;
  double tolerance = product_tolerance;
  bool passed = false;
};

/// Standard normal activations, the same for the same seed on every machine.
Matrix<float> random_activations(std::int64_t rows, std::int64_t columns, std::uint64_t seed);

/// Fills the output with NaN, multiplies, and compares with the reference; what was not written stays NaN and fails.
Result<ProductCheck> check_product(const RowStream& stream, MatrixView<const float> weights, const MaskView& mask, std::int64_t columns, std::uint64_t seed,
                                   int threads, const ProductKernel& kernel = best_product_kernel());

}  // namespace hinm::kernels
