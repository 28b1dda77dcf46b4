// Which pattern a given mask has.
#pragma once

#include "sparsity/mask.h"
#include "sparsity/pattern.h"

namespace hinm {

/// The most specific pattern that the mask has in the original order of rows and columns: dense, vector, HiNM (V from
/// `tallest_recognised` down by halves, n:m of 4, 2, 8, 16 or 32), V:N:M, n:m, row-wise, else unstructured with its
/// achieved sparsity. A mask that was made under another order of rows or columns looks less structured than it is.
Pattern recognise_mask(const Mask& mask);

/// V of the tallest tile that is looked for; the lowest is 4.
constexpr std::int64_t tallest_recognised = 256;

}  // namespace hinm
