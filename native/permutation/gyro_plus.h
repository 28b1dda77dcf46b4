// The searches that go on until their budget ends.
#pragma once

#include "permutation/search_context.h"

namespace hinm {

/// The gyro schedule repeated from its own result (patience 3), then the input side.
void gyro_iterated(SearchContext& context);

/// Random exchanges of two rows on the vector objective, taken when it grows, then the input side of gyro.
void row_swaps(SearchContext& context);

/// Own method. Output side: k-means and Tetris as a start, then annealed exchanges of rows on the priced scores
/// (row_prices.h), which measure what a tile keeps after n:m and not before it; the prices are formed anew and the
/// columns chosen anew a few times on the way. Input side: gyro's assignments with a long patience, then exchanges of
/// columns, also with pruned ones of the tile, where they gain.
void gyro_plus(SearchContext& context);

}  // namespace hinm
