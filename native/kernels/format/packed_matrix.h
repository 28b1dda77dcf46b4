// The storage format of a sparse weight matrix, one for all back ends; each back end lays it out anew for its kernel.
// README.md in this folder documents the file form byte for byte.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace hinm::kernels {

/// Entry of a column list that stands for no column: padding, read as an activation row of zeros.
inline constexpr std::uint32_t no_column = 0xFFFFFFFFu;

/// How weights are stored. Sums are float32 on every back end.
enum class ValueType : std::uint8_t { float32 = 0, bfloat16 = 1 };

inline std::int64_t bytes_of(ValueType type) { return type == ValueType::float32 ? 4 : 2; }

/// Nearest bfloat16, ties to even, as its 16 bits; `value` is finite.
inline std::uint16_t to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}
inline float from_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

/// `value` as the type can hold it.
inline float rounded_to(ValueType type, float value) { return type == ValueType::float32 ? value : from_bfloat16(to_bfloat16(value)); }

/// How the positions of kept weights inside a group of m packed columns are written.
enum class SelectionForm : std::uint8_t {
  none = 0,     ///< n = m: every packed column is kept (vector-only and dense matrices)
  two_bit = 1,  ///< 2:4: two bits a value, as the sparse tensor cores read them
  index = 2,    ///< any other n:m: one byte a value
};

/// n kept of every m packed columns.
struct Selection {
  std::int32_t n = 1;
  std::int32_t m = 1;

  SelectionForm form() const {
    if (n == m) return SelectionForm::none;
    return n == 2 && m == 4 ? SelectionForm::two_bit : SelectionForm::index;
  }
};

/// `rows × cols` weights. Position p of the matrix holds the original row `output_rows[p]`; a tile is `vector`
/// consecutive positions (the last may be shorter); tile t multiplies the activation rows
/// `columns[t * padded_columns ...]` in that order, n of every m of them in each row.
struct PackedMatrix {
  std::int64_t rows = 0;            ///< M
  std::int64_t cols = 0;            ///< K
  std::int64_t vector = 0;          ///< V
  Selection selection;              ///< n:m inside the kept columns
  ValueType value_type = ValueType::float32;
  std::int64_t kept_columns = 0;    ///< K', columns a tile keeps
  std::int64_t padded_columns = 0;  ///< K' rounded up to whole groups and to the step of the kernels

  std::vector<std::uint32_t> output_rows;  ///< M
  std::vector<std::uint32_t> columns;      ///< tiles × padded_columns; `no_column` where padded
  std::vector<float> values;               ///< M × values_per_row, already rounded to value_type
  std::vector<std::uint8_t> positions;     ///< M × position_bytes_per_row

  std::int64_t tiles() const { return vector == 0 ? 0 : (rows + vector - 1) / vector; }
  std::int64_t tile_rows(std::int64_t tile) const { return std::min(vector, rows - tile * vector); }
  std::int64_t groups() const { return padded_columns / selection.m; }
  std::int64_t values_per_row() const { return groups() * selection.n; }
  std::int64_t position_bytes_per_row() const {
    switch (selection.form()) {
      case SelectionForm::none: return 0;
      case SelectionForm::two_bit: return (values_per_row() + 3) / 4;
      default: return values_per_row();
    }
  }

  const float* row_values(std::int64_t position) const { return values.data() + position * values_per_row(); }
  const std::uint32_t* tile_columns(std::int64_t tile) const { return columns.data() + tile * padded_columns; }

  /// Packed column (index into the tile's column list) of value `index` of the row at `position`.
  std::int64_t packed_column(std::int64_t position, std::int64_t index) const {
    const std::int64_t group = index / selection.n * selection.m;
    const std::uint8_t* bytes = positions.data() + position * position_bytes_per_row();
    switch (selection.form()) {
      case SelectionForm::none: return index;
      case SelectionForm::two_bit: return group + ((bytes[index / 4] >> (2 * (index % 4))) & 3);
      default: return group + bytes[index];
    }
  }
};

}  // namespace hinm::kernels
