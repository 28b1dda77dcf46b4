// Lab C's data: labelled samples in memory, a new order every epoch.
#pragma once

#include <memory>

#include "base/result.h"
#include "training/engine/task.h"

namespace hinm::training {

/// Samples × features, and one label a sample.
struct LabelledSamples {
  Matrix<float> inputs;
  std::vector<std::int32_t> labels;
};

struct ClassificationShape {
  std::int64_t classes = 10;
  std::int64_t batch = 64;
};

template <class T>
class Classification final : public Task<T> {
 public:
  /// The runs of a sweep share the samples. Refuses inputs that are not finite, labels outside [0, classes), differing counts and fewer samples than a batch.
  static Result<std::shared_ptr<Task<T>>> create(const ClassificationShape& shape, std::shared_ptr<const LabelledSamples> train,
                                                 std::shared_ptr<const LabelledSamples> held_out, std::uint64_t seed);

  void draw(std::int64_t step, Batch<T>& batch) const override;
  std::int64_t held_out_batches() const override;
  void held_out(std::int64_t index, Batch<T>& batch) const override;
  bool has_labels() const override { return true; }

 private:
  Classification(const ClassificationShape& shape, std::shared_ptr<const LabelledSamples> train, std::shared_ptr<const LabelledSamples> held_out,
                 std::uint64_t seed)
      : shape_(shape), train_(std::move(train)), held_out_(std::move(held_out)), seed_(seed) {}

  ClassificationShape shape_;
  std::shared_ptr<const LabelledSamples> train_;
  std::shared_ptr<const LabelledSamples> held_out_;
  std::uint64_t seed_;
  /// The order of one epoch, remembered because steps come in turn.
  mutable std::vector<std::uint32_t> order_;
  mutable std::int64_t order_epoch_ = -1;
};

}  // namespace hinm::training
