#include "training/engine/embedding.h"

#include <algorithm>

namespace hinm::training {

template <class T>
Embedding<T>::Embedding(std::int64_t symbols, std::int64_t length, std::int64_t width)
    : token("token", symbols, width, true), position("position", length, width, true) {}

template <class T>
void Embedding<T>::forward(const std::int32_t* tokens, std::int64_t length, MatrixView<T> x) const {
  for (std::int64_t t = 0; t < x.rows; ++t) {
    const T* symbol = token.values().row(tokens[t]);
    const T* place = position.values().row(t % length);
    for (std::int64_t c = 0; c < x.cols; ++c) x.at(t, c) = symbol[c] + place[c];
  }
}

template <class T>
void Embedding<T>::backward(const std::int32_t* tokens, std::int64_t length, MatrixView<const T> dx) {
  std::fill(token.gradient.begin(), token.gradient.end(), T{0});
  std::fill(position.gradient.begin(), position.gradient.end(), T{0});
  for (std::int64_t t = 0; t < dx.rows; ++t) {
    T* symbol = token.gradients().row(tokens[t]);
    T* place = position.gradients().row(t % length);
    for (std::int64_t c = 0; c < dx.cols; ++c) {
      symbol[c] += dx.at(t, c);
      place[c] += dx.at(t, c);
    }
  }
}

template class Embedding<float>;
template class Embedding<double>;

}  // namespace hinm::training
