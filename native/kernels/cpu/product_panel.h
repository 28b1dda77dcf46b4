// The packed product of one tile and one panel of activation columns, written once for all instruction sets.
// Included by product_<instruction set>.cpp after HINM_SIMD_NAMESPACE is defined.
//
// The kept activation rows of a block of columns are gathered into the first-level cache; then four or eight rows of
// weights run over the block with their sums in registers. Meanwhile the next block is gathered. A block's sums start at
// zero and are added to the panel's at its end: the rounding error grows with the square root of the block length plus
// the number of blocks instead of with that of all terms.
#pragma once

#include "kernels/cpu/product_kernel.h"
#include "kernels/cpu/simd.h"
#include "kernels/format/packed_matrix.h"

namespace hinm::kernels::HINM_SIMD_NAMESPACE {
namespace {

/// Weights of four steps: one cache line in float32.
constexpr std::int64_t line_weights = 16;

/// The streams are read once and too quickly for the processor's own prefetcher. The narrower the panel, the quicker.
template <int Vectors>
constexpr std::int64_t stream_ahead = Vectors == 1 ? 512 : 192;

template <int Vectors>
HINM_INLINE void multiply_add(Vec weight, const float* x, Vec* sums) {
  HINM_UNROLL for (int c = 0; c < Vectors; ++c) sums[c] = mul_add(weight, load(x + c * lanes), sums[c]);
}

/// Four rows of weights times the columns that they name.
template <int Vectors>
HINM_INLINE void multiply_quad(const float* weights, const std::uint8_t* index, const float* gathered, Vec (*sums)[Vectors]) {
  constexpr int width = Vectors * lanes;
  const Vec four = load_four(weights);
  std::uint32_t columns;
  std::memcpy(&columns, index, sizeof columns);
  multiply_add<Vectors>(broadcast<0>(four), gathered + (columns & 255) * width, sums[0]);
  multiply_add<Vectors>(broadcast<1>(four), gathered + (columns >> 8 & 255) * width, sums[1]);
  multiply_add<Vectors>(broadcast<2>(four), gathered + (columns >> 16 & 255) * width, sums[2]);
  multiply_add<Vectors>(broadcast<3>(four), gathered + (columns >> 24) * width, sums[3]);
}

/// A gathered block of columns and its part of the row stream.
struct Block {
  std::int64_t offset;  ///< of its first weight in the tile's stream
  std::int64_t count;   ///< values a row
  const float* gathered;
  bool first;
  bool last;

  /// Weights from one quad's stream to the next.
  std::int64_t stride() const { return count * stream_rows; }
};

/// Float32 weights of `Quads` quads, widened where the stream is bfloat16.
template <int Quads>
HINM_INLINE const float* quad_weights(const PanelArguments& a, const Block& block, std::int64_t quad) {
  const std::int64_t offset = block.offset + quad * block.stride();
  if (a.weights != nullptr) return a.weights + offset;
  const std::uint16_t* from = a.narrow_weights + offset;
  for (std::int64_t i = 0; i < Quads * block.stride(); i += lanes) store(load_wide(from + i), a.space->widened + i);
  return a.space->widened;
}

/// Runs `Quads` × 4 rows, the first of them in quad `quad`, over the block.
template <int Quads, int Vectors>
HINM_INLINE void sum_rows(const PanelArguments& a, const Block& block, std::int64_t quad, Vec (*row_sums)[Vectors]) {
  const std::int64_t stride = block.stride();
  const std::int64_t offset = block.offset + quad * stride;
  const float* weights = quad_weights<Quads>(a, block, quad);
  const std::uint8_t* index = a.index + offset;
  const std::int64_t weight_bytes = a.weights != nullptr ? 4 : 2;
  const char* stream = a.weights != nullptr ? reinterpret_cast<const char*>(a.weights) : reinterpret_cast<const char*>(a.narrow_weights);
  stream += (offset + stream_ahead<Vectors>) * weight_bytes;
  std::int64_t left = block.count;
  for (; left >= line_weights / stream_rows; left -= line_weights / stream_rows) {
    HINM_UNROLL for (int q = 0; q < Quads; ++q) {
      HINM_PREFETCH(stream + q * stride * weight_bytes);
      HINM_PREFETCH(index + q * stride + stream_ahead<Vectors>);
    }
    HINM_UNROLL for (int step = 0; step < line_weights / stream_rows; ++step) {
      HINM_UNROLL for (int q = 0; q < Quads; ++q) {
        const std::int64_t at = q * stride + step * stream_rows;
        multiply_quad<Vectors>(weights + at, index + at, block.gathered, row_sums + q * stream_rows);
      }
    }
    weights += line_weights;
    index += line_weights;
    stream += line_weights * weight_bytes;
  }
  for (; left > 0; --left) {
    HINM_UNROLL for (int q = 0; q < Quads; ++q)
      multiply_quad<Vectors>(weights + q * stride, index + q * stride, block.gathered, row_sums + q * stream_rows);
    weights += stream_rows;
    index += stream_rows;
  }
}

/// Writes the sums of `Rows` rows from `row` on to the output, whole vectors where the panel is full.
template <int Rows, int Vectors>
HINM_INLINE void write_rows(const PanelArguments& a, std::int64_t row, const float* sums, Vec (*row_sums)[Vectors]) {
  constexpr int width = Vectors * lanes;
  if (a.width == width && row + Rows <= a.row_count) {
    HINM_UNROLL for (int r = 0; r < Rows; ++r) {
      float* to = a.output + a.output_rows[row + r] * a.output_stride;
      HINM_UNROLL for (int c = 0; c < Vectors; ++c) store_unaligned(row_sums[r][c], to + c * lanes);
    }
    return;
  }
  for (int r = 0; r < Rows && row + r < a.row_count; ++r)
    std::memcpy(a.output + a.output_rows[row + r] * a.output_stride, sums + r * width, static_cast<std::size_t>(a.width) * sizeof(float));
}

template <int Quads, int Vectors>
HINM_NOINLINE void multiply_rows(const PanelArguments& a, const Block& block, std::int64_t quad) {
  constexpr int width = Vectors * lanes;
  constexpr int rows = Quads * stream_rows;
  Vec row_sums[rows][Vectors];
  HINM_UNROLL for (int r = 0; r < rows; ++r) {
    HINM_UNROLL for (int c = 0; c < Vectors; ++c) row_sums[r][c] = zero();
  }
  sum_rows<Quads, Vectors>(a, block, quad, row_sums);
  float* sums = a.space->sums + quad * stream_rows * width;
  if (!block.first) {
    HINM_UNROLL for (int r = 0; r < rows; ++r) {
      HINM_UNROLL for (int c = 0; c < Vectors; ++c) row_sums[r][c] = add(load(sums + r * width + c * lanes), row_sums[r][c]);
    }
  }
  HINM_UNROLL for (int r = 0; r < rows; ++r) {
    HINM_UNROLL for (int c = 0; c < Vectors; ++c) store(row_sums[r][c], sums + r * width + c * lanes);
  }
  if (block.last) write_rows<rows, Vectors>(a, quad * stream_rows, sums, row_sums);
}

/// Copies activation rows into the buffer of the next block, a few at a time between rows of weights, so that the copies
/// hide behind the arithmetic.
template <int Vectors>
struct Gatherer {
  const PanelArguments& a;
  float* to;
  std::int64_t next;

  void copy(std::int64_t rows) {
    constexpr int width = Vectors * lanes;
    constexpr std::int64_t ahead = 8;
    const std::int64_t stop = next + rows < a.column_count ? next + rows : a.column_count;
    for (; next < stop; ++next, to += width) {
      if (next + ahead < a.column_count) prefetch(a.columns[next + ahead]);
      const std::uint32_t column = a.columns[next];
      if (column == no_column) {
        HINM_UNROLL for (int c = 0; c < Vectors; ++c) store(zero(), to + c * lanes);
        continue;
      }
      const float* from = a.activations + column * a.activation_stride;
      if (a.width == width) {
        HINM_UNROLL for (int c = 0; c < Vectors; ++c) store(load_unaligned(from + c * lanes), to + c * lanes);
      } else {
        for (std::int64_t i = 0; i < width; ++i) to[i] = i < a.width ? from[i] : 0.0f;
      }
    }
  }

  void prefetch(std::uint32_t column) const {
    if (column == no_column) return;
    const float* from = a.activations + column * a.activation_stride;
    for (std::int64_t i = 0; i < a.width; i += line_weights) HINM_PREFETCH(from + i);
  }
};

template <int Vectors>
void run_panel(const PanelArguments& a) {
  constexpr int quads_at_once = Vectors <= 2 ? 2 : 1;
  const std::int64_t quads = (a.row_count + stream_rows - 1) / stream_rows;
  Gatherer<Vectors> gatherer{a, a.space->gathered[0], 0};
  gatherer.copy(a.block_columns);
  Block block{0, 0, nullptr, true, false};
  int buffer = 0;
  for (std::int64_t first = 0; first < a.column_count; first += a.block_columns) {
    const std::int64_t columns = a.column_count - first < a.block_columns ? a.column_count - first : a.block_columns;
    block.count = columns / a.m * a.n;
    block.gathered = a.space->gathered[buffer];
    block.first = first == 0;
    block.last = first + columns == a.column_count;
    buffer ^= 1;
    gatherer.to = a.space->gathered[buffer];
    std::int64_t coming = a.column_count - gatherer.next < a.block_columns ? a.column_count - gatherer.next : a.block_columns;
    const std::int64_t share = coming * quads_at_once / quads + 1;
    std::int64_t quad = 0;
    for (; quad + quads_at_once <= quads; quad += quads_at_once) {
      multiply_rows<quads_at_once, Vectors>(a, block, quad);
      const std::int64_t rows = share < coming ? share : coming;
      gatherer.copy(rows);
      coming -= rows;
    }
    for (; quad < quads; ++quad) multiply_rows<1, Vectors>(a, block, quad);
    gatherer.copy(coming);
    block.offset += block.stride() * quads;
  }
}

template <int PanelVectors>
void dispatch_panel(int vectors, const PanelArguments& a) {
  if constexpr (PanelVectors >= 4) {
    if (vectors == 4) return run_panel<4>(a);
  }
  if constexpr (PanelVectors >= 3) {
    if (vectors == 3) return run_panel<3>(a);
  }
  if (vectors == 2) return run_panel<2>(a);
  run_panel<1>(a);
}

}  // namespace
}  // namespace hinm::kernels::HINM_SIMD_NAMESPACE
