// The tile over Google Highway, written once. Included by tile_<instruction set>.cpp after HINM_TILE_NAMESPACE is defined;
// everything in here has internal linkage, so that no copy compiled for a wide instruction set is called elsewhere.
#pragma once

#include <hwy/highway.h>

#include "training/engine/tile_kernel.h"

#if defined(__GNUC__)
#define HINM_TILE_UNROLL _Pragma("GCC unroll 16")
#else
#define HINM_TILE_UNROLL
#endif

namespace hinm::training::HINM_TILE_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T, int Rows, int Vectors>
void run_tile(const TileArguments<T>& t) {
  const hn::ScalableTag<T> tag;
  using Vec = hn::Vec<hn::ScalableTag<T>>;
  constexpr int lanes = static_cast<int>(HWY_LANES(T));
  Vec sums[Rows][Vectors];
  HINM_TILE_UNROLL for (int r = 0; r < Rows; ++r) {
    HINM_TILE_UNROLL for (int v = 0; v < Vectors; ++v) sums[r][v] = hn::Zero(tag);
  }
  const T* panel = t.panel;
  const T* a = t.a;
  for (std::int64_t k = 0; k < t.depth; ++k) {
    Vec b[Vectors];
    HINM_TILE_UNROLL for (int v = 0; v < Vectors; ++v) b[v] = hn::LoadU(tag, panel + v * lanes);
    HINM_TILE_UNROLL for (int r = 0; r < Rows; ++r) {
      const Vec x = hn::Set(tag, a[r * t.a_row_step]);
      HINM_TILE_UNROLL for (int v = 0; v < Vectors; ++v) sums[r][v] = hn::MulAdd(x, b[v], sums[r][v]);
    }
    panel += tile_vectors * lanes;
    a += t.a_depth_step;
  }
  for (int r = 0; r < Rows; ++r) {
    T* to = t.result + r * t.result_stride;
    for (int v = 0; v < Vectors; ++v) {
      const std::int64_t left = t.columns - v * lanes;
      if (left <= 0) break;
      if (left >= lanes) {
        const Vec before = t.accumulate ? hn::LoadU(tag, to + v * lanes) : hn::Zero(tag);
        hn::StoreU(hn::Add(before, sums[r][v]), tag, to + v * lanes);
      } else {
        T buffer[lanes];
        hn::StoreU(sums[r][v], tag, buffer);
        for (std::int64_t c = 0; c < left; ++c) to[v * lanes + c] = (t.accumulate ? to[v * lanes + c] : T{0}) + buffer[c];
      }
    }
  }
}

template <class T, int Rows>
void run_rows(int row_count, const TileArguments<T>& t) {
  if (row_count == Rows) {
    if (t.columns > static_cast<std::int64_t>(HWY_LANES(T))) run_tile<T, Rows, tile_vectors>(t);
    else run_tile<T, Rows, 1>(t);
    return;
  }
  if constexpr (Rows > 1) run_rows<T, Rows - 1>(row_count, t);
}

template <class T>
constexpr TileKernel<T> make_kernel() {
  return {tile_rows, tile_vectors * static_cast<int>(HWY_LANES(T)), run_rows<T, tile_rows>};
}

}  // namespace
}  // namespace hinm::training::HINM_TILE_NAMESPACE
