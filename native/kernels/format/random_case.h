// Random masked matrices with a random order, for tests and benches.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "base/matrix.h"
#include "base/random.h"
#include "kernels/format/pack.h"

namespace hinm::kernels {

struct RandomCaseShape {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t vector = 0;
  std::int64_t kept_columns = 0;
  Selection selection;
};

struct RandomCase {
  Matrix<float> weights;
  std::vector<std::uint8_t> bits;
  std::vector<std::uint32_t> output_rows;
  std::vector<std::uint32_t> columns;
  std::int64_t vector = 0;
  std::int64_t kept_columns = 0;

  MaskView mask() const { return {bits, weights.rows, weights.cols}; }
  OrderView order() const { return {output_rows, columns, vector, kept_columns}; }
};

/// Normal weights; rows, columns and the n of every m drawn at random. A last group of fewer than m columns keeps at
/// most n of them.
inline RandomCase make_random_case(const RandomCaseShape& shape, std::uint64_t seed) {
  RandomStream random(seed);
  RandomCase result{Matrix<float>(shape.rows, shape.cols), std::vector<std::uint8_t>(static_cast<std::size_t>((shape.rows * shape.cols + 7) / 8)), {}, {},
                    shape.vector, shape.kept_columns};
  for (float& weight : result.weights.data) weight = static_cast<float>(random.normal());
  result.output_rows.resize(static_cast<std::size_t>(shape.rows));
  std::iota(result.output_rows.begin(), result.output_rows.end(), 0u);
  shuffle(result.output_rows.data(), static_cast<std::uint32_t>(shape.rows), random);
  std::vector<std::uint32_t> all(static_cast<std::size_t>(shape.cols)), inside(static_cast<std::size_t>(shape.selection.m));
  std::iota(all.begin(), all.end(), 0u);
  for (std::int64_t first = 0; first < shape.rows; first += shape.vector) {
    shuffle(all.data(), static_cast<std::uint32_t>(shape.cols), random);
    result.columns.insert(result.columns.end(), all.begin(), all.begin() + shape.kept_columns);
    for (std::int64_t position = first; position < std::min(shape.rows, first + shape.vector); ++position) {
      for (std::int64_t group = 0; group < shape.kept_columns; group += shape.selection.m) {
        std::iota(inside.begin(), inside.end(), 0u);
        shuffle(inside.data(), static_cast<std::uint32_t>(shape.selection.m), random);
        for (std::int32_t j = 0; j < shape.selection.n; ++j) {
          const std::int64_t packed = group + inside[static_cast<std::size_t>(j)];
          if (packed >= shape.kept_columns) continue;
          const std::int64_t bit = result.output_rows[static_cast<std::size_t>(position)] * shape.cols + all[static_cast<std::size_t>(packed)];
          result.bits[static_cast<std::size_t>(bit >> 3)] |= static_cast<std::uint8_t>(1u << (bit & 7));
        }
      }
    }
  }
  return result;
}

}  // namespace hinm::kernels
