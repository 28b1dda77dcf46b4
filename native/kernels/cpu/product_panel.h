// The packed product of one tile and one panel of activation columns, written once for all instruction sets.
// Included by product_<instruction set>.cpp after HINM_SIMD_NAMESPACE is defined.
//
// The kept activation rows of a block of columns are gathered into the first-level cache; then four or eight rows of
// weights run over the block with their sums in registers. A block's sums start at zero and are added to the panel's at
// its end: the rounding error grows with the square root of the block length plus the number of blocks instead of
// with that of all terms.
#pragma once

#include "kernels/cpu/product_kernel.h"
#include "kernels/cpu/simd.h"
#include "kernels/format/packed_matrix.h"

namespace hinm::kernels::HINM_SIMD_NAMESPACE {
namespace {

template <int Vectors>
HINM_INLINE void multiply_add(Vec weight, const float* x, Vec* sums) {
  HINM_UNROLL for (int c = 0; c < Vectors; ++c) sums[c] = mul_add(weight, load(x + c * lanes), sums[c]);
}

/// `Quads` × 4 rows over one gathered block; `stride` weights lie between the streams of two quads.
template <int Quads, int Vectors>
HINM_NOINLINE void multiply_rows(const float* weights, const std::uint8_t* index, std::int64_t stride, const float* gathered, std::int64_t count,
                                 float* sums, bool first) {
  constexpr int width = Vectors * lanes;
  Vec row_sums[Quads * stream_rows][Vectors];
  HINM_UNROLL for (int r = 0; r < Quads * stream_rows; ++r) {
    HINM_UNROLL for (int c = 0; c < Vectors; ++c) row_sums[r][c] = zero();
  }
  for (std::int64_t j = 0; j < count; ++j) {
    HINM_UNROLL for (int q = 0; q < Quads; ++q) {
      const Vec four = load_four(weights + q * stride);
      std::uint32_t columns;
      std::memcpy(&columns, index + q * stride, sizeof columns);
      Vec(*quad)[Vectors] = row_sums + q * stream_rows;
      multiply_add<Vectors>(broadcast<0>(four), gathered + (columns & 255) * width, quad[0]);
      multiply_add<Vectors>(broadcast<1>(four), gathered + (columns >> 8 & 255) * width, quad[1]);
      multiply_add<Vectors>(broadcast<2>(four), gathered + (columns >> 16 & 255) * width, quad[2]);
      multiply_add<Vectors>(broadcast<3>(four), gathered + (columns >> 24) * width, quad[3]);
    }
    weights += stream_rows;
    index += stream_rows;
  }
  HINM_UNROLL for (int r = 0; r < Quads * stream_rows; ++r) {
    HINM_UNROLL for (int c = 0; c < Vectors; ++c) {
      float* to = sums + r * width + c * lanes;
      store(first ? row_sums[r][c] : add(load(to), row_sums[r][c]), to);
    }
  }
}

template <int Vectors>
void gather(const PanelArguments& a, const std::uint32_t* columns, std::int64_t count) {
  constexpr int width = Vectors * lanes;
  constexpr std::int64_t ahead = 12;
  for (std::int64_t k = 0; k < count; ++k) {
    float* to = a.gathered + k * width;
    if (columns[k] == no_column) {
      HINM_UNROLL for (int c = 0; c < Vectors; ++c) store(zero(), to + c * lanes);
      continue;
    }
    if (k + ahead < count && columns[k + ahead] != no_column) {
      const float* next = a.activations + columns[k + ahead] * a.activation_stride;
      for (std::int64_t i = 0; i < a.width; i += 16) HINM_PREFETCH(next + i);
    }
    const float* from = a.activations + columns[k] * a.activation_stride;
    if (a.width == width) {
      HINM_UNROLL for (int c = 0; c < Vectors; ++c) store(load_unaligned(from + c * lanes), to + c * lanes);
    } else {
      for (std::int64_t i = 0; i < width; ++i) to[i] = i < a.width ? from[i] : 0.0f;
    }
  }
}

template <int Vectors>
void write_out(const PanelArguments& a) {
  constexpr int width = Vectors * lanes;
  for (std::int64_t r = 0; r < a.row_count; ++r) {
    const float* from = a.sums + r * width;
    float* to = a.output + a.output_rows[r] * a.output_stride;
    if (a.width == width) {
      HINM_UNROLL for (int c = 0; c < Vectors; ++c) store_unaligned(load(from + c * lanes), to + c * lanes);
    } else {
      std::memcpy(to, from, static_cast<std::size_t>(a.width) * sizeof(float));
    }
  }
}

template <int Vectors>
void run_panel(const PanelArguments& a) {
  constexpr int quads_at_once = Vectors <= 2 ? 2 : 1;
  const std::int64_t quads = (a.row_count + stream_rows - 1) / stream_rows;
  const float* weights = a.weights;
  const std::uint8_t* index = a.index;
  for (std::int64_t first = 0; first < a.column_count; first += a.block_columns) {
    const std::int64_t columns = a.column_count - first < a.block_columns ? a.column_count - first : a.block_columns;
    const std::int64_t count = columns / a.m * a.n;
    const std::int64_t stride = count * stream_rows;
    gather<Vectors>(a, a.columns + first, columns);
    std::int64_t quad = 0;
    for (; quad + quads_at_once <= quads; quad += quads_at_once) {
      float* sums = a.sums + quad * stream_rows * Vectors * lanes;
      multiply_rows<quads_at_once, Vectors>(weights, index, stride, a.gathered, count, sums, first == 0);
      weights += quads_at_once * stride;
      index += quads_at_once * stride;
    }
    for (; quad < quads; ++quad) {
      float* sums = a.sums + quad * stream_rows * Vectors * lanes;
      multiply_rows<1, Vectors>(weights, index, stride, a.gathered, count, sums, first == 0);
      weights += stride;
      index += stride;
    }
  }
  write_out<Vectors>(a);
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
