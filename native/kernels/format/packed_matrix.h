// The storage format of a sparse weight matrix, one for all back ends; each back end lays it out anew for its kernel.
// README.md in this folder documents the file form byte for byte.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hinm::kernels {

/// Entry of a column list that stands for no column: padding, read as an activation row of zeros.
inline constexpr std::uint32_t no_column = 0xFFFFFFFFu;

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
  std::int64_t kept_columns = 0;    ///< K', columns a tile keeps
  std::int64_t padded_columns = 0;  ///< K' rounded up to whole groups and to the step of the kernels

  std::vector<std::uint32_t> output_rows;  ///< M
  std::vector<std::uint32_t> columns;      ///< tiles × padded_columns; `no_column` where padded
  std::vector<float> values;               ///< M × values_per_row
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
