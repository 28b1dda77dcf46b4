// 2:4 weights as a sparse tensor core takes them: two values and two 2-bit positions a group. The step benchmark counts
// its cost.
#pragma once

#include <cstdint>
#include <vector>

#include "base/matrix.h"
#include "training/methods/magnitude_mask.h"

namespace hinm::training {

template <class T>
struct CompressedGroups {
  std::vector<T> values;                ///< rows × cols/2
  std::vector<std::uint8_t> positions;  ///< one nibble a group: low two bits the first kept index, high two the second
};

/// Takes what `mask` keeps, exactly two of every four columns.
template <class T>
void compress(MatrixView<const T> weights, const Mask& mask, CompressedGroups<T>& compressed);

}  // namespace hinm::training
