// A tensor that is learned, with its gradient and Adam's moments.
#pragma once

#include <string>
#include <vector>

#include "base/matrix.h"

namespace hinm::training {

template <class T>
struct Parameter {
  std::string name;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  /// Whether decoupled weight decay applies (matrices yes; biases and norm gains no).
  bool decays = false;
  std::vector<T> value;
  std::vector<T> gradient;
  std::vector<T> first_moment;
  std::vector<T> second_moment;

  Parameter() = default;
  Parameter(std::string parameter_name, std::int64_t row_count, std::int64_t col_count, bool weight_decay)
      : name(std::move(parameter_name)), rows(row_count), cols(col_count), decays(weight_decay) {
    const auto count = static_cast<std::size_t>(rows * cols);
    for (auto* part : {&value, &gradient, &first_moment, &second_moment}) part->assign(count, T{0});
  }

  MatrixView<T> values() { return contiguous(value.data(), rows, cols); }
  MatrixView<const T> values() const { return contiguous(value.data(), rows, cols); }
  MatrixView<T> gradients() { return contiguous(gradient.data(), rows, cols); }
};

}  // namespace hinm::training
