// A fully connected layer whose weight may be sparsified: Z = X·Wᵉᵀ + b with Wᵉ the weight that the method projects.
//
// The graph of S-STE (section 3): Z = X·Wᵉᵀ and ∇X = ∇Z·Wᵉ with the sparse weight, ∇W = MVUE(∇Zᵀ)·X, the gradient going
// straight through to the dense W. With FP8 the forward operands are e4m3, those of both backward products e5m2, and MVUE
// comes before quantisation (section 5.2).
#pragma once

#include <cstdint>
#include <string>

#include "training/engine/compute.h"
#include "training/engine/parameter.h"
#include "training/methods/fp8.h"
#include "training/methods/gradient_sampler.h"
#include "training/methods/magnitude_mask.h"

namespace hinm::training {

/// Arithmetic of a sparsified layer's three products.
struct Numerics {
  GradientSampler gradient_sampler = GradientSampler::none;
  /// Sampling of the weight of ∇X, two of every four along the outputs, so that this product is 2:4 too: an ablation.
  GradientSampler weight_sampler = GradientSampler::none;
  bool fp8 = false;
  Fp8Overflow overflow = Fp8Overflow::saturate;
};

/// How far a sampled gradient is from the whole one.
struct SamplerLoss {
  double difference = 0;  ///< Σ (sampled − whole): near 0 without bias
  double magnitude = 0;   ///< Σ |whole|
  double squared_difference = 0;
  double squared = 0;
};

/// What one step's arithmetic did to a layer, for the diagnostics.
struct NumericsLoss {
  Fp8Loss forward;
  Fp8Loss backward;
  SamplerLoss sampler;
};

template <class T>
class Linear {
 public:
  /// `identity` tells this layer's random numbers from the others'.
  Linear(std::string name, std::int64_t inputs, std::int64_t outputs, bool has_bias, std::uint32_t identity);

  std::int64_t inputs() const { return weight.cols; }
  std::int64_t outputs() const { return weight.rows; }
  std::uint32_t identity() const { return identity_; }

  /// z = x·Wᵉᵀ + b; x is tokens × inputs, z tokens × outputs.
  void forward(MatrixView<const T> x, MatrixView<T> z, const Compute& compute);
  /// From dz: gradients of weight (straight through) and bias, and dx where it is asked for (null data: not). `x` is what
  /// forward saw.
  void backward(MatrixView<const T> x, MatrixView<const T> dz, MatrixView<T> dx, SampleKey key, const Compute& compute);

  Parameter<T> weight;
  Parameter<T> bias;  ///< 1 × outputs, or empty
  /// Wᵉ, written by the method before each step; equals the weight for a dense layer.
  Matrix<T> effective;
  /// The weight of ∇X where it differs from Wᵉ (Bi-Mask); empty otherwise.
  Matrix<T> backward_effective;
  Numerics numerics;
  /// Whether backward measures what the sampler lost, which costs a pass over dz.
  bool measures_sampler = false;
  NumericsLoss last_loss;

 private:
  void quantized_forward(MatrixView<const T> x, MatrixView<const T> w, MatrixView<T> z, const Compute& compute);
  void weight_gradient(MatrixView<const T> x, MatrixView<const T> dz, const Compute& compute);

  std::uint32_t identity_;
  Matrix<T> sampled_;
  Matrix<T> sampled_weight_;
  Matrix<T> quantized_a_;
  Matrix<T> quantized_b_;
};

}  // namespace hinm::training
