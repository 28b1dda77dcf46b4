// Losses: the value is accumulated in float64, the gradient is with respect to the mean.
#pragma once

#include <cstdint>

#include "base/matrix.h"
#include "training/engine/compute.h"

namespace hinm::training {

/// Mean of (y − target)² over all entries; `gradient` (may be null data) gets 2·(y − target)/entries.
template <class T>
double mean_squared_error(MatrixView<const T> y, MatrixView<const T> target, MatrixView<T> gradient);

/// Mean over rows of −log softmax(logits)[label]; `gradient` (may be null data) gets (softmax − one-hot)/rows. Labels are in
/// [0, cols).
template <class T>
double cross_entropy(MatrixView<const T> logits, const std::int32_t* labels, MatrixView<T> gradient, const Compute& compute);

/// Rows whose largest entry is the label; the first of equal ones counts.
template <class T>
std::int64_t count_correct(MatrixView<const T> logits, const std::int32_t* labels);

}  // namespace hinm::training
