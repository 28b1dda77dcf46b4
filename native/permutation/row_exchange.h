// Exchanging pairs of rows between tiles: the exact change of the vector objective of two tiles.
#pragma once

#include <cstdint>

#include "base/matrix.h"
#include "permutation/search_context.h"

namespace hinm {

struct RowExchangeRule {
  std::int64_t pairs = 0;  ///< random pairs to look at
  /// Simulated annealing from `hot` to `cold` (geometric), in units of the mean |gain| of random pairs at the start.
  /// 0 and 0: a pair is exchanged only when the objective grows.
  double hot = 0;
  double cold = 0;
  std::uint32_t stage = 0;  ///< part of the key of the random pairs
};

/// Improves the rows of `arrangement` on Σ over tiles of the K' largest column sums of `values` (padded to lanes; the
/// saliency itself or its priced form) by exchanging random pairs of rows in different tiles. Never worsens that
/// objective: an annealing run that ends lower is undone. A pair costs one pass over K: the sum of the K' largest is
/// min over θ of K'·θ + Σ max(0, s − θ), so the old θ gives an upper bound that rejects nearly every pair; only the
/// others are ranked anew. Leaves `arrangement.columns` alone.
void exchange_rows(SearchContext& context, MatrixView<const float> values, const RowExchangeRule& rule,
                   Arrangement& arrangement);

/// Tetris (NeurIPS 2018) on the same objective: with every tile's kept columns fixed, the pair of rows with the largest
/// gain is exchanged until none gains; the kept columns are chosen anew; ends when a round gains less than 1e-4.
void tetris(SearchContext& context, MatrixView<const float> values, Arrangement& arrangement);

}  // namespace hinm
