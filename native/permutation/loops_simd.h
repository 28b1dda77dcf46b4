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
    for (std::int64_t i = 0; i < parts; ++i) count += static_cast<std::int64_t>(hn::CountTrue(Tag(), hn::Gt(a.v[i], b.v[i])));
    return count;
  }
};

/// Lanes keep their own best two; only comparisons follow, so the width does not matter.
inline Bid best_two(const float* row, const double* price, std::int64_t count) {
  using Tag = hn::CappedTag<double, 8>;
  using Narrow = hn::Rebind<float, Tag>;
  const Tag tag;
  const auto width = static_cast<std::int64_t>(hn::Lanes(tag));
  auto best = hn::Set(tag, -1e300), second = best, column = hn::Zero(tag);
  auto here = hn::Iota(tag, 0);
  const auto step = hn::Set(tag, static_cast<double>(width));
  std::int64_t j = 0;
  for (; j + width <= count; j += width) {
    const auto value = hn::Sub(hn::PromoteTo(tag, hn::LoadU(Narrow(), row + j)), hn::LoadU(tag, price + j));
    const auto above = hn::Gt(value, best);
    second = hn::Max(second, hn::Min(value, best));
    best = hn::Max(best, value);
    column = hn::IfThenElse(above, here, column);
    here = hn::Add(here, step);
  }
  double bests[8], seconds[8], columns[8];
  hn::StoreU(best, tag, bests);
  hn::StoreU(second, tag, seconds);
  hn::StoreU(column, tag, columns);
  Bid bid{-1e300, -1e300, 0};
  const auto take = [&bid](double value, std::int32_t index) {
    if (value > bid.best || (value == bid.best && index < bid.column)) {
      if (bid.best > bid.second) bid.second = bid.best;
      bid.best = value;
      bid.column = index;
    } else if (value > bid.second) {
      bid.second = value;
    }
  };
  for (std::int64_t lane = 0; lane < width; ++lane) {
    take(bests[lane], static_cast<std::int32_t>(columns[lane]));
    if (seconds[lane] > bid.second) bid.second = seconds[lane];
  }
  for (; j < count; ++j) take(static_cast<double>(row[j]) - price[j], static_cast<std::int32_t>(j));
  return bid;
}

#include "permutation/loops_body.h"

}  // namespace
}  // namespace hinm::HINM_LOOPS_NAMESPACE
