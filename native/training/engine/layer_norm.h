// Layer normalisation over the features of each token (Ba et al., arXiv 1607.06450), ε = 1e-5.
#pragma once

#include <string>
#include <vector>

#include "training/engine/compute.h"
#include "training/engine/parameter.h"

namespace hinm::training {

template <class T>
class LayerNorm {
 public:
  LayerNorm(const std::string& name, std::int64_t width);

  /// y = gain·(x − mean)/√(variance + ε) + shift; keeps what backward needs.
  void forward(MatrixView<const T> x, MatrixView<T> y, const Compute& compute);
  /// dx += the gradient through the norm; writes those of gain and shift. `x` is what forward saw.
  void backward(MatrixView<const T> x, MatrixView<const T> dy, MatrixView<T> dx, const Compute& compute);

  Parameter<T> gain;
  Parameter<T> shift;

 private:
  std::vector<T> mean_;
  std::vector<T> inverse_deviation_;
};

}  // namespace hinm::training
