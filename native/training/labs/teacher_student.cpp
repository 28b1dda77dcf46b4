#include "training/labs/teacher_student.h"

#include <cmath>

#include "training/engine/activation.h"
#include "training/engine/gemm.h"
#include "training/engine/shaped.h"

namespace hinm::training {

template <class T>
TeacherStudent<T>::TeacherStudent(const TeacherShape& shape, std::uint64_t seed)
    : shape_(shape), seed_(seed), first_(shape.hidden, shape.inputs), second_(shape.outputs, shape.hidden) {
  RandomStream random(seed, static_cast<std::uint32_t>(Purpose::teacher));
  for (T& value : first_.data) value = static_cast<T>(random.normal() * 1.5 / std::sqrt(static_cast<double>(shape.inputs)));
  for (T& value : second_.data) value = static_cast<T>(random.normal() / std::sqrt(static_cast<double>(shape.hidden)));
  double squares = 0, entries = 0;
  Batch<T> batch;
  for (std::int64_t i = 0; i < held_out_batches(); ++i) {
    held_out(i, batch);
    for (const T y : batch.targets.data) squares += static_cast<double>(y) * static_cast<double>(y);
    entries += static_cast<double>(batch.targets.data.size());
  }
  mean_square_ = squares / entries;
}

template <class T>
void TeacherStudent<T>::fill(RandomStream&& random, Batch<T>& batch) const {
  shaped(batch.inputs, shape_.batch, shape_.inputs);
  for (T& value : batch.inputs.data) value = static_cast<T>(random.normal());
  Matrix<T> hidden(shape_.batch, shape_.hidden);
  multiply(Operand<T>(batch.inputs.view()), Operand<T>(first_.view()).transposed(), hidden.view(), false, {});
  relu(MatrixView<const T>(hidden.view()), hidden.view(), {});
  multiply(Operand<T>(hidden.view()), Operand<T>(second_.view()).transposed(), shaped(batch.targets, shape_.batch, shape_.outputs), false, {});
}

template <class T>
void TeacherStudent<T>::draw(std::int64_t step, Batch<T>& batch) const {
  fill(RandomStream(seed_, static_cast<std::uint32_t>(Purpose::train), static_cast<std::uint32_t>(step)), batch);
}

template <class T>
std::int64_t TeacherStudent<T>::held_out_batches() const {
  return (shape_.held_out_samples + shape_.batch - 1) / shape_.batch;
}

template <class T>
void TeacherStudent<T>::held_out(std::int64_t index, Batch<T>& batch) const {
  fill(RandomStream(seed_, static_cast<std::uint32_t>(Purpose::held_out), static_cast<std::uint32_t>(index)), batch);
}

template class TeacherStudent<float>;
template class TeacherStudent<double>;

}  // namespace hinm::training
