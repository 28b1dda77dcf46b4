#include "kernels/cpu/packed_weights.h"

#include "kernels/cpu/product_kernel.h"

namespace hinm::kernels {
namespace {

std::string type_name(ValueType type) { return type == ValueType::float32 ? "float32" : "bfloat16 weights, float32 sums"; }

}  // namespace

Result<PackedWeights> pack_weights(MatrixView<const float> weights, const MaskView& mask, const OrderView& order, Selection selection,
                                   const JobControl& control, ValueType value_type) {
  Result<PackedMatrix> packed = pack(weights, mask, order, selection, control, value_type);
  if (!packed.ok()) return packed.error();
  if (const Status status = verify_round_trip(packed.value(), weights, mask); !status.ok()) return status.error();
  PackedWeights result;
  result.stream = make_row_stream(packed.value());
  result.size = size_report(packed.value());
  const std::string inner = selection.form() == SelectionForm::none ? "vector" : std::to_string(selection.n) + ":" + std::to_string(selection.m);
  result.kernel = std::string("CPU ") + best_product_kernel().name + ", " + inner + " row streams, " + type_name(value_type);
  result.matrix = std::move(packed).value();
  return result;
}

Result<PackedWeights> pack_weights_dense(MatrixView<const float> weights, const MaskView& mask, const std::string& pattern,
                                         ValueType value_type) {
  constexpr std::int64_t tile = 64;
  if (mask.rows != weights.rows || mask.cols != weights.cols || static_cast<std::int64_t>(mask.bits.size()) < (weights.size() + 7) / 8)
    return invalid_argument("The mask is " + std::to_string(mask.rows) + " × " + std::to_string(mask.cols) + " but the weights are " +
                            std::to_string(weights.rows) + " × " + std::to_string(weights.cols) + "; build the mask for this matrix.");
  Matrix<float> masked(weights.rows, weights.cols);
  for (std::int64_t row = 0; row < weights.rows; ++row)
    for (std::int64_t col = 0; col < weights.cols; ++col) masked.at(row, col) = mask.kept(row, col) ? weights.at(row, col) : 0.0f;
  Result<PackedMatrix> packed = pack_dense(masked.view(), tile, value_type);
  if (!packed.ok()) return packed.error();
  if (const Status status = verify_round_trip(packed.value(), weights, mask); !status.ok()) return status.error();
  PackedWeights result;
  result.stream = make_row_stream(packed.value());
  result.size.packed = result.size.theory = result.size.dense = size_report(packed.value()).dense;
  result.kernel = std::string("CPU ") + best_product_kernel().name + ", dense " + type_name(value_type) + " (there is no sparse kernel for " + pattern + ")";
  result.matrix = std::move(packed).value();
  return result;
}

}  // namespace hinm::kernels
