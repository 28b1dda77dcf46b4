// Exchanging columns inside a tile on the exact n:m objective.
#pragma once

#include <cstdint>

#include "permutation/search_context.h"

namespace hinm {

struct ColumnExchangeRule {
  std::int64_t evaluations = 0;  ///< exchanges to look at in every tile
  /// Simulated annealing from `hot` to `cold` in units of the mean |gain| at the start; 0 and 0: only gains are taken.
  double hot = 0;
  double cold = 0;
  /// Share of the exchanges that offer a pruned column of the tile for a kept one: a move that no published method has.
  double pool_share = 0;
  std::uint32_t stage = 0;  ///< part of the key of the random exchanges
};

/// Improves the kept columns and their packed order in every tile by random exchanges of two columns in different
/// groups, or of a kept and a pruned one, at their exact change of the n:m sum. A tile that ends lower than it began
/// keeps its columns.
void exchange_columns(SearchContext& context, const ColumnExchangeRule& rule, Arrangement& arrangement);

}  // namespace hinm
