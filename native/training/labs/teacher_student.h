// Lab A's data: y = T₂·relu(T₁·x), with x drawn anew for every step, so that there is nothing to overfit and no file.
#pragma once

#include "base/random.h"
#include "training/engine/task.h"

namespace hinm::training {

struct TeacherShape {
  std::int64_t inputs = 32;
  std::int64_t hidden = 256;
  std::int64_t outputs = 16;
  std::int64_t batch = 64;
  std::int64_t held_out_samples = 4096;
};

template <class T>
class TeacherStudent final : public Task<T> {
 public:
  /// T₁ has entries N(0, 1)·1.5/√inputs, T₂ N(0, 1)/√hidden; another seed is another teacher.
  TeacherStudent(const TeacherShape& shape, std::uint64_t seed);

  void draw(std::int64_t step, Batch<T>& batch) const override;
  std::int64_t held_out_batches() const override;
  void held_out(std::int64_t index, Batch<T>& batch) const override;
  /// Mean square of the held-out targets, so that a network which answers 0 scores 1.
  double loss_unit() const override { return mean_square_; }

 private:
  void fill(RandomStream&& random, Batch<T>& batch) const;

  TeacherShape shape_;
  std::uint64_t seed_;
  Matrix<T> first_;
  Matrix<T> second_;
  double mean_square_ = 1;
};

}  // namespace hinm::training
