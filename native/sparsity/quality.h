// Quality of a mask on the original saliency, accumulated in float64.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/job_control.h"
#include "base/matrix.h"
#include "base/result.h"
#include "sparsity/mask.h"
#include "sparsity/order.h"
#include "sparsity/pattern.h"

namespace hinm {

struct Quality {
  std::int64_t kept = 0;         ///< weights
  double kept_saliency = 0;      ///< Σ rho[mask]
  double total_saliency = 0;     ///< Σ rho
  double retained = 0;           ///< R = kept over total; 1 when the total is 0
  double relative = 0;           ///< RR = R over the best unstructured mask of the same size; 1 when that is 0
  std::optional<double> vector;  ///< R_vec = Σ rho inside the kept columns over Σ rho; none without a vector level
  /// (kept − kept in the original order) / (bound − kept in the original order), where the bound keeps the same number
  /// in every row, freely inside the kept columns; none without n:m or where the denominator is 0.
  std::optional<double> efficacy;
  std::vector<double> tiles;  ///< kept over all saliency of each tile; empty without tiles
};

/// `order` nullptr is the original order. Errors: INVALID_ARGUMENT, NOT_FINITE, CANCELLED.
Result<Quality> measure_quality(MatrixView<const float> scores, const Pattern& pattern, const Order* order,
                                const Mask& mask, const JobControl& control = {});

}  // namespace hinm
