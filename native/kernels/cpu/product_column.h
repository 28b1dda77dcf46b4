// The packed product of one tile and one activation column, for all instruction sets: four rows × several steps of the
// row stream fill the lanes of a vector, and the block's activations are a table that the stream's index looks up. Such
// a product is bound by the stream's bytes.
#pragma once

#include "kernels/cpu/product_kernel.h"
#include "kernels/cpu/simd.h"
#include "kernels/format/packed_matrix.h"

namespace hinm::kernels::HINM_SIMD_NAMESPACE {
namespace {

HINM_INLINE Vec load_weights(const float* from) { return load_unaligned(from); }
HINM_INLINE Vec load_weights(const std::uint16_t* from) { return load_wide(from); }
HINM_INLINE float weight_value(float weight) { return weight; }
HINM_INLINE float weight_value(std::uint16_t weight) {
  const std::uint32_t bits = static_cast<std::uint32_t>(weight) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// One quad over one block: lane 4·p + r of the result sums row r at the steps ≡ p. What does not fill two vectors is
/// added to the first four lanes of `sums` by itself.
template <class Weight>
HINM_INLINE void multiply_column_quad(const Weight* weights, const std::uint8_t* index, std::int64_t count, const float* table, float* sums, bool first) {
  constexpr std::int64_t ahead = 1024;
  Vec even = zero(), odd = zero();
  const std::int64_t values = count * stream_rows;
  std::int64_t i = 0;
  for (; i + 2 * lanes <= values; i += 2 * lanes) {
    HINM_PREFETCH(weights + i + ahead);
    if (2 * lanes * sizeof(Weight) > 64) HINM_PREFETCH(weights + i + lanes + ahead);
    HINM_PREFETCH(index + i + ahead);
    even = mul_add(load_weights(weights + i), look_up(table, index + i), even);
    odd = mul_add(load_weights(weights + i + lanes), look_up(table, index + i + lanes), odd);
  }
  even = add(even, odd);
  store(first ? even : add(load(sums), even), sums);
  for (; i < values; ++i) sums[i % stream_rows] += weight_value(weights[i]) * table[index[i]];
}

template <class Weight>
void run_column_of(const PanelArguments& a, const Weight* weights) {
  const std::int64_t quads = (a.row_count + stream_rows - 1) / stream_rows;
  float* table = a.space->gathered[0];
  const std::uint8_t* index = a.index;
  for (std::int64_t first = 0; first < a.column_count; first += a.block_columns) {
    const std::int64_t columns = a.column_count - first < a.block_columns ? a.column_count - first : a.block_columns;
    for (std::int64_t k = 0; k < block_columns_limit; ++k) {
      const std::uint32_t column = k < columns ? a.columns[first + k] : no_column;
      table[k] = column == no_column ? 0.0f : a.activations[column * a.activation_stride];
    }
    const std::int64_t count = columns / a.m * a.n;
    for (std::int64_t quad = 0; quad < quads; ++quad) {
      multiply_column_quad(weights, index, count, table, a.space->sums + quad * lanes, first == 0);
      weights += count * stream_rows;
      index += count * stream_rows;
    }
  }
  for (std::int64_t row = 0; row < a.row_count; ++row) {
    const float* sums = a.space->sums + row / stream_rows * lanes + row % stream_rows;
    float sum = 0;
    for (int lane = 0; lane < lanes; lane += stream_rows) sum += sums[lane];
    a.output[a.output_rows[row] * a.output_stride] = sum;
  }
}

void run_column(const PanelArguments& a) {
  if (a.weights != nullptr) return run_column_of(a, a.weights);
  run_column_of(a, a.narrow_weights);
}

}  // namespace
}  // namespace hinm::kernels::HINM_SIMD_NAMESPACE
