// An explicit mask: which weights are kept. Never inferred from values: zeros and -0.0 are legal survivors.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace hinm {

/// rows × cols bits in the original order of rows and columns; bit r·cols + c, least significant bit of a byte first.
struct Mask {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::uint8_t> bits;

  Mask() = default;
  Mask(std::int64_t row_count, std::int64_t col_count)
      : rows(row_count), cols(col_count), bits(static_cast<std::size_t>((row_count * col_count + 7) / 8)) {}

  bool kept(std::int64_t r, std::int64_t c) const { return kept(r * cols + c); }
  bool kept(std::int64_t index) const { return (bits[static_cast<std::size_t>(index >> 3)] >> (index & 7)) & 1; }
  void keep(std::int64_t r, std::int64_t c) { keep(r * cols + c); }
  void keep(std::int64_t index) {
    bits[static_cast<std::size_t>(index >> 3)] |= static_cast<std::uint8_t>(1u << (index & 7));
  }

  std::int64_t count() const {
    std::int64_t total = 0;
    for (const std::uint8_t byte : bits) total += std::popcount(byte);
    return total;
  }
};

}  // namespace hinm
