#include "training/methods/compressed_groups.h"

#include <array>

namespace hinm::training {
namespace {

/// First and second kept index of each 4-bit mask (bit i is element i); masks that do not keep two are never asked for.
constexpr std::array<std::array<std::uint8_t, 2>, 16> kept_pair = [] {
  std::array<std::array<std::uint8_t, 2>, 16> table{};
  for (unsigned bits = 0; bits < 16; ++bits) {
    unsigned found = 0;
    for (std::uint8_t i = 0; i < 4 && found < 2; ++i) {
      if (bits >> i & 1) table[bits][found++] = i;
    }
  }
  return table;
}();

}  // namespace

template <class T>
void compress(MatrixView<const T> weights, const Mask& mask, CompressedGroups<T>& compressed) {
  compressed.values.resize(mask.size() / 2);
  compressed.positions.resize(mask.size() / 4);
  for (std::int64_t g = 0; g < weights.size() / 4; ++g) {
    const T* group = weights.row(g * 4 / weights.cols) + g * 4 % weights.cols;
    const std::uint8_t* kept = mask.data() + g * 4;
    const auto& pair = kept_pair[kept[0] | kept[1] << 1 | kept[2] << 2 | kept[3] << 3];
    const auto at = static_cast<std::size_t>(g);
    compressed.values[2 * at] = group[pair[0]];
    compressed.values[2 * at + 1] = group[pair[1]];
    compressed.positions[at] = static_cast<std::uint8_t>(pair[0] | pair[1] << 2);
  }
}

template void compress(MatrixView<const float>, const Mask&, CompressedGroups<float>&);
template void compress(MatrixView<const double>, const Mask&, CompressedGroups<double>&);

}  // namespace hinm::training
