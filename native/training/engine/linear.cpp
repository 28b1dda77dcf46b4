#include "training/engine/linear.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "training/engine/gemm.h"
#include "training/engine/shaped.h"

namespace hinm::training {
namespace {

template <class T>
void divide(MatrixView<T> values, double divisor) {
  const T factor = static_cast<T>(1 / divisor);
  for (std::int64_t r = 0; r < values.rows; ++r) {
    for (std::int64_t c = 0; c < values.cols; ++c) values.at(r, c) *= factor;
  }
}

/// Sum of each column, rows in order.
template <class T>
void column_sums(MatrixView<const T> values, T* sums, int threads) {
  for_pieces(values.cols, 64, threads, [&](std::int64_t first, std::int64_t last) {
    std::fill(sums + first, sums + last, T{0});
    for (std::int64_t r = 0; r < values.rows; ++r) {
      const T* row = values.row(r);
      for (std::int64_t c = first; c < last; ++c) sums[c] += row[c];
    }
  });
}

template <class T>
SamplerLoss compare(MatrixView<const T> whole, MatrixView<const T> sampled) {
  SamplerLoss loss;
  for (std::int64_t r = 0; r < whole.rows; ++r) {
    for (std::int64_t c = 0; c < whole.cols; ++c) {
      const double value = static_cast<double>(whole.at(r, c)), difference = static_cast<double>(sampled.at(r, c)) - value;
      loss.difference += difference;
      loss.magnitude += std::abs(value);
      loss.squared_difference += difference * difference;
      loss.squared += value * value;
    }
  }
  return loss;
}

}  // namespace

template <class T>
Linear<T>::Linear(std::string name, std::int64_t inputs, std::int64_t outputs, bool has_bias, std::uint32_t identity)
    : weight(name + ".weight", outputs, inputs, true),
      bias(has_bias ? Parameter<T>(name + ".bias", 1, outputs, false) : Parameter<T>()),
      effective(outputs, inputs),
      identity_(identity) {}

template <class T>
void Linear<T>::forward(MatrixView<const T> x, MatrixView<T> z, const Compute& compute) {
  const MatrixView<const T> w = std::as_const(effective).view();
  if (numerics.fp8) quantized_forward(x, w, z, compute);
  else multiply(Operand<T>(x), Operand<T>(w).transposed(), z, false, compute);
  if (bias.value.empty()) return;
  for (std::int64_t r = 0; r < z.rows; ++r) {
    T* row = z.row(r);
    for (std::int64_t c = 0; c < z.cols; ++c) row[c] += bias.value[static_cast<std::size_t>(c)];
  }
}

template <class T>
void Linear<T>::quantized_forward(MatrixView<const T> x, MatrixView<const T> w, MatrixView<T> z, const Compute& compute) {
  const auto qx = fp8_quantize(x, Fp8Format::e4m3, numerics.overflow, shaped(quantized_a_, x.rows, x.cols));
  const auto qw = fp8_quantize(w, Fp8Format::e4m3, numerics.overflow, shaped(quantized_b_, w.rows, w.cols));
  multiply(Operand<T>(quantized_a_.view()), Operand<T>(quantized_b_.view()).transposed(), z, false, compute);
  divide(z, qx.scale * qw.scale);
  last_loss.forward = qx.loss;
  last_loss.backward = {};
  last_loss.forward.add(qw.loss);
}

template <class T>
void Linear<T>::weight_gradient(MatrixView<const T> x, MatrixView<const T> dz, const Compute& compute) {
  if (!numerics.fp8) return multiply(Operand<T>(dz).transposed(), Operand<T>(x), weight.gradients(), false, compute);
  const auto qz = fp8_quantize(dz, Fp8Format::e5m2, numerics.overflow, shaped(quantized_a_, dz.rows, dz.cols));
  const auto qx = fp8_quantize(x, Fp8Format::e5m2, numerics.overflow, shaped(quantized_b_, x.rows, x.cols));
  multiply(Operand<T>(quantized_a_.view()).transposed(), Operand<T>(quantized_b_.view()), weight.gradients(), false, compute);
  divide(weight.gradients(), qz.scale * qx.scale);
  last_loss.backward.add(qz.loss);
  last_loss.backward.add(qx.loss);
}

template <class T>
void Linear<T>::backward(MatrixView<const T> x, MatrixView<const T> dz, MatrixView<T> dx, SampleKey key, const Compute& compute) {
  if (!bias.value.empty()) column_sums(dz, bias.gradient.data(), compute.threads);
  if (numerics.gradient_sampler == GradientSampler::none) {
    weight_gradient(x, dz, compute);
  } else {
    sample_along_rows(dz, numerics.gradient_sampler, {key.seed, key.step, identity_}, compute.threads, shaped(sampled_, dz.rows, dz.cols));
    if (measures_sampler) last_loss.sampler = compare(dz, MatrixView<const T>(sampled_.view()));
    weight_gradient(x, sampled_.view(), compute);
  }
  if (dx.data == nullptr) return;
  MatrixView<const T> w = backward_effective.data.empty() ? effective.view() : backward_effective.view();
  if (numerics.weight_sampler != GradientSampler::none) {
    constexpr std::uint32_t weight_stream = 0x80000000;
    sample_along_rows(w, numerics.weight_sampler, {key.seed, key.step, identity_ | weight_stream}, compute.threads, shaped(sampled_weight_, w.rows, w.cols));
    w = sampled_weight_.view();
  }
  if (!numerics.fp8) return multiply(Operand<T>(dz), Operand<T>(w), dx, false, compute);
  const auto qz = fp8_quantize(dz, Fp8Format::e5m2, numerics.overflow, shaped(quantized_a_, dz.rows, dz.cols));
  const auto qw = fp8_quantize(w, Fp8Format::e5m2, numerics.overflow, shaped(quantized_b_, w.rows, w.cols));
  multiply(Operand<T>(quantized_a_.view()), Operand<T>(quantized_b_.view()), dx, false, compute);
  divide(dx, qz.scale * qw.scale);
  last_loss.backward.add(qz.loss);
  last_loss.backward.add(qw.loss);
}

template class Linear<float>;
template class Linear<double>;

}  // namespace hinm::training
