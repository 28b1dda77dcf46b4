#include "training/methods/fp8.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace hinm::training {
namespace {

struct Layout {
  int mantissa_bits;
  int bias;
  double largest;
  std::uint8_t largest_code;
  bool has_infinity;
  std::uint8_t not_a_number;
};

constexpr Layout layout_of(Fp8Format format) {
  return format == Fp8Format::e4m3 ? Layout{3, 7, 448, 0x7E, false, 0x7F} : Layout{2, 15, 57344, 0x7B, true, 0x7E};
}

constexpr std::uint8_t infinity_code = 0x7C;

/// Rounds a float of ordinary size to a multiple of the format's step at its exponent, ties to even: adding and taking away
/// 1.5·2^23 steps leaves no bit below one step.
float round_to_step(float value, const Layout& layout) {
  const int exponent = std::max(static_cast<int>(std::bit_cast<std::uint32_t>(value) >> 23 & 0xFF) - 127, 1 - layout.bias);
  const float step = std::bit_cast<float>(static_cast<std::uint32_t>(exponent - layout.mantissa_bits + 127) << 23);
  const float shift = 12582912.0f * step;
  return (value + shift) - shift;
}

double round_to_step(double value, const Layout& layout) {
  int exponent;
  std::frexp(value, &exponent);
  const int step = std::max(exponent - 1, 1 - layout.bias) - layout.mantissa_bits;
  return std::ldexp(std::nearbyint(std::ldexp(value, -step)), step);
}

template <class T>
T beyond_range(T value, const Layout& layout, Fp8Overflow mode) {
  if (mode == Fp8Overflow::saturate) return std::copysign(static_cast<T>(layout.largest), value);
  return layout.has_infinity ? std::copysign(std::numeric_limits<T>::infinity(), value) : std::numeric_limits<T>::quiet_NaN();
}

}  // namespace

double fp8_largest(Fp8Format format) { return layout_of(format).largest; }

std::uint8_t fp8_encode(double value, Fp8Format format, Fp8Overflow mode) {
  const Layout layout = layout_of(format);
  const std::uint8_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value)) return sign | layout.not_a_number;
  const double rounded = std::isinf(value) ? value : round_to_step(value, layout);
  if (std::abs(rounded) > layout.largest) {
    if (mode == Fp8Overflow::saturate) return sign | layout.largest_code;
    return sign | (layout.has_infinity ? infinity_code : layout.not_a_number);
  }
  if (rounded == 0) return sign;
  int exponent;
  std::frexp(rounded, &exponent);
  const int step_exponent = std::max(exponent - 1, 1 - layout.bias) - layout.mantissa_bits;
  const int significand = static_cast<int>(std::ldexp(std::abs(rounded), -step_exponent));
  // A normal number's leading bit adds one to the exponent field; a subnormal has none, and its field is 0.
  const int field = step_exponent + layout.mantissa_bits + layout.bias - 1;
  return static_cast<std::uint8_t>(sign | ((field << layout.mantissa_bits) + significand));
}

double fp8_decode(std::uint8_t code, Fp8Format format) {
  const Layout layout = layout_of(format);
  const double sign = code & 0x80 ? -1 : 1;
  const int body = code & 0x7F;
  const int field = body >> layout.mantissa_bits;
  const int fraction = body & ((1 << layout.mantissa_bits) - 1);
  if (layout.has_infinity && body == infinity_code) return sign * std::numeric_limits<double>::infinity();
  if (body > layout.largest_code) return std::numeric_limits<double>::quiet_NaN();
  const int significand = field == 0 ? fraction : fraction + (1 << layout.mantissa_bits);
  return sign * std::ldexp(significand, std::max(field, 1) - layout.bias - layout.mantissa_bits);
}

template <class T>
Fp8Tensor fp8_quantize(MatrixView<const T> values, Fp8Format format, Fp8Overflow mode, MatrixView<T> quantized) {
  const Layout layout = layout_of(format);
  T largest = 0;
  for (std::int64_t r = 0; r < values.rows; ++r) {
    for (std::int64_t c = 0; c < values.cols; ++c) largest = std::max(largest, std::abs(values.at(r, c)));
  }
  Fp8Tensor tensor;
  // A tensor of subnormals would get an infinite scale, and zero times that is NaN.
  const T scale = largest == 0 ? T{1} : std::min(static_cast<T>(layout.largest) / largest, std::numeric_limits<T>::max());
  tensor.scale = static_cast<double>(scale);
  tensor.loss.values = values.size();
  for (std::int64_t r = 0; r < values.rows; ++r) {
    for (std::int64_t c = 0; c < values.cols; ++c) {
      const T value = values.at(r, c);
      T rounded = round_to_step(value * scale, layout);
      if (std::abs(rounded) > static_cast<T>(layout.largest)) {
        rounded = beyond_range(rounded, layout, mode);
        ++tensor.loss.saturated;
      }
      tensor.loss.underflowed += rounded == 0 && value != 0;
      quantized.at(r, c) = rounded;
    }
  }
  return tensor;
}

template Fp8Tensor fp8_quantize(MatrixView<const float>, Fp8Format, Fp8Overflow, MatrixView<float>);
template Fp8Tensor fp8_quantize(MatrixView<const double>, Fp8Format, Fp8Overflow, MatrixView<double>);

}  // namespace hinm::training
