// Where mini-batches and held-out data come from.
#pragma once

#include <cstdint>

#include "training/engine/network.h"

namespace hinm::training {

/// Keys of random streams, so that no two purposes share numbers.
enum class Purpose : std::uint32_t { teacher = 0x54454143, train = 0x54524149, held_out = 0x48454C44 };

template <class T>
class Task {
 public:
  virtual ~Task() = default;
  /// The mini-batch of a step. It depends on seed and step alone, so every method of one seed sees the same data.
  virtual void draw(std::int64_t step, Batch<T>& batch) const = 0;
  virtual std::int64_t held_out_batches() const = 0;
  virtual void held_out(std::int64_t index, Batch<T>& batch) const = 0;
  /// What the held-out loss is divided by: the mean square of the targets for regression, 1 elsewhere.
  virtual double loss_unit() const { return 1; }
  /// Whether outputs are compared with labels, so that an accuracy exists.
  virtual bool has_labels() const { return false; }
};

}  // namespace hinm::training
