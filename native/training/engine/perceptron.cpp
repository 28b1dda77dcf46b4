#include "training/engine/perceptron.h"

#include "training/engine/activation.h"
#include "training/engine/loss.h"
#include "training/engine/shaped.h"

namespace hinm::training {
template <class T>
Perceptron<T>::Perceptron(const PerceptronShape& shape, std::uint64_t seed) : shape_(shape) {
  for (std::size_t i = 0; i + 1 < shape.widths.size(); ++i) {
    layers_.emplace_back("layer" + std::to_string(i), shape.widths[i], shape.widths[i + 1], true, static_cast<std::uint32_t>(i));
    initialise_uniform(layers_.back(), seed);
  }
  pre_.resize(layers_.size());
  post_.resize(layers_.size());
  refresh_dense();
}

template <class T>
std::vector<Parameter<T>*> Perceptron<T>::parameters() {
  std::vector<Parameter<T>*> all;
  for (Linear<T>& layer : layers_) all.insert(all.end(), {&layer.weight, &layer.bias});
  return all;
}

template <class T>
std::vector<Linear<T>*> Perceptron<T>::prunable() {
  std::vector<Linear<T>*> chosen;
  for (std::size_t i = 0; i < layers_.size() && i < static_cast<std::size_t>(shape_.prunable_layers); ++i) chosen.push_back(&layers_[i]);
  return chosen;
}

template <class T>
void Perceptron<T>::refresh_dense() {
  for (std::size_t i = static_cast<std::size_t>(shape_.prunable_layers); i < layers_.size(); ++i) layers_[i].effective.data = layers_[i].weight.value;
}

template <class T>
double Perceptron<T>::forward(const Batch<T>& batch, const Compute& compute) {
  MatrixView<const T> x = batch.inputs.view();
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    layers_[i].forward(x, shaped(pre_[i], x.rows, layers_[i].outputs()), compute);
    if (i + 1 == layers_.size()) break;
    relu(MatrixView<const T>(pre_[i].view()), shaped(post_[i], x.rows, layers_[i].outputs()), compute);
    x = post_[i].view();
  }
  const MatrixView<const T> y = pre_.back().view();
  return shape_.classifies ? cross_entropy(y, batch.labels.data(), MatrixView<T>{}, compute) : mean_squared_error(y, batch.targets.view(), MatrixView<T>{});
}

template <class T>
void Perceptron<T>::backward(const Batch<T>& batch, SampleKey key, const Compute& compute) {
  const MatrixView<const T> y = pre_.back().view();
  shaped(gradient_, y.rows, y.cols);
  if (shape_.classifies) cross_entropy(y, batch.labels.data(), gradient_.view(), compute);
  else mean_squared_error(y, batch.targets.view(), gradient_.view());
  for (std::size_t i = layers_.size(); i-- > 0;) {
    const MatrixView<const T> x = i == 0 ? batch.inputs.view() : MatrixView<const T>(post_[i - 1].view());
    const MatrixView<T> dx = i == 0 ? MatrixView<T>{} : shaped(next_gradient_, x.rows, x.cols);
    layers_[i].backward(x, gradient_.view(), dx, key, compute);
    if (i == 0) break;
    relu_backward(MatrixView<const T>(pre_[i - 1].view()), MatrixView<const T>(dx), dx, compute);
    std::swap(gradient_, next_gradient_);
  }
}

template class Perceptron<float>;
template class Perceptron<double>;

}  // namespace hinm::training
