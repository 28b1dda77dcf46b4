// How many columns of a three-region pattern are dense (FlexHiNM-GP, ICLR 2026 submission).
#pragma once

#include <cstdint>

#include "base/matrix.h"
#include "sparsity/pattern.h"

namespace hinm {

/// The number of groups under n:m that keeps most in the original order: the total sparsity t = v + (1 − v)·p·(1 − n/m)
/// is fixed, so one number decides both the empty share v and the share p under n:m. A coarse grid, then halved steps.
std::int64_t best_semi_groups(MatrixView<const float> scores, const Geometry& geometry, const Pattern& pattern);

}  // namespace hinm
