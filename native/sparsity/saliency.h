// Saliency scores rho >= 0 of weights.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/matrix.h"
#include "base/result.h"

namespace hinm {

/// Writes |w| ("magnitude") or w² ("squared", rounded to float32) of `count` weights. Refuses NaN, Inf and a square
/// that overflows with the position.
Status saliency_of(std::string_view kind, const float* weights, std::int64_t count, float* scores);

/// Refuses scores that are negative, NaN or Inf, naming row and column of the first.
Status check_scores(MatrixView<const float> scores);

}  // namespace hinm
