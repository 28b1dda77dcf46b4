// Weights as a caller holds them: packed in the storage format and laid out for this machine's kernel.
#pragma once

#include <string>

#include "kernels/cpu/row_stream.h"
#include "kernels/format/pack.h"

namespace hinm::kernels {

struct PackedWeights {
  PackedMatrix matrix;
  RowStream stream;
  SizeReport size;
  std::string kernel;  ///< name of the kernel that multiplies it
};

/// Packs, verifies the round trip bit for bit, and lays the result out for the CPU.
Result<PackedWeights> pack_weights(MatrixView<const float> weights, const MaskView& mask, const OrderView& order, Selection selection,
                                   const JobControl& control, ValueType value_type = ValueType::float32);

/// For patterns without a sparse kernel (`pattern` names it): W∘mask stored and multiplied dense.
Result<PackedWeights> pack_weights_dense(MatrixView<const float> weights, const MaskView& mask, const std::string& pattern,
                                         ValueType value_type = ValueType::float32);

}  // namespace hinm::kernels
