// One interface for all ways to train with sparse weights: project the dense weight, shape its gradient, tell the mask.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "training/engine/linear.h"
#include "training/methods/magnitude_mask.h"
#include "training/methods/masked_decay.h"
#include "training/methods/related_rules.h"

namespace hinm::training {

enum class MethodKind {
  dense,
  ste,              ///< hard threshold, straight-through gradient
  sr_ste,           ///< STE with masked decay
  s_ste,            ///< soft threshold, scaled
  transposable,     ///< transposable masks with masked decay, refreshed seldom, a dense end
  fixed_mask,       ///< a mask from outside, or pruned once by magnitude: prune-and-retrain
  decaying_mask,    ///< pruned weights fade out
  step,             ///< dense Adam first, then SR-STE with a frozen second moment
  bi_mask,          ///< a second mask for ∇X
  top_kast,         ///< unstructured, forward set inside the backward set
  powerpropagation, ///< w = φ|φ|^(α−1), pruned hard
  lbc,              ///< learned combination, dropped on a cubic schedule
  mask_llm,         ///< Gumbel-softmax over the six masks of a group
};

/// How S-STE's scale β is kept: once after initialisation, anew each step, or 1.
enum class ScaleRule { frozen, dynamic, one };

/// Everything that a method can be told. Fields that it does not use have no effect.
struct MethodSettings {
  MethodKind kind = MethodKind::dense;
  GroupPattern pattern;
  /// λ of the masked decay (SR-STE, transposable, STEP).
  double decay = 2e-4;
  DecayPlacement placement = DecayPlacement::gradient;
  ScaleRule scale = ScaleRule::frozen;
  Numerics numerics;
  /// Steps between two mask searches (transposable, Top-KAST, Bi-Mask).
  std::int64_t refresh_every = 40;
  /// Share of the run at its end that is trained dense (transposable).
  double dense_end = 1.0 / 6;
  bool exact_transposable = true;
  DecayCurve curve = DecayCurve::linear;
  /// Share of the run over which pruned weights fade (decaying mask) or options are dropped (LBC).
  double fade_share = 0.5;
  double alpha = 2;
  double forward_density = 0.5;
  double backward_density = 0.75;
  /// Weight of Top-KAST's regulariser.
  double penalty = 1e-4;
  double switch_tolerance = 1e-8;
  int candidates = 16;
};

/// Where in the run a call stands.
struct StepInfo {
  std::int64_t step = 0;
  std::int64_t total = 1;
  std::uint64_t seed = 0;
  double rate = 0;
  /// For the evaluation a method that trains with soft masks puts its hard ones in.
  bool evaluate = false;
};

/// A layer's weight under a method, with what the method remembers.
template <class T>
struct SparseWeight {
  Linear<T>* layer = nullptr;
  Mask mask;       ///< in force since the last projection; empty where the method has none
  Mask explored;   ///< Top-KAST's backward set, Bi-Mask's mask of ∇X
  double scale = 1;  ///< β
  Parameter<T> scores;  ///< six a group (LBC, MaskLLM), or empty
};

template <class T>
class SparseMethod {
 public:
  explicit SparseMethod(const MethodSettings& settings) : settings_(settings) {}
  virtual ~SparseMethod() = default;
  SparseMethod(const SparseMethod&) = delete;
  SparseMethod& operator=(const SparseMethod&) = delete;

  const MethodSettings& settings() const { return settings_; }

  /// Once, when the weights have their initial values.
  virtual void begin(const StepInfo&, SparseWeight<T>&) {}
  /// Writes layer->effective and the mask from the dense weight. Repeating it with the same step and weight changes nothing.
  virtual void project(const StepInfo& info, SparseWeight<T>& weight) = 0;
  /// The projection that this step would have made with `mask` frozen, for ΔF₂ (S-STE, section 4.1).
  virtual void project_frozen(const StepInfo& info, const Mask& mask, SparseWeight<T>& weight);
  /// Turns the gradient of layer->effective into that of the dense weight, in place.
  virtual void hook_gradient(const StepInfo&, SparseWeight<T>&) {}
  /// Changes the weight beside the optimizer, before its step.
  virtual void before_step(const StepInfo&, SparseWeight<T>&) {}
  virtual void after_step(const StepInfo&, SparseWeight<T>&) {}
  /// The mask whose flips are counted: the one in force, or for dense and soft methods the one that magnitude would choose.
  virtual Mask counted_mask(const SparseWeight<T>& weight) const;

 protected:
  MethodSettings settings_;
};

/// The method, or why these settings or this layer cannot be.
template <class T>
Result<std::unique_ptr<SparseMethod<T>>> make_method(const MethodSettings& settings);
/// Refuses a weight whose shape the method's groups do not divide.
Status check_shape(const MethodSettings& settings, const std::string& layer, std::int64_t rows, std::int64_t cols);

/// effective = weight∘mask.
template <class T>
void apply_mask(const Mask& mask, SparseWeight<T>& weight);

}  // namespace hinm::training
