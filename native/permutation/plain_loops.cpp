#include <cstring>

#include "permutation/loops.h"

namespace hinm {
namespace plain {
namespace {

/// Sixteen floats, one after the other.
struct Lanes {
  float v[lane_count];

  static Lanes broadcast(float x) {
    Lanes lanes;
    for (float& lane : lanes.v) lane = x;
    return lanes;
  }
  static Lanes load(const float* from) {
    Lanes lanes;
    std::memcpy(lanes.v, from, sizeof lanes.v);
    return lanes;
  }
  void store(float* to) const { std::memcpy(to, v, sizeof v); }

  template <class Combine>
  static Lanes each(const Lanes& a, const Lanes& b, Combine combine) {
    Lanes lanes;
    for (int i = 0; i < lane_count; ++i) lanes.v[i] = combine(a.v[i], b.v[i]);
    return lanes;
  }
  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return each(a, b, [](float x, float y) { return x + y; });
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return each(a, b, [](float x, float y) { return x - y; });
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return each(a, b, [](float x, float y) { return x * y; });
  }
  static Lanes larger(const Lanes& a, const Lanes& b) {
    return each(a, b, [](float x, float y) { return x > y ? x : y; });
  }
  static Lanes where_greater(const Lanes& a, const Lanes& b) {
    return each(a, b, [](float x, float y) { return x > y ? x : 0.0f; });
  }
  static std::int64_t count_greater(const Lanes& a, const Lanes& b) {
    std::int64_t count = 0;
    for (int i = 0; i < lane_count; ++i) count += a.v[i] > b.v[i];
    return count;
  }
};

Bid best_two(const float* row, const float* price, std::int64_t padded) {
  Bid bid{-3e38f, -3e38f, 0};
  for (std::int64_t j = 0; j < padded; ++j) {
    const float value = row[j] - price[j];
    if (value > bid.best) {
      bid = {value, bid.best, static_cast<std::int32_t>(j)};
    } else if (value > bid.second) {
      bid.second = value;
    }
  }
  return bid;
}

#include "permutation/loops_body.h"

}  // namespace
}  // namespace plain

const Loops& plain_loops() { return plain::table(); }

}  // namespace hinm
