// The output side of gyro-permutation (HiNM, arXiv 2407.20496, section 4): which rows share a tile.
#pragma once

#include <cstdint>
#include <limits>

#include "permutation/search_context.h"

namespace hinm {

struct GyroOutputRule {
  /// Consecutive failed tries that end a stage: 1 as published, 3 as the patient setting.
  int patience = 3;
  /// Counts the K' columns that go where K − K' belong, as the authors' code does: another objective unless half of the
  /// columns go (SCIENCE section 9). For the labelled strategy only.
  bool published_sum = false;
  /// Which repetition of the schedule this is: part of the key of every random draw.
  std::int64_t repetition = 0;
  /// Evaluations at most, beside the budget of the search.
  std::int64_t evaluations = std::numeric_limits<std::int64_t>::max();
};

/// Improves the row order of `arrangement` on the vector objective Σ over tiles of the K' largest column sums, through
/// the published schedule of samples a tile. Never worsens that objective. Columns are chosen anew for the result,
/// which is offered to the context.
void gyro_output(SearchContext& context, const GyroOutputRule& rule, Arrangement& arrangement);

}  // namespace hinm
