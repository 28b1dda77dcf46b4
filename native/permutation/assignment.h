// Linear assignment: which column each row of a square matrix receives.
#pragma once

#include <cstdint>
#include <vector>

#include "base/matrix.h"

namespace hinm {

/// A permutation x that makes Σ_i benefit[i][x_i] as large as possible, up to range/64 of the
/// benefits (in practice to 1e-5 of the gain): the auction algorithm with ε-scaling (Bertsekas, "The auction
/// algorithm", 1988), about 40 times quicker than shortest augmenting paths on the correlated costs of a permutation
/// search. `benefit` is square and finite. Deterministic; ends on every finite input, because a run that makes more
/// bids than its bound is finished by shortest augmenting paths.
std::vector<std::int32_t> assign(MatrixView<const float> benefit);

/// The exact optimum by shortest augmenting paths in O(n³) (Jonker and Volgenant, 1987, without their shortcuts).
std::vector<std::int32_t> assign_exactly(MatrixView<const float> benefit);

}  // namespace hinm
