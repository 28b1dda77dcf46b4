// Which weights an n:m pattern keeps by magnitude, and how often that choice changes.
#pragma once

#include <cstdint>
#include <vector>

#include "base/matrix.h"

namespace hinm::training {

/// One byte a weight, row-major: 1 kept, 0 pruned.
using Mask = std::vector<std::uint8_t>;

/// "n of every m kept" along the input axis of a weight matrix (out × in).
struct GroupPattern {
  int kept = 2;
  int of = 4;
};

/// Keeps the `pattern.kept` largest magnitudes of each run of `pattern.of` columns. Ranks by (|x|, index) ascending and
/// drops from the front, so that the higher index survives a tie and −0 equals 0. `mask` has rows × cols entries; cols is
/// a multiple of `pattern.of`.
template <class T>
void magnitude_mask(MatrixView<const T> weights, GroupPattern pattern, std::uint8_t* mask);

/// Share of weights whose mask bit differs, ‖a ⊕ b‖₁ / D with D the number of weights: one swap inside a group flips two
/// bits (S-STE, section 4.1). The masks have equal length; 0 for empty ones.
double flip_rate(const Mask& before, const Mask& after);

}  // namespace hinm::training
