// What the trainer knows of a network: parameters, the layers that may be sparse, a loss forward and its gradient backward.
#pragma once

#include <cstdint>
#include <vector>

#include "base/matrix.h"
#include "training/engine/compute.h"
#include "training/engine/linear.h"

namespace hinm::training {

/// One mini-batch. Which fields are filled depends on the task: inputs with targets (regression), inputs with labels
/// (classification), or tokens with labels (next symbol).
template <class T>
struct Batch {
  Matrix<T> inputs;
  Matrix<T> targets;
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> labels;
};

template <class T>
class Network {
 public:
  virtual ~Network() = default;
  /// All learned tensors, always in the same order: a checkpoint stores them so.
  virtual std::vector<Parameter<T>*> parameters() = 0;
  /// Layers whose weight a method may sparsify; the others are always dense.
  virtual std::vector<Linear<T>*> prunable() = 0;
  /// Copies the weights of layers that are never sparse to where forward reads them.
  virtual void refresh_dense() = 0;
  /// Mean loss over the batch, from the layers' effective weights. Keeps what backward needs.
  virtual double forward(const Batch<T>& batch, const Compute& compute) = 0;
  /// Gradients of all parameters; `batch` is what forward has just seen.
  virtual void backward(const Batch<T>& batch, SampleKey key, const Compute& compute) = 0;
  /// Output of the last forward: rows × classes, symbols or targets.
  virtual MatrixView<const T> output() const = 0;
};

/// Fills the weight with uniform numbers in ±1/√inputs; the bias stays 0 (random ones made pruning once look a quarter worse).
template <class T>
void initialise_uniform(Linear<T>& layer, std::uint64_t seed);
/// Fills a tensor with normal numbers of this standard deviation; `identity` names its stream.
template <class T>
void initialise_normal(Parameter<T>& parameter, double deviation, std::uint64_t seed, std::uint32_t identity);

}  // namespace hinm::training
