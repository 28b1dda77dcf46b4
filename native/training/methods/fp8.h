// FP8 numbers (OCP OFP8: E4M3 and E5M2) and per-tensor current scaling, as S-STE trains with (section 5.2).
#pragma once

#include <cstdint>

#include "base/matrix.h"

namespace hinm::training {

enum class Fp8Format { e4m3, e5m2 };

/// What becomes of a value beyond the largest finite one: `saturate` clamps it (and ±Inf), `overflow` gives NaN in e4m3
/// (which has no infinity) and ±Inf in e5m2. NaN stays NaN in both.
enum class Fp8Overflow { saturate, overflow };

/// 448 for e4m3, 57344 for e5m2.
double fp8_largest(Fp8Format format);

/// The code nearest to `value`, ties to even; the range check is on the rounded value.
std::uint8_t fp8_encode(double value, Fp8Format format, Fp8Overflow mode);
double fp8_decode(std::uint8_t code, Fp8Format format);

/// What a tensor lost on its way to FP8.
struct Fp8Loss {
  std::int64_t values = 0;
  std::int64_t saturated = 0;  ///< beyond the largest finite value after scaling
  std::int64_t underflowed = 0;  ///< non-zero before, zero after

  void add(const Fp8Loss& other) {
    values += other.values;
    saturated += other.saturated;
    underflowed += other.underflowed;
  }
};

/// scale = largest/amax of the tensor (1 where amax is 0); writes decode(encode(x·scale)), the value still scaled.
struct Fp8Tensor {
  double scale = 1;
  Fp8Loss loss;
};
template <class T>
Fp8Tensor fp8_quantize(MatrixView<const T> values, Fp8Format format, Fp8Overflow mode, MatrixView<T> quantized);

}  // namespace hinm::training
