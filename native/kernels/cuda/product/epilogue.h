// What happens to a finished sum: parts of a split product are added, then bias, activation, and the row list.
#pragma once

#include "kernels/cuda/product/product_arguments.h"
#include "kernels/cuda/simt/simt.h"

namespace hinm::cuda {

SIMT_DEVICE float activated(Activation activation, float value) {
  if (activation == Activation::relu) return value > 0.0f ? value : 0.0f;
  if (activation == Activation::gelu) return 0.5f * value * (1.0f + simt::error_function(value * 0.70710678118654752f));
  return value;
}

/// Stores columns n and n+1 (n even) of output row `row`; drops what lies past N and rows of padding.
template <ValueType Type>
SIMT_DEVICE void store_pair(const ProductArguments& p, int row, int n, float first, float second) {
  if (row < 0 || n >= p.n) return;
  if (p.bias != nullptr) {
    const float bias = simt::load_global(p.bias + row);
    first += bias;
    second += bias;
  }
  first = activated(p.activation, first);
  second = activated(p.activation, second);
  const std::int64_t index = static_cast<std::int64_t>(row) * p.ldy + n;
  if (p.output_16bit != 0) {
    auto* y = static_cast<std::uint16_t*>(p.y) + index;
    const std::uint32_t packed = simt::pack_pair<Type>(first, second);
    if (n + 1 < p.n) {
      simt::store_global(reinterpret_cast<std::uint32_t*>(y), packed);
    } else {
      simt::store_global(y, static_cast<std::uint16_t>(packed));
    }
  } else {
    auto* y = static_cast<float*>(p.y) + index;
    if (n + 1 < p.n) {
      simt::store_global(y, first, second);
    } else {
      simt::store_global(y, first);
    }
  }
}

/// Floats from one staged row to the next: eight more than a row, so that the lanes of a half-warp meet different banks.
template <int Columns>
inline constexpr int kPatchStride = Columns * 8 + 8;
template <int Columns>
inline constexpr int kPatchBytes = 16 * kPatchStride<Columns> * 4;

/// Sixteen output rows of one warp, `Columns` fragments of eight columns wide, from accumulators First, First+1, … of `d`.
/// They go through a patch of shared memory that is the warp's own, so that each row is stored in one piece.
template <ValueType Type, int First, int Columns, int Fragments>
SIMT_DEVICE void store_rows(const ProductArguments& p, const float (&d)[Fragments][4], char* patch, int tile_row, int n0, int lane) {
  static_assert(First + Columns <= Fragments);
  auto* staged = reinterpret_cast<float*>(patch);
  SIMT_UNROLL
  for (int j = 0; j < Columns; ++j) {
    float* upper = staged + lane / 4 * kPatchStride<Columns> + j * 8 + lane % 4 * 2;
    simt::store_shared(upper, d[First + j][0], d[First + j][1]);
    simt::store_shared(upper + 8 * kPatchStride<Columns>, d[First + j][2], d[First + j][3]);
  }
  simt::warp_barrier();
  for (int i = lane; i < 16 * Columns * 4; i += 32) {
    const int row = i / (Columns * 4);
    const int column = i % (Columns * 4) * 2;
    float pair[2];
    simt::load_shared(pair, staged + row * kPatchStride<Columns> + column);
    store_pair<Type>(p, simt::load_global(p.rows + tile_row + row), n0 + column, pair[0], pair[1]);
  }
  simt::warp_barrier();
}

/// Split-K: every block stores its part, and whichever block of an output tile comes last adds all parts in the order of
/// blockIdx.z, so that the sum does not depend on the order of arrival. Returns true in that block, with the sums in `d`.
/// `thread` counts the Threads that hold accumulators; barrier Id 0 is the whole block's.
template <int BarrierId, int Threads, int Fragments>
SIMT_DEVICE bool sum_parts(const ProductArguments& p, float (&d)[Fragments][4], int thread) {
  const int tiles = simt::grid_x();
  const int parts = simt::grid_z();
  if (parts == 1) return true;
  const int output = simt::block_y() * tiles + simt::block_x();
  const std::int64_t part_size = static_cast<std::int64_t>(tiles) * simt::grid_y() * Fragments * Threads * 4;
  float* own = p.parts + static_cast<std::int64_t>(output) * (Fragments * Threads * 4) + thread * 2;
  SIMT_UNROLL
  for (int i = 0; i < Fragments; ++i) {
    float* pair = own + part_size * simt::block_z() + i * (Threads * 4);
    simt::store_global(pair, d[i][0], d[i][1]);
    simt::store_global(pair + Threads * 2, d[i][2], d[i][3]);
  }
  char* ticket = simt::dynamic_shared_memory();
  simt::named_barrier<BarrierId, Threads>();
  if (thread == 0) {
    simt::device_fence();
    const std::uint32_t arrived = simt::atomic_increment(p.arrivals + output);
    simt::store_shared(ticket, arrived);
    if (arrived == static_cast<std::uint32_t>(parts - 1)) {
      simt::store_global(p.arrivals + output, 0u);
      simt::device_fence();
    }
  }
  simt::named_barrier<BarrierId, Threads>();
  if (simt::load_shared(ticket) != static_cast<std::uint32_t>(parts - 1)) return false;
  SIMT_UNROLL
  for (int i = 0; i < Fragments; ++i) {
    SIMT_UNROLL
    for (int q = 0; q < 4; ++q) d[i][q] = 0.0f;
  }
  for (int part = 0; part < parts; ++part) {
    SIMT_UNROLL
    for (int i = 0; i < Fragments; ++i) {
      const float* pair = own + part_size * part + i * (Threads * 4);
      float upper[2], lower[2];
      simt::load_other_block(upper, pair);
      simt::load_other_block(lower, pair + Threads * 2);
      d[i][0] += upper[0];
      d[i][1] += upper[1];
      d[i][2] += lower[0];
      d[i][3] += lower[1];
    }
  }
  return true;
}

}  // namespace hinm::cuda
