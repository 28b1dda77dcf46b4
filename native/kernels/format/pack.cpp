#include "kernels/format/pack.h"

#include <bit>
#include <cmath>
#include <string>

#include "kernels/format/packed_file.h"

namespace hinm::kernels {
namespace {

/// Columns are padded to the k64 step of the tensor-core kernels at 2:4, to whole groups elsewhere.
constexpr std::int64_t two_bit_column_step = 64;

Error verification_failed(std::string message) { return {"VERIFICATION_FAILED", std::move(message)}; }

std::string text(std::int64_t number) { return std::to_string(number); }

std::int64_t round_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

Status check_request(MatrixView<const float> weights, const MaskView& mask, const OrderView& order, Selection selection) {
  if (weights.rows < 1 || weights.cols < 1 || weights.cols >= no_column || weights.rows >= no_column)
    return invalid_argument("A matrix of " + text(weights.rows) + " × " + text(weights.cols) + " cannot be packed; give at least one row and one column.");
  if (mask.rows != weights.rows || mask.cols != weights.cols || static_cast<std::int64_t>(mask.bits.size()) < (weights.size() + 7) / 8)
    return invalid_argument("The mask is " + text(mask.rows) + " × " + text(mask.cols) + " but the weights are " + text(weights.rows) + " × " +
                            text(weights.cols) + "; build the mask for this matrix.");
  if (selection.n < 1 || selection.m < selection.n || selection.m > 64)
    return invalid_argument("The selection " + text(selection.n) + ":" + text(selection.m) + " is out of range; choose 1 ≤ n ≤ m ≤ 64.");
  if (order.vector < 1 || order.kept_columns < 1 || order.kept_columns > weights.cols)
    return invalid_argument("The order has tiles of " + text(order.vector) + " rows with " + text(order.kept_columns) +
                            " columns; a tile needs at least one row and between 1 and " + text(weights.cols) + " columns.");
  const std::int64_t tiles = (weights.rows + order.vector - 1) / order.vector;
  if (static_cast<std::int64_t>(order.output_rows.size()) != weights.rows || static_cast<std::int64_t>(order.columns.size()) != tiles * order.kept_columns)
    return invalid_argument("The order lists " + text(static_cast<std::int64_t>(order.output_rows.size())) + " rows and " +
                            text(static_cast<std::int64_t>(order.columns.size())) + " columns; this matrix needs " + text(weights.rows) + " and " +
                            text(tiles * order.kept_columns) + ".");
  return success();
}

Status check_distinct(const std::uint32_t* list, std::int64_t count, std::int64_t bound, const char* what, std::int64_t tile) {
  std::vector<bool> seen(static_cast<std::size_t>(bound));
  for (std::int64_t i = 0; i < count; ++i) {
    if (list[i] == no_column) continue;
    if (list[i] >= bound || seen[list[i]])
      return invalid_argument(std::string("The order of ") + what + " in tile " + text(tile) + " names " + text(list[i]) +
                              (list[i] >= bound ? ", which is out of range; " : " twice; ") + "every entry must be a different number below " + text(bound) + ".");
    seen[list[i]] = true;
  }
  return success();
}

void store_position(PackedMatrix& packed, std::int64_t row, std::int64_t index, std::int64_t inside) {
  std::uint8_t* bytes = packed.positions.data() + row * packed.position_bytes_per_row();
  switch (packed.selection.form()) {
    case SelectionForm::none: return;
    case SelectionForm::two_bit: bytes[index / 4] = static_cast<std::uint8_t>(bytes[index / 4] | (inside << (2 * (index % 4)))); return;
    case SelectionForm::index: bytes[index] = static_cast<std::uint8_t>(inside); return;
  }
}

/// Which of the group's m packed columns get a slot: the kept ones and, where they are fewer than n (a last group
/// over padding), the first others, so that positions stay ascending and distinct; those hold +0.
std::uint64_t slots_of(std::uint64_t kept, Selection selection) {
  int missing = selection.n - std::popcount(kept);
  std::uint64_t slots = kept;
  for (int j = 0; missing > 0; ++j) {
    if (slots >> j & 1) continue;
    slots |= std::uint64_t{1} << j;
    --missing;
  }
  return slots;
}

Status pack_row(PackedMatrix& packed, MatrixView<const float> weights, const MaskView& mask, std::int64_t position) {
  const std::int64_t row = packed.output_rows[static_cast<std::size_t>(position)];
  const std::uint32_t* columns = packed.tile_columns(position / packed.vector);
  const Selection selection = packed.selection;
  float* values = packed.values.data() + position * packed.values_per_row();
  for (std::int64_t group = 0; group < packed.groups(); ++group) {
    const std::uint32_t* column = columns + group * selection.m;
    std::uint64_t kept = 0;
    for (int j = 0; j < selection.m; ++j)
      if (column[j] != no_column && mask.kept(row, column[j])) kept |= std::uint64_t{1} << j;
    if (std::popcount(kept) > selection.n)
      return verification_failed("The mask keeps " + text(std::popcount(kept)) + " weights of row " + text(row) + " in group " + text(group) + " where " +
                                 text(selection.n) + ":" + text(selection.m) + " allows " + text(selection.n) + "; build mask and order for the same pattern.");
    std::int64_t index = group * selection.n;
    for (std::uint64_t slots = slots_of(kept, selection); slots != 0; slots &= slots - 1, ++index) {
      const int inside = std::countr_zero(slots);
      values[index] = kept >> inside & 1 ? rounded_to(packed.value_type, weights.at(row, column[inside])) : 0.0f;
      if (!std::isfinite(values[index]))
        return not_finite("The weight at row " + text(row) + ", column " + text(column[inside]) + " is not finite; repair the model before packing it.");
      store_position(packed, position, index, inside);
    }
  }
  return success();
}

void allocate(PackedMatrix& packed) {
  packed.values.assign(static_cast<std::size_t>(packed.rows * packed.values_per_row()), 0.0f);
  packed.positions.assign(static_cast<std::size_t>(packed.rows * packed.position_bytes_per_row()), 0);
}

void copy_columns(PackedMatrix& packed, const OrderView& order) {
  packed.columns.assign(static_cast<std::size_t>(packed.tiles() * packed.padded_columns), no_column);
  for (std::int64_t tile = 0; tile < packed.tiles(); ++tile)
    std::copy_n(order.columns.data() + tile * order.kept_columns, order.kept_columns, packed.columns.data() + tile * packed.padded_columns);
}

std::int64_t kept_in(const MaskView& mask) {
  const std::int64_t count = mask.rows * mask.cols;
  std::int64_t kept = 0;
  for (std::int64_t byte = 0; byte < count / 8; ++byte) kept += std::popcount(mask.bits[static_cast<std::size_t>(byte)]);
  for (std::int64_t bit = count / 8 * 8; bit < count; ++bit) kept += mask.kept(bit / mask.cols, bit % mask.cols);
  return kept;
}

/// Every kept weight must have found a slot: a survivor outside the tile's columns would silently be lost.
Status check_all_packed(const PackedMatrix& packed, const MaskView& mask) {
  std::int64_t inside = 0;
  for (std::int64_t position = 0; position < packed.rows; ++position) {
    const std::uint32_t* columns = packed.tile_columns(position / packed.vector);
    for (std::int64_t c = 0; c < packed.kept_columns; ++c) inside += mask.kept(packed.output_rows[static_cast<std::size_t>(position)], columns[c]);
  }
  const std::int64_t all = kept_in(mask);
  if (inside == all) return success();
  return verification_failed("The mask keeps " + text(all) + " weights but only " + text(inside) +
                             " of them lie in the columns that the order keeps; build mask and order for the same pattern.");
}

}  // namespace

Result<PackedMatrix> pack(MatrixView<const float> weights, const MaskView& mask, const OrderView& order, Selection selection, const JobControl& control,
                          ValueType value_type) {
  if (const Status status = check_request(weights, mask, order, selection); !status.ok()) return status.error();
  PackedMatrix packed;
  packed.rows = weights.rows;
  packed.cols = weights.cols;
  packed.vector = order.vector;
  packed.selection = selection;
  packed.value_type = value_type;
  packed.kept_columns = order.kept_columns;
  packed.padded_columns = round_up(order.kept_columns, selection.form() == SelectionForm::two_bit ? two_bit_column_step : selection.m);
  packed.output_rows.assign(order.output_rows.begin(), order.output_rows.end());
  copy_columns(packed, order);
  allocate(packed);
  if (const Status status = check_distinct(packed.output_rows.data(), packed.rows, packed.rows, "output rows", 0); !status.ok()) return status.error();
  for (std::int64_t tile = 0; tile < packed.tiles(); ++tile) {
    if (const Status status = check_distinct(packed.tile_columns(tile), packed.padded_columns, packed.cols, "columns", tile); !status.ok()) return status.error();
  }
  for (std::int64_t position = 0; position < packed.rows; ++position) {
    if (control.stop_requested()) return cancelled();
    if (const Status status = pack_row(packed, weights, mask, position); !status.ok()) return status.error();
  }
  if (const Status status = check_all_packed(packed, mask); !status.ok()) return status.error();
  return packed;
}

Result<PackedMatrix> pack_dense(MatrixView<const float> weights, std::int64_t vector, ValueType value_type) {
  if (weights.rows < 1 || weights.cols < 1 || vector < 1)
    return invalid_argument("A matrix of " + text(weights.rows) + " × " + text(weights.cols) + " cannot be packed; give at least one row and one column.");
  PackedMatrix packed;
  packed.rows = weights.rows;
  packed.cols = weights.cols;
  packed.vector = std::min(vector, weights.rows);
  packed.value_type = value_type;
  packed.kept_columns = packed.padded_columns = weights.cols;
  for (std::int64_t row = 0; row < packed.rows; ++row) packed.output_rows.push_back(static_cast<std::uint32_t>(row));
  for (std::int64_t tile = 0; tile < packed.tiles(); ++tile)
    for (std::int64_t col = 0; col < packed.cols; ++col) packed.columns.push_back(static_cast<std::uint32_t>(col));
  allocate(packed);
  for (std::int64_t row = 0; row < packed.rows; ++row)
    for (std::int64_t col = 0; col < packed.cols; ++col)
      packed.values[static_cast<std::size_t>(row * packed.cols + col)] = rounded_to(value_type, weights.at(row, col));
  return packed;
}

Matrix<float> unpack(const PackedMatrix& packed) {
  Matrix<float> dense(packed.rows, packed.cols);
  for (std::int64_t position = 0; position < packed.rows; ++position) {
    const std::uint32_t* columns = packed.tile_columns(position / packed.vector);
    const std::int64_t row = packed.output_rows[static_cast<std::size_t>(position)];
    for (std::int64_t index = 0; index < packed.values_per_row(); ++index) {
      const std::uint32_t column = columns[packed.packed_column(position, index)];
      if (column != no_column) dense.at(row, column) = packed.row_values(position)[index];
    }
  }
  return dense;
}

Status verify_structure(const PackedMatrix& packed) {
  if (packed.vector < 1 || packed.selection.n < 1 || packed.selection.m < packed.selection.n || packed.padded_columns % packed.selection.m != 0)
    return verification_failed("The packed matrix has an impossible header; pack the layer again.");
  if (const Status status = check_distinct(packed.output_rows.data(), packed.rows, packed.rows, "output rows", 0); !status.ok()) return status;
  for (std::int64_t tile = 0; tile < packed.tiles(); ++tile)
    if (const Status status = check_distinct(packed.tile_columns(tile), packed.padded_columns, packed.cols, "columns", tile); !status.ok()) return status;
  for (std::int64_t position = 0; position < packed.rows; ++position) {
    for (std::int64_t index = 0; index < packed.values_per_row(); ++index) {
      const std::int64_t column = packed.packed_column(position, index);
      const std::int64_t group = index / packed.selection.n;
      const bool ascending = index % packed.selection.n == 0 || column > packed.packed_column(position, index - 1);
      if (column / packed.selection.m != group || !ascending)
        return verification_failed("The positions of the packed row " + text(position) + " in group " + text(group) + " are not ascending; pack the layer again.");
    }
  }
  return success();
}

Status verify_round_trip(const PackedMatrix& packed, MatrixView<const float> weights, const MaskView& mask) {
  if (const Status status = verify_structure(packed); !status.ok()) return status;
  const Matrix<float> dense = unpack(packed);
  for (std::int64_t row = 0; row < packed.rows; ++row) {
    for (std::int64_t col = 0; col < packed.cols; ++col) {
      const float expected = mask.kept(row, col) ? rounded_to(packed.value_type, weights.at(row, col)) : 0.0f;
      if (std::bit_cast<std::uint32_t>(expected) != std::bit_cast<std::uint32_t>(dense.at(row, col)))
        return verification_failed("The packed weight at row " + text(row) + ", column " + text(col) + " is " + std::to_string(dense.at(row, col)) +
                                   " where the masked weight is " + std::to_string(expected) + "; this is a fault of the packing, please report it.");
    }
  }
  return success();
}

SizeReport size_report(const PackedMatrix& packed) {
  const Selection selection = packed.selection;
  const std::int64_t value_bytes = bytes_of(packed.value_type);
  const std::int64_t kept_groups = (packed.kept_columns + selection.m - 1) / selection.m;
  const std::int64_t kept_values = packed.rows * kept_groups * selection.n;
  const std::int64_t position_bits = selection.form() == SelectionForm::none ? 0 : std::bit_width(static_cast<std::uint32_t>(selection.m - 1));
  SizeReport report;
  report.packed = file_bytes(packed);
  report.theory = kept_values * value_bytes + (kept_values * position_bits + 7) / 8;
  report.dense = packed.rows * packed.cols * value_bytes;
  return report;
}

}  // namespace hinm::kernels
