// Packing a masked weight matrix under its order, and the proofs that nothing was lost.
#pragma once

#include <cstdint>
#include <span>

#include "base/job_control.h"
#include "base/matrix.h"
#include "base/result.h"
#include "kernels/format/packed_matrix.h"

namespace hinm::kernels {

/// An explicit mask in the original order: bit r·cols + c, least significant bit of a byte first.
struct MaskView {
  std::span<const std::uint8_t> bits;
  std::int64_t rows = 0;
  std::int64_t cols = 0;

  bool kept(std::int64_t row, std::int64_t col) const {
    const std::int64_t bit = row * cols + col;
    return (bits[static_cast<std::size_t>(bit >> 3)] >> (bit & 7)) & 1;
  }
};

/// Where rows and columns go (SCIENCE notation: σ_o, V, K' and the tiles' column orders).
struct OrderView {
  std::span<const std::uint32_t> output_rows;  ///< M: original row at each position
  std::span<const std::uint32_t> columns;      ///< tiles × kept_columns original columns
  std::int64_t vector = 0;
  std::int64_t kept_columns = 0;
};

/// Packs `weights` (M×K, original order) under `mask`. A kept weight may be 0 or −0.0: the mask alone decides.
/// Fails with INVALID_ARGUMENT when sizes disagree or the order is no bijection, with VERIFICATION_FAILED when the
/// mask keeps a weight outside the tile's columns or more than n in a group, and with NOT_FINITE on NaN or Inf.
/// bfloat16 refuses a weight that rounds to infinity.
Result<PackedMatrix> pack(MatrixView<const float> weights, const MaskView& mask, const OrderView& order, Selection selection,
                          const JobControl& control, ValueType value_type = ValueType::float32);

/// The same matrix without a mask: every weight, tiles of `vector` rows, nothing permuted.
Result<PackedMatrix> pack_dense(MatrixView<const float> weights, std::int64_t vector, ValueType value_type = ValueType::float32);

/// W∘mask in the original order; what was not packed is +0.
Matrix<float> unpack(const PackedMatrix& packed);

/// Checks the structure (bijections, ranges, ascending distinct positions in every group).
Status verify_structure(const PackedMatrix& packed);

/// Checks that unpacking gives W∘mask, rounded to the value type, bit for bit. Includes verify_structure.
Status verify_round_trip(const PackedMatrix& packed, MatrixView<const float> weights, const MaskView& mask);

/// Bytes of the three ways to store the same weights.
struct SizeReport {
  std::int64_t packed = 0;  ///< the file form: header, values, positions, column lists, row list, padding
  std::int64_t theory = 0;  ///< kept values and whole bits of their positions (2 bits a value at 2:4), nothing else
  std::int64_t dense = 0;   ///< rows × cols values of the same type
};
SizeReport size_report(const PackedMatrix& packed);

}  // namespace hinm::kernels
