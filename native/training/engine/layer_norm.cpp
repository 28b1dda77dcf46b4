#include "training/engine/layer_norm.h"

#include <algorithm>
#include <cmath>

namespace hinm::training {

template <class T>
LayerNorm<T>::LayerNorm(const std::string& name, std::int64_t width) : gain(name + ".gain", 1, width, false), shift(name + ".shift", 1, width, false) {
  std::fill(gain.value.begin(), gain.value.end(), T{1});
}

template <class T>
void LayerNorm<T>::forward(MatrixView<const T> x, MatrixView<T> y, const Compute& compute) {
  mean_.resize(static_cast<std::size_t>(x.rows));
  inverse_deviation_.resize(static_cast<std::size_t>(x.rows));
  const T width = static_cast<T>(x.cols);
  for_pieces(x.rows, 64, compute.threads, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t r = first; r < last; ++r) {
      const T* from = x.row(r);
      T mean = 0, variance = 0;
      for (std::int64_t c = 0; c < x.cols; ++c) mean += from[c];
      mean /= width;
      for (std::int64_t c = 0; c < x.cols; ++c) variance += (from[c] - mean) * (from[c] - mean);
      const T inverse = T{1} / std::sqrt(variance / width + static_cast<T>(1e-5));
      mean_[static_cast<std::size_t>(r)] = mean;
      inverse_deviation_[static_cast<std::size_t>(r)] = inverse;
      T* to = y.row(r);
      for (std::int64_t c = 0; c < x.cols; ++c) {
        to[c] = gain.value[static_cast<std::size_t>(c)] * ((from[c] - mean) * inverse) + shift.value[static_cast<std::size_t>(c)];
      }
    }
  });
}

template <class T>
void LayerNorm<T>::backward(MatrixView<const T> x, MatrixView<const T> dy, MatrixView<T> dx, const Compute& compute) {
  const T width = static_cast<T>(x.cols);
  for_pieces(x.rows, 64, compute.threads, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t r = first; r < last; ++r) {
      const T *from = x.row(r), *up = dy.row(r);
      const T mean = mean_[static_cast<std::size_t>(r)], inverse = inverse_deviation_[static_cast<std::size_t>(r)];
      T sum = 0, weighted = 0;
      for (std::int64_t c = 0; c < x.cols; ++c) {
        const T g = up[c] * gain.value[static_cast<std::size_t>(c)];
        sum += g;
        weighted += g * (from[c] - mean) * inverse;
      }
      T* to = dx.row(r);
      for (std::int64_t c = 0; c < x.cols; ++c) {
        const T g = up[c] * gain.value[static_cast<std::size_t>(c)];
        to[c] += inverse * (g - sum / width - (from[c] - mean) * inverse * (weighted / width));
      }
    }
  });
  for_pieces(x.cols, 32, compute.threads, [&](std::int64_t first, std::int64_t last) {
    std::fill(gain.gradient.begin() + first, gain.gradient.begin() + last, T{0});
    std::fill(shift.gradient.begin() + first, shift.gradient.begin() + last, T{0});
    for (std::int64_t r = 0; r < x.rows; ++r) {
      const T mean = mean_[static_cast<std::size_t>(r)], inverse = inverse_deviation_[static_cast<std::size_t>(r)];
      for (std::int64_t c = first; c < last; ++c) {
        gain.gradient[static_cast<std::size_t>(c)] += dy.at(r, c) * ((x.at(r, c) - mean) * inverse);
        shift.gradient[static_cast<std::size_t>(c)] += dy.at(r, c);
      }
    }
  });
}

template class LayerNorm<float>;
template class LayerNorm<double>;

}  // namespace hinm::training
