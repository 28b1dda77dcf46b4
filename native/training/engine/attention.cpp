#include "training/engine/attention.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "training/engine/gemm.h"

namespace hinm::training {
namespace {

/// One head's columns of one sequence: part 0 queries, 1 keys, 2 values (of tokens × 3·width), or the mixed output.
template <class T>
MatrixView<T> head_of(MatrixView<T> tokens, const AttentionShape& shape, std::int64_t index, std::int64_t part) {
  const std::int64_t sequence = index / shape.heads, head = index % shape.heads, size = shape.width / shape.heads;
  return {tokens.row(sequence * shape.length) + part * shape.width + head * size, shape.length, size, tokens.stride};
}

/// Softmax over the first i + 1 entries of each row i, the rest 0. `scale` multiplies the scores first.
template <class T>
void causal_softmax(MatrixView<T> scores, T scale) {
  for (std::int64_t i = 0; i < scores.rows; ++i) {
    T* row = scores.row(i);
    T largest = row[0];
    for (std::int64_t j = 1; j <= i; ++j) largest = std::max(largest, row[j]);
    T sum = 0;
    for (std::int64_t j = 0; j <= i; ++j) {
      row[j] = std::exp((row[j] - largest) * scale);
      sum += row[j];
    }
    const T inverse = T{1} / sum;
    for (std::int64_t j = 0; j <= i; ++j) row[j] *= inverse;
    std::fill(row + i + 1, row + scores.cols, T{0});
  }
}

}  // namespace

template <class T>
void Attention<T>::forward(const AttentionShape& shape, MatrixView<const T> projected, MatrixView<T> mixed, const Compute& compute) {
  const std::int64_t square = shape.length * shape.length;
  probability_.resize(static_cast<std::size_t>(shape.batch * shape.heads * square));
  const T scale = T{1} / std::sqrt(static_cast<T>(shape.width / shape.heads));
  const Compute alone{1, compute.backend};
  parallel_for(shape.batch * shape.heads, compute.threads, [&](std::int64_t index, int) {
    const auto scores = contiguous(probability_.data() + index * square, shape.length, shape.length);
    multiply(Operand<T>(head_of(projected, shape, index, 0)), Operand<T>(head_of(projected, shape, index, 1)).transposed(), scores, false, alone);
    causal_softmax(scores, scale);
    multiply(Operand<T>(scores), Operand<T>(head_of(projected, shape, index, 2)), head_of(mixed, shape, index, 0), false, alone);
  });
}

template <class T>
void Attention<T>::backward(const AttentionShape& shape, MatrixView<const T> projected, MatrixView<const T> mixed_gradient,
                            MatrixView<T> projected_gradient, const Compute& compute) {
  const std::int64_t square = shape.length * shape.length;
  score_gradient_.resize(probability_.size());
  const T scale = T{1} / std::sqrt(static_cast<T>(shape.width / shape.heads));
  const Compute alone{1, compute.backend};
  parallel_for(shape.batch * shape.heads, compute.threads, [&](std::int64_t index, int) {
    const auto p = contiguous(probability_.data() + index * square, shape.length, shape.length);
    const auto ds = contiguous(score_gradient_.data() + index * square, shape.length, shape.length);
    const auto up = head_of(mixed_gradient, shape, index, 0);
    multiply(Operand<T>(p).transposed(), Operand<T>(up), head_of(projected_gradient, shape, index, 2), false, alone);
    multiply(Operand<T>(up), Operand<T>(head_of(projected, shape, index, 2)).transposed(), ds, false, alone);
    for (std::int64_t i = 0; i < shape.length; ++i) {
      T dot = 0;
      for (std::int64_t j = 0; j <= i; ++j) dot += p.at(i, j) * ds.at(i, j);
      // p is 0 above the diagonal, so the masked scores get no gradient.
      for (std::int64_t j = 0; j < shape.length; ++j) ds.at(i, j) = p.at(i, j) * (ds.at(i, j) - dot) * scale;
    }
    multiply(Operand<T>(ds), Operand<T>(head_of(projected, shape, index, 1)), head_of(projected_gradient, shape, index, 0), false, alone);
    multiply(Operand<T>(ds).transposed(), Operand<T>(head_of(projected, shape, index, 0)), head_of(projected_gradient, shape, index, 1), false, alone);
  });
}

template class Attention<float>;
template class Attention<double>;

}  // namespace hinm::training
