// What every product kernel is launched with. Plain data: the same bytes on host and device.
#pragma once

#include <cstdint>

namespace hinm::cuda {

/// How the weights of a tile are pruned.
enum class Format : std::uint8_t {
  hinm,      ///< kept columns per tile, 2:4 among them
  two_four,  ///< all columns, 2:4
  vector,    ///< kept columns per tile, dense among them
};

enum class Activation : std::int32_t { none, relu, gelu };

/// Logical columns that one step of a kernel multiplies; kept columns are padded to it.
inline constexpr int kStepColumns = 64;

/// Y = activation(W·X + bias). X is K-major: row k holds the N activations of input channel k.
struct ProductArguments {
  const void* values;             ///< 16-bit, fragment-major (device_packing.h)
  const std::uint32_t* metadata;  ///< fragment-major; null without 2:4
  const std::int32_t* columns;    ///< [tile][steps·64], −1 is padding; null where all columns are kept
  const std::int32_t* rows;       ///< [tile][V], output row of each tile row, −1 is padding
  const std::uint16_t* x;         ///< [K][ldx], base 16-byte aligned, ldx a multiple of 8
  void* y;                        ///< [M][ldy], float or the 16-bit type; ldy even, base 8-byte aligned
  const float* bias;              ///< [M] by output row, or null
  float* parts;                   ///< partial sums of a split product, or null
  std::uint32_t* arrivals;        ///< [tiles·blocks], zero before and after a split product
  std::int32_t steps;             ///< of 64 logical columns
  std::int32_t depth;             ///< K
  std::int32_t n;
  std::int32_t ldx;
  std::int32_t ldy;
  Activation activation;
  std::int32_t output_16bit;      ///< 1: y has the 16-bit type of x
};

}  // namespace hinm::cuda
