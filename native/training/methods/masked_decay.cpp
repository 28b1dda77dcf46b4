#include "training/methods/masked_decay.h"

namespace hinm::training {

template <class T>
void decay_gradient(MatrixView<const T> weights, const Mask& mask, double strength, MatrixView<T> gradient) {
  const T lambda = static_cast<T>(strength);
  for (std::int64_t r = 0; r < weights.rows; ++r) {
    const std::uint8_t* kept = mask.data() + r * weights.cols;
    for (std::int64_t c = 0; c < weights.cols; ++c) gradient.at(r, c) += lambda * static_cast<T>(1 - kept[c]) * weights.at(r, c);
  }
}

template <class T>
void decay_weights(const Mask& mask, double rate, double strength, MatrixView<T> weights) {
  const T shrink = static_cast<T>(rate * strength);
  for (std::int64_t r = 0; r < weights.rows; ++r) {
    const std::uint8_t* kept = mask.data() + r * weights.cols;
    for (std::int64_t c = 0; c < weights.cols; ++c) weights.at(r, c) -= shrink * static_cast<T>(1 - kept[c]) * weights.at(r, c);
  }
}

template void decay_gradient(MatrixView<const float>, const Mask&, double, MatrixView<float>);
template void decay_gradient(MatrixView<const double>, const Mask&, double, MatrixView<double>);
template void decay_weights(const Mask&, double, double, MatrixView<float>);
template void decay_weights(const Mask&, double, double, MatrixView<double>);

}  // namespace hinm::training
