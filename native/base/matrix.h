// Row-major matrix views. A view never owns; whoever makes it keeps the storage alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace hinm {

/// `rows × cols` elements, row r begins at `data + r * stride` (stride in elements).
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t stride = 0;

  T* row(std::int64_t r) const { return data + r * stride; }
  T& at(std::int64_t r, std::int64_t c) const { return data[r * stride + c]; }
  std::int64_t size() const { return rows * cols; }

  operator MatrixView<const T>() const
    requires(!std::is_const_v<T>)
  {
    return {data, rows, cols, stride};
  }
};

template <class T>
MatrixView<T> contiguous(T* data, std::int64_t rows, std::int64_t cols) {
  return {data, rows, cols, cols};
}

/// Owning, contiguous, row-major matrix.
template <class T>
struct Matrix {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<T> data;

  Matrix() = default;
  Matrix(std::int64_t row_count, std::int64_t col_count, T fill = T{})
      : rows(row_count), cols(col_count), data(static_cast<std::size_t>(row_count * col_count), fill) {}

  MatrixView<T> view() { return {data.data(), rows, cols, cols}; }
  MatrixView<const T> view() const { return {data.data(), rows, cols, cols}; }
  T& at(std::int64_t r, std::int64_t c) { return data[static_cast<std::size_t>(r * cols + c)]; }
  const T& at(std::int64_t r, std::int64_t c) const { return data[static_cast<std::size_t>(r * cols + c)]; }
};

}  // namespace hinm
