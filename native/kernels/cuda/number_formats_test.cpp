#include "kernels/cuda/number_formats.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

using namespace hinm::cuda;

TEST_CASE("every 16-bit value survives the way to float32 and back") {
  for (const ValueType type : {ValueType::f16, ValueType::bf16}) {
    int changed = 0;
    for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
      const float value = decode(type, static_cast<std::uint16_t>(bits));
      const std::uint16_t back = encode(type, value);
      // NaN need only stay NaN.
      changed += std::isnan(value) ? !std::isnan(decode(type, back)) : back != bits;
    }
    CHECK(changed == 0);
  }
}

TEST_CASE("halfway values round to even, neighbours to the nearest") {
  // f16 has 10 fraction bits: 1 + 2^-11 is halfway between 1 and 1 + 2^-10.
  CHECK(to_f16(1.0f + 0x1p-11f) == 0x3c00);
  CHECK(to_f16(1.0f + 3 * 0x1p-11f) == 0x3c02);
  CHECK(to_f16(std::nextafter(1.0f + 0x1p-11f, 2.0f)) == 0x3c01);
  // bf16 has 7: 1 + 2^-8 is halfway.
  CHECK(to_bf16(1.0f + 0x1p-8f) == 0x3f80);
  CHECK(to_bf16(1.0f + 3 * 0x1p-8f) == 0x3f82);
  CHECK(to_bf16(std::nextafter(1.0f + 0x1p-8f, 2.0f)) == 0x3f81);
}

TEST_CASE("the ends of the float16 range") {
  // 65504 is the largest; 65520 is halfway to the next power step and rounds to infinity.
  CHECK(to_f16(65504.0f) == 0x7bff);
  CHECK(to_f16(65519.0f) == 0x7bff);
  CHECK(to_f16(65520.0f) == 0x7c00);
  CHECK(to_f16(-std::numeric_limits<float>::infinity()) == 0xfc00);
  // 2^-24 is the smallest; half of it rounds to even zero, a little more rounds up.
  CHECK(to_f16(0x1p-24f) == 0x0001);
  CHECK(to_f16(0x1p-25f) == 0x0000);
  CHECK(to_f16(std::nextafter(0x1p-25f, 1.0f)) == 0x0001);
  // Largest subnormal 1023·2^-24, and the smallest normal 2^-14 just above it.
  CHECK(to_f16(1023 * 0x1p-24f) == 0x03ff);
  CHECK(to_f16(0x1p-14f) == 0x0400);
}
