// Counting what a mask keeps against what its pattern promises.
#pragma once

#include "base/result.h"
#include "sparsity/mask.h"
#include "sparsity/order.h"
#include "sparsity/pattern.h"

namespace hinm {

/// Whether `mask` has the structure of `pattern` under `order`: the exact count of every group, row or tile, and
/// nothing outside the kept columns. Error VERIFICATION_FAILED names the first place that is wrong.
Status verify_mask(const Mask& mask, const Pattern& pattern, const Order& order);

}  // namespace hinm
