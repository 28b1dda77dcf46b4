// Causal multi-head attention between its two linear layers (Vaswani et al., arXiv 1706.03762).
#pragma once

#include <vector>

#include "base/matrix.h"
#include "training/engine/compute.h"

namespace hinm::training {

/// Tokens come as `batch` sequences of `length` rows each.
struct AttentionShape {
  std::int64_t batch = 0;
  std::int64_t length = 0;
  std::int64_t heads = 1;
  std::int64_t width = 0;  ///< features of a token, a multiple of heads
};

template <class T>
class Attention {
 public:
  /// `projected` is tokens × 3·width (queries, keys, values), `mixed` tokens × width. Token i sees tokens ≤ i.
  void forward(const AttentionShape& shape, MatrixView<const T> projected, MatrixView<T> mixed, const Compute& compute);
  /// From the gradient of `mixed` the gradient of `projected`.
  void backward(const AttentionShape& shape, MatrixView<const T> projected, MatrixView<const T> mixed_gradient, MatrixView<T> projected_gradient,
                const Compute& compute);

 private:
  std::vector<T> probability_;  ///< batch × heads × length × length
  std::vector<T> score_gradient_;
};

}  // namespace hinm::training
