// Counter-based random numbers: the value depends only on key and counter, so that any thread count and any
// order of evaluation draws the same numbers. Philox4x32-10 (Salmon et al., "Parallel Random Numbers: As Easy
// as 1, 2, 3", SC 2011).
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace hinm {

/// The four 32-bit words of Philox4x32-10 for this counter and key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// A stream of numbers for one purpose. Streams with different (seed, a, b, c) are independent: use e.g.
/// (seed, layer, tile, iteration). Satisfies UniformRandomBitGenerator, but use `below` and `uniform`: the
/// distributions of the standard library differ between implementations.
class RandomStream {
 public:
  using result_type = std::uint32_t;

  explicit RandomStream(std::uint64_t seed, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}, counter_{0, a, b, c} {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()();

  /// Uniform integer in [0, bound); bound > 0. Unbiased (Lemire's rejection).
  std::uint32_t below(std::uint32_t bound);
  /// Uniform in [0, 1) with 53 bits.
  double uniform();
  /// Standard normal (Box–Muller; both values of a pair are used).
  double normal();

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
  double spare_normal_ = 0;
  bool has_spare_ = false;
};

/// Fisher–Yates shuffle of `count` elements, the same on every platform.
template <class T>
void shuffle(T* first, std::uint32_t count, RandomStream& random) {
  for (std::uint32_t i = count; i > 1; --i) {
    const std::uint32_t j = random.below(i);
    const T moved = first[i - 1];
    first[i - 1] = first[j];
    first[j] = moved;
  }
}

}  // namespace hinm
