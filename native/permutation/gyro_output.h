// The output side of gyro-permutation (HiNM, arXiv 2407.20496, section 4): which rows share a tile.
#pragma once

#include <cstdint>
#include <vector>

#include "permutation/search_context.h"

namespace hinm {

struct GyroOutputRule {
  /// Consecutive failed tries that end a stage: 1 as published, 3 as the patient setting.
  int patience = 3;
};

/// Improves the row order of `arrangement` on the vector objective Σ over tiles of the K' largest column sums, through
/// the published schedule of samples a tile. Never worsens that objective. Columns are chosen anew for the result and
/// offered to the context after every stage.
void gyro_output(SearchContext& context, const GyroOutputRule& rule, Arrangement& arrangement);

}  // namespace hinm
