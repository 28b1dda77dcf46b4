// Masks that are 2:4 along rows and along columns, so that the same compressed weights serve the forward and the backward
// product (Hubara et al., arXiv 2102.08124; the 2:4 pre-training that S-STE is compared with).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/matrix.h"
#include "training/methods/magnitude_mask.h"

namespace hinm::training {

/// A 4×4 pattern, row-major; entry 0 is the highest of 16 bits.
using BlockPattern = std::uint16_t;

/// All 90 patterns with two in every row and column, the lexicographically largest bit string first.
const std::vector<BlockPattern>& transposable_patterns();

/// The pattern that keeps the largest sum of magnitudes; the first of the list on a tie.
BlockPattern best_transposable(const std::array<double, 16>& block);

/// Largest magnitudes first, each kept while its row and its column have fewer than two; it may end with fewer than eight.
BlockPattern greedy_transposable(const std::array<double, 16>& block);

/// Masks a whole matrix block by block; rows and cols are multiples of four.
template <class T>
void transposable_mask(MatrixView<const T> weights, bool exact, std::uint8_t* mask);

}  // namespace hinm::training
