// One training run: network, task, method and optimizer, step by step.
#pragma once

#include <memory>
#include <string>

#include "base/job_control.h"
#include "base/result.h"
#include "training/engine/optimizer.h"
#include "training/engine/records.h"
#include "training/engine/task.h"
#include "training/methods/sparse_method.h"

namespace hinm::training {

struct TrainerSettings {
  std::uint64_t seed = 0;
  std::int64_t total = 1000;
  OptimizerSettings optimizer;
  MethodSettings method;
  /// Steps between two diagnoses; 0 makes none.
  std::int64_t diagnose_every = 10;
  /// Diagnose on a held-out batch instead of the step's own.
  bool diagnose_held_out = false;
  /// Added to the step for the data, so that a second pass sees fresh ones.
  std::int64_t first_data_step = 0;
  Compute compute;
  /// Names network and task in a checkpoint.
  std::string model;
};

/// n + m steps give the same weights bit for bit as n steps, save, restore, m steps: all randomness is keyed by seed and
/// step. The thread count changes nothing with the tiled product.
template <class T>
class Trainer {
 public:
  static Result<std::unique_ptr<Trainer>> create(const TrainerSettings& settings, std::unique_ptr<Network<T>> network, std::shared_ptr<const Task<T>> task);

  std::int64_t step() const { return step_; }
  const TrainerSettings& settings() const { return settings_; }
  const History& history() const { return history_; }
  std::vector<SparseWeight<T>>& sparse() { return sparse_; }
  Network<T>& network() { return *network_; }

  /// Steps up to `until` (at most the settings' total). Stops with CANCELLED between two steps, and with NOT_FINITE at the
  /// step whose loss is not finite, before any weight is changed by it.
  Status run(std::int64_t until, const JobControl& control);
  /// Mean held-out loss with the masks that would be deployed.
  Result<Evaluation> evaluate(const JobControl& control);

  /// The mask whose flips are counted, of one prunable layer.
  Mask counted_mask(std::size_t layer) const { return method().counted_mask(sparse_[layer]); }
  /// Replaces the mask of a prunable layer (fixed masks only) and applies it to the weight.
  Status set_mask(std::size_t layer, Mask mask);
  /// Replaces a parameter's values; before the first step only.
  Status set_values(std::size_t parameter, const std::vector<T>& values);

  std::vector<std::uint8_t> save() const;
  /// Refuses bytes that are no checkpoint, are damaged, or belong to another model, method or seed; then nothing changes.
  Status restore(const std::vector<std::uint8_t>& bytes);

 private:
  struct Probe;

  Trainer(const TrainerSettings& settings, std::unique_ptr<Network<T>> network, std::shared_ptr<const Task<T>> task, std::unique_ptr<SparseMethod<T>> method);

  void begin();
  StepInfo info_at(std::int64_t step) const;
  bool is_dense_phase() const;
  SparseMethod<T>& method() const { return is_dense_phase() ? *dense_ : *method_; }
  void project(const StepInfo& info);
  Status make_step();
  Status not_finite_loss(double loss) const;
  void update(const StepInfo& info);
  void probe_before(const StepInfo& info, double loss, Probe& probe);
  void probe_after(Probe& probe);
  void describe_layers(Diagnosis& diagnosis);
  std::vector<Parameter<T>*> learned();
  std::string fingerprint() const;

  TrainerSettings settings_;
  std::unique_ptr<Network<T>> network_;
  std::shared_ptr<const Task<T>> task_;
  std::unique_ptr<SparseMethod<T>> method_;
  std::unique_ptr<SparseMethod<T>> dense_;  ///< STEP's first phase
  PreconditionerSwitch switch_;
  std::vector<SparseWeight<T>> sparse_;
  Batch<T> batch_;
  Batch<T> probe_batch_;
  std::int64_t step_ = 0;
  std::int64_t second_moment_steps_ = 0;
  bool begun_ = false;
  History history_;
};

}  // namespace hinm::training
