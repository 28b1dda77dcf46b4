// Lanes over Google Highway for the one instruction set that the including file is compiled for. That file defines
// HINM_LOOPS_NAMESPACE, a namespace of its own: no inline function compiled for one set may be called from another.
#pragma once

#include <hwy/highway.h>

#include <cstring>

#include "permutation/loops.h"

#if defined(__GNUC__)
#define HINM_LOOPS_INLINE inline __attribute__((always_inline))
#else
#define HINM_LOOPS_INLINE __forceinline
#endif

namespace hinm::HINM_LOOPS_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Sixteen floats in as many vectors as the instruction set needs.
struct Lanes {
  using Tag = hn::CappedTag<float, lane_count>;
  using Vector = hn::Vec<Tag>;
  static constexpr std::int64_t width = hn::MaxLanes(Tag());
  static constexpr std::int64_t parts = lane_count / width;

  Vector v[parts];

  static HINM_LOOPS_INLINE Lanes broadcast(float x) {
    Lanes lanes;
    for (Vector& part : lanes.v) part = hn::Set(Tag(), x);
    return lanes;
  }
  static HINM_LOOPS_INLINE Lanes load(const float* from) {
    Lanes lanes;
    for (std::int64_t i = 0; i < parts; ++i) lanes.v[i] = hn::LoadU(Tag(), from + i * width);
    return lanes;
  }
  HINM_LOOPS_INLINE void store(float* to) const {
    for (std::int64_t i = 0; i < parts; ++i) hn::StoreU(v[i], Tag(), to + i * width);
  }
  friend HINM_LOOPS_INLINE Lanes operator+(Lanes a, const Lanes& b) {
    for (std::int64_t i = 0; i < parts; ++i) a.v[i] = hn::Add(a.v[i], b.v[i]);
    return a;
  }
  friend HINM_LOOPS_INLINE Lanes operator-(Lanes a, const Lanes& b) {
    for (std::int64_t i = 0; i < parts; ++i) a.v[i] = hn::Sub(a.v[i], b.v[i]);
    return a;
  }
  friend HINM_LOOPS_INLINE Lanes operator*(Lanes a, const Lanes& b) {
    for (std::int64_t i = 0; i < parts; ++i) a.v[i] = hn::Mul(a.v[i], b.v[i]);
    return a;
  }
  static HINM_LOOPS_INLINE Lanes larger(Lanes a, const Lanes& b) {
    for (std::int64_t i = 0; i < parts; ++i) a.v[i] = hn::Max(a.v[i], b.v[i]);
    return a;
  }
  static HINM_LOOPS_INLINE Lanes where_greater(Lanes a, const Lanes& b) {
    for (std::int64_t i = 0; i < parts; ++i) a.v[i] = hn::IfThenElseZero(hn::Gt(a.v[i], b.v[i]), a.v[i]);
    return a;
  }
  static HINM_LOOPS_INLINE std::int64_t count_greater(const Lanes& a, const Lanes& b) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < parts; ++i)
      count += static_cast<std::int64_t>(hn::CountTrue(Tag(), hn::Gt(a.v[i], b.v[i])));
    return count;
  }
};

/// Each lane keeps its own best two; only comparisons follow, so the width does not matter.
inline Bid best_two(const float* row, const float* price, std::int64_t padded) {
  using Tag = Lanes::Tag;
  const Tag tag;
  constexpr std::int64_t width = Lanes::width;
  const hn::RebindToSigned<Tag> whole;
  auto best = hn::Set(tag, -3e38f), second = best;
  auto column = hn::Zero(whole), here = hn::Iota(whole, 0);
  const auto step = hn::Set(whole, static_cast<std::int32_t>(width));
  for (std::int64_t j = 0; j < padded; j += width) {
    const auto value = hn::Sub(hn::LoadU(tag, row + j), hn::LoadU(tag, price + j));
    const auto above = hn::Gt(value, best);
    second = hn::Max(second, hn::Min(value, best));
    best = hn::Max(best, value);
    column = hn::IfThenElse(hn::RebindMask(whole, above), here, column);
    here = hn::Add(here, step);
  }
  float bests[lane_count], seconds[lane_count];
  std::int32_t columns[lane_count];
  hn::StoreU(best, tag, bests);
  hn::StoreU(second, tag, seconds);
  hn::StoreU(column, whole, columns);
  Bid bid{-3e38f, -3e38f, 0};
  for (std::int64_t lane = 0; lane < width; ++lane) {
    if (bests[lane] > bid.best || (bests[lane] == bid.best && columns[lane] < bid.column)) {
      if (bid.best > bid.second) bid.second = bid.best;
      bid.best = bests[lane];
      bid.column = columns[lane];
    } else if (bests[lane] > bid.second) {
      bid.second = bests[lane];
    }
    if (seconds[lane] > bid.second) bid.second = seconds[lane];
  }
  return bid;
}

#include "permutation/loops_body.h"

}  // namespace
}  // namespace hinm::HINM_LOOPS_NAMESPACE
