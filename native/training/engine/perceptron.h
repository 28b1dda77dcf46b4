// A multilayer perceptron with ReLU between its linear layers, for regression or classification.
#pragma once

#include <deque>

#include "training/engine/network.h"

namespace hinm::training {

struct PerceptronShape {
  /// Features in, hidden widths, features out: at least two entries.
  std::vector<std::int64_t> widths;
  /// Cross-entropy over labels, or mean squared error against targets.
  bool classifies = false;
  /// Layers, counted from the first, that a method may sparsify; a classifier's last layer often stays dense.
  std::int64_t prunable_layers = 0;
};

template <class T>
class Perceptron final : public Network<T> {
 public:
  Perceptron(const PerceptronShape& shape, std::uint64_t seed);

  std::vector<Parameter<T>*> parameters() override;
  std::vector<Linear<T>*> prunable() override;
  void refresh_dense() override;
  double forward(const Batch<T>& batch, const Compute& compute) override;
  void backward(const Batch<T>& batch, SampleKey key, const Compute& compute) override;
  MatrixView<const T> output() const override { return pre_.back().view(); }

 private:
  PerceptronShape shape_;
  std::deque<Linear<T>> layers_;
  std::vector<Matrix<T>> pre_;   ///< what each layer gave
  std::vector<Matrix<T>> post_;  ///< after ReLU
  Matrix<T> gradient_;
  Matrix<T> next_gradient_;
};

}  // namespace hinm::training
