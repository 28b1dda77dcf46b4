#include "training/labs/classification.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/random.h"
#include "training/engine/shaped.h"

namespace hinm::training {
namespace {

constexpr std::int64_t held_out_batch = 500;

std::optional<Error> fault_of(const LabelledSamples& samples, const char* part, const ClassificationShape& shape, std::int64_t least) {
  const auto labels = static_cast<std::int64_t>(samples.labels.size());
  if (samples.inputs.rows != labels) {
    return invalid_argument(std::string("The ") + part + " data have " + std::to_string(samples.inputs.rows) + " samples but " + std::to_string(labels) +
                            " labels; there must be one label a sample.");
  }
  if (labels < least) {
    return invalid_argument(std::string("The ") + part + " data have " + std::to_string(labels) + " samples, but at least " + std::to_string(least) +
                            " are needed; use more data or a smaller batch.");
  }
  for (std::int64_t i = 0; i < labels; ++i) {
    const std::int32_t label = samples.labels[static_cast<std::size_t>(i)];
    if (label < 0 || label >= shape.classes) {
      return invalid_argument("Label " + std::to_string(label) + " of " + part + " sample " + std::to_string(i) + " is out of range; with " +
                              std::to_string(shape.classes) + " classes labels are 0 to " + std::to_string(shape.classes - 1) + ".");
    }
  }
  for (std::int64_t i = 0; i < samples.inputs.rows * samples.inputs.cols; ++i) {
    if (!std::isfinite(samples.inputs.data[static_cast<std::size_t>(i)])) {
      return not_finite(std::string("The ") + part + " data are not finite: sample " + std::to_string(i / samples.inputs.cols) + ", feature " +
                        std::to_string(i % samples.inputs.cols) + "; remove or repair that sample.");
    }
  }
  return std::nullopt;
}

template <class T>
void copy_sample(const LabelledSamples& from, std::int64_t sample, std::int64_t place, Batch<T>& batch) {
  const float* source = from.inputs.view().row(sample);
  T* to = batch.inputs.view().row(place);
  for (std::int64_t c = 0; c < from.inputs.cols; ++c) to[c] = static_cast<T>(source[c]);
  batch.labels[static_cast<std::size_t>(place)] = from.labels[static_cast<std::size_t>(sample)];
}

}  // namespace

template <class T>
Result<std::shared_ptr<Task<T>>> Classification<T>::create(const ClassificationShape& shape, std::shared_ptr<const LabelledSamples> train,
                                                          std::shared_ptr<const LabelledSamples> held_out, std::uint64_t seed) {
  if (const auto fault = fault_of(*train, "training", shape, shape.batch)) return *fault;
  if (const auto fault = fault_of(*held_out, "held-out", shape, 1)) return *fault;
  if (train->inputs.cols != held_out->inputs.cols) {
    return invalid_argument("Training samples have " + std::to_string(train->inputs.cols) + " features but held-out samples " +
                            std::to_string(held_out->inputs.cols) + "; both need the same.");
  }
  return std::shared_ptr<Task<T>>(new Classification(shape, std::move(train), std::move(held_out), seed));
}

template <class T>
void Classification<T>::draw(std::int64_t step, Batch<T>& batch) const {
  const auto samples = static_cast<std::int64_t>(train_->labels.size());
  const std::int64_t steps_of_epoch = samples / shape_.batch;
  const std::int64_t epoch = step / steps_of_epoch;
  if (epoch != order_epoch_) {
    order_.resize(static_cast<std::size_t>(samples));
    std::iota(order_.begin(), order_.end(), 0u);
    RandomStream random(seed_, static_cast<std::uint32_t>(Purpose::train), static_cast<std::uint32_t>(epoch));
    shuffle(order_.data(), static_cast<std::uint32_t>(samples), random);
    order_epoch_ = epoch;
  }
  shaped(batch.inputs, shape_.batch, train_->inputs.cols);
  batch.labels.resize(static_cast<std::size_t>(shape_.batch));
  for (std::int64_t i = 0; i < shape_.batch; ++i) {
    copy_sample(*train_, order_[static_cast<std::size_t>(step % steps_of_epoch * shape_.batch + i)], i, batch);
  }
}

template <class T>
std::int64_t Classification<T>::held_out_batches() const {
  return (static_cast<std::int64_t>(held_out_->labels.size()) + held_out_batch - 1) / held_out_batch;
}

template <class T>
void Classification<T>::held_out(std::int64_t index, Batch<T>& batch) const {
  const auto samples = static_cast<std::int64_t>(held_out_->labels.size());
  const std::int64_t first = index * held_out_batch, count = std::min(held_out_batch, samples - first);
  shaped(batch.inputs, count, held_out_->inputs.cols);
  batch.labels.resize(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) copy_sample(*held_out_, first + i, i, batch);
}

template class Classification<float>;
template class Classification<double>;

}  // namespace hinm::training
