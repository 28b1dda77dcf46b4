// The one interface of all permutation strategies.
#pragma once

#include <cstdint>
#include <string>

#include "base/job_control.h"
#include "base/matrix.h"
#include "base/result.h"
#include "sparsity/order.h"
#include "sparsity/pattern.h"

namespace hinm {

struct SearchRequest {
  MatrixView<const float> scores;  ///< rho >= 0
  Pattern pattern;
  std::string strategy;     ///< an id of contract/strategy.ts
  std::int64_t budget = 0;  ///< candidate evaluations at most; 0 takes the strategy's own stopping rule
  std::uint64_t seed = 0;
  std::uint32_t layer = 0;  ///< part of the key of every random stream
  int threads = 1;          ///< changes the wall time only
};

/// Searches an order. Never keeps less than the original order; the same order bit for bit for one seed and budget on
/// any number of threads. A pattern that no order can change gives the original order under the name `none` with the
/// reason. Errors: INVALID_ARGUMENT, NOT_FINITE, CANCELLED.
///
/// One evaluation is one candidate of the input side: an entry of a cost matrix, or an exchange or partition of columns
/// whose gain was computed. A candidate of the output side (a pair of rows, an entry of a cost matrix of rows and
/// tiles) ranks or adds up K column sums and counts as 1 + K/16 of them, so that budgets mean about the same work on
/// both sides.
Result<Order> search_order(const SearchRequest& request, const JobControl& control = {});

}  // namespace hinm
