// Channel permutation of Apex (Pool and Yu, "Channel permutations for N:M sparsity", NeurIPS 2021).
#pragma once

#include "permutation/search_context.h"

namespace hinm {

enum class ApexMove {
  channel_swap,   ///< the best exchange of two columns of two stripes
  stripe_pairs,   ///< the best of the 35 partitions of the 8 columns of two stripes
  stripe_triples  ///< the best of the 5,775 partitions of the 12 columns of three stripes
};

/// Greedy search over stripes (groups of m columns): the move of largest gain is made, the windows that it touched are
/// looked at again, until none gains; with a budget escape attempts follow (a random exchange, then the same again,
/// kept when better). Published with one order for all rows: `per_tile` false searches one order of all K columns on
/// all rows and every tile packs its kept columns in that relative order; true searches each tile's own columns.
/// Returns why it could not run (stripe moves need m = 4, triples at most 32 stripes), else an empty string.
std::string apex(SearchContext& context, ApexMove move, bool per_tile, Arrangement& arrangement);

}  // namespace hinm
