// Token and position vectors.
#pragma once

#include <cstdint>

#include "training/engine/parameter.h"

namespace hinm::training {

template <class T>
class Embedding {
 public:
  Embedding(std::int64_t symbols, std::int64_t length, std::int64_t width);

  /// x[t] = token[tokens[t]] + position[t mod length]; tokens are in [0, symbols).
  void forward(const std::int32_t* tokens, std::int64_t length, MatrixView<T> x) const;
  /// Sums dx into the gradients of both tables, tokens in order.
  void backward(const std::int32_t* tokens, std::int64_t length, MatrixView<const T> dx);

  Parameter<T> token;
  Parameter<T> position;
};

}  // namespace hinm::training
