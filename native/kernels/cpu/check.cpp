#include "kernels/cpu/check.h"

#include <limits>

#include "base/random.h"

namespace hinm::kernels {

Matrix<float> random_activations(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  Matrix<float> activations(rows, columns);
  RandomStream random(seed, 0x41435456);
  for (float& value : activations.data) value = static_cast<float>(random.normal());
  return activations;
}

Result<ProductCheck> check_product(const RowStream& stream, MatrixView<const float> weights, const MaskView& mask, std::int64_t columns, std::uint64_t seed,
                                   int threads, const ProductKernel& kernel) {
  const Matrix<float> activations = random_activations(weights.cols, columns, seed);
  Matrix<float> output(weights.rows, columns, std::numeric_limits<float>::quiet_NaN());
  if (const Status status = multiply(stream, activations.view(), output.view(), threads, kernel); !status.ok()) return status.error();
  ProductCheck check;
  Matrix<float> stored(weights.rows, weights.cols);
  for (std::int64_t row = 0; row < weights.rows; ++row)
    for (std::int64_t col = 0; col < weights.cols; ++col) stored.at(row, col) = rounded_to(stream.value_type, weights.at(row, col));
  check.error = product_error(output.view(), reference_product(stored.view(), mask, activations.view(), threads));
  check.passed = check.error.relative <= check.tolerance;
  return check;
}

}  // namespace hinm::kernels
