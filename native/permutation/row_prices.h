// The n:m level seen from the output side.
#pragma once

#include "base/matrix.h"
#include "permutation/search_context.h"

namespace hinm {

/// Scores that measure a column by what it is worth after n:m (own method; Lagrangian relaxation). Of the K' columns of
/// its tile a row keeps at most q = K'·n/m, and max over q-subsets of Σ rho = min over τ of q·τ + Σ max(0, rho − τ).
/// With τ_r fixed at the q-th largest of row r inside the kept columns of `arrangement`, the sum of max(0, rho − τ_r)
/// over a tile's kept columns is a separable measure of what the tile keeps after n:m, exact at `arrangement` and never
/// too small elsewhere: every search on column sums can use it in the place of rho. Without n:m it is rho itself.
/// Padded to lanes.
Matrix<float> priced_scores(const SearchContext& context, const Arrangement& arrangement);

/// For every tile the K' columns of largest sum of `values` (padded), ascending; V:N:M chooses inside its blocks by
/// what 2:4 keeps of the saliency itself.
void choose_columns_by(const SearchContext& context, MatrixView<const float> values, Arrangement& arrangement);

}  // namespace hinm
