#include "training/engine/loss.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hinm::training {

template <class T>
double mean_squared_error(MatrixView<const T> y, MatrixView<const T> target, MatrixView<T> gradient) {
  const double count = static_cast<double>(y.size());
  const T factor = static_cast<T>(2 / count);
  double sum = 0;
  for (std::int64_t r = 0; r < y.rows; ++r) {
    for (std::int64_t c = 0; c < y.cols; ++c) {
      const T difference = y.at(r, c) - target.at(r, c);
      sum += static_cast<double>(difference) * static_cast<double>(difference);
      if (gradient.data != nullptr) gradient.at(r, c) = factor * difference;
    }
  }
  return sum / count;
}

template <class T>
double cross_entropy(MatrixView<const T> logits, const std::int32_t* labels, MatrixView<T> gradient, const Compute& compute) {
  std::vector<double> losses(static_cast<std::size_t>(logits.rows));
  const T share = T{1} / static_cast<T>(logits.rows);
  for_pieces(logits.rows, 128, compute.threads, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t r = first; r < last; ++r) {
      const T* row = logits.row(r);
      // NaN must not be lost in the search for the largest: it reaches the sum and so the loss.
      const T largest = *std::max_element(row, row + logits.cols);
      T sum = 0;
      for (std::int64_t c = 0; c < logits.cols; ++c) sum += std::exp(row[c] - largest);
      losses[static_cast<std::size_t>(r)] = std::log(static_cast<double>(sum)) + static_cast<double>(largest) - static_cast<double>(row[labels[r]]);
      if (gradient.data == nullptr) continue;
      T* to = gradient.row(r);
      const T inverse = share / sum;
      for (std::int64_t c = 0; c < logits.cols; ++c) to[c] = std::exp(row[c] - largest) * inverse;
      to[labels[r]] -= share;
    }
  });
  double total = 0;
  for (const double loss : losses) total += loss;
  return total / static_cast<double>(logits.rows);
}

template <class T>
std::int64_t count_correct(MatrixView<const T> logits, const std::int32_t* labels) {
  std::int64_t correct = 0;
  for (std::int64_t r = 0; r < logits.rows; ++r) {
    const T* row = logits.row(r);
    correct += std::max_element(row, row + logits.cols) - row == labels[r];
  }
  return correct;
}

#define HINM_INSTANTIATE(T)                                                                             \
  template double mean_squared_error(MatrixView<const T>, MatrixView<const T>, MatrixView<T>);          \
  template double cross_entropy(MatrixView<const T>, const std::int32_t*, MatrixView<T>, const Compute&); \
  template std::int64_t count_correct(MatrixView<const T>, const std::int32_t*);
HINM_INSTANTIATE(float)
HINM_INSTANTIATE(double)
#undef HINM_INSTANTIATE

}  // namespace hinm::training
