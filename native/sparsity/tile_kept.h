// What a tile keeps after the whole pattern.
#pragma once

#include <cstdint>

#include "base/matrix.h"
#include "sparsity/pattern.h"

namespace hinm {

/// Saliency that the listed rows keep of a tile's packed columns, float64: dense columns whole, of the others n of
/// every m (all of them where the pattern has no n:m).
double kept_of_tile(MatrixView<const float> scores, const Geometry& geometry, const std::uint32_t* rows,
                    std::int64_t row_count, const std::uint32_t* columns);

}  // namespace hinm
