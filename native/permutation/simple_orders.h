// Orders that are made without a search, or by plain drawing.
#pragma once

#include "permutation/search_context.h"

namespace hinm {

/// The best of `count` arrangements drawn at random: rows, then the kept columns of those rows in a random packed
/// order. Offers each to the context.
void random_orders(SearchContext& context, std::int64_t count);

/// RIA's heuristic channel allocation (ICLR 2024): the kept columns of each tile sorted by sum, largest first, and
/// dealt to the groups in alternating direction, so that every group receives large and small ones.
void snake(SearchContext& context, Arrangement& arrangement);

/// OVW (NeurIPS 2022): rows grouped by balanced k-means on their scores, at most `most_rounds` rounds (20 as
/// published). `attempt` keys the start.
void cluster_rows(SearchContext& context, std::int64_t attempt, int most_rounds, Arrangement& arrangement);

}  // namespace hinm
