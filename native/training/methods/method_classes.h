// The methods behind the interface of sparse_method.h.
#pragma once

#include "training/methods/sparse_method.h"

namespace hinm::training {

template <class T>
struct DenseMethod final : SparseMethod<T> {
  using SparseMethod<T>::SparseMethod;
  void project(const StepInfo&, SparseWeight<T>& weight) override;
  void project_frozen(const StepInfo& info, const Mask& mask, SparseWeight<T>& weight) override;
  Mask counted_mask(const SparseWeight<T>& weight) const override;
};

/// 2:4 paper (arXiv 2104.08378, section 4.1): the mask stays, and is re-applied after each step.
template <class T>
struct FixedMaskMethod final : SparseMethod<T> {
  using SparseMethod<T>::SparseMethod;
  void begin(const StepInfo&, SparseWeight<T>& weight) override;
  void project(const StepInfo&, SparseWeight<T>& weight) override;
  void hook_gradient(const StepInfo&, SparseWeight<T>& weight) override;
  void after_step(const StepInfo&, SparseWeight<T>& weight) override;
};

/// STE and SR-STE (arXiv 2102.04010); STEP trains with this once the trainer has switched.
template <class T>
struct HardThresholdMethod : SparseMethod<T> {
  using SparseMethod<T>::SparseMethod;
  void project(const StepInfo&, SparseWeight<T>& weight) override;
  void hook_gradient(const StepInfo&, SparseWeight<T>& weight) override;
  void before_step(const StepInfo& info, SparseWeight<T>& weight) override;

 protected:
  bool decays() const;
};

/// S-STE (arXiv 2409.09099, section 4).
template <class T>
struct SoftThresholdMethod final : SparseMethod<T> {
  using SparseMethod<T>::SparseMethod;
  void begin(const StepInfo&, SparseWeight<T>& weight) override;
  void project(const StepInfo&, SparseWeight<T>& weight) override;
  void project_frozen(const StepInfo& info, const Mask& mask, SparseWeight<T>& weight) override;
  Mask counted_mask(const SparseWeight<T>& weight) const override;
};

template <class T>
struct DecayingMaskMethod final : SparseMethod<T> {
  using SparseMethod<T>::SparseMethod;
  void project(const StepInfo& info, SparseWeight<T>& weight) override;
};

template <class T>
struct TransposableMethod final : HardThresholdMethod<T> {
  using HardThresholdMethod<T>::HardThresholdMethod;
  void project(const StepInfo& info, SparseWeight<T>& weight) override;
  void hook_gradient(const StepInfo& info, SparseWeight<T>& weight) override;
  void before_step(const StepInfo& info, SparseWeight<T>& weight) override;

 private:
  bool is_dense(const StepInfo& info) const;
};

template <class T>
struct BiMaskMethod final : HardThresholdMethod<T> {
  using HardThresholdMethod<T>::HardThresholdMethod;
  void project(const StepInfo& info, SparseWeight<T>& weight) override;
};

template <class T>
struct TopKastMethod final : SparseMethod<T> {
  using SparseMethod<T>::SparseMethod;
  void project(const StepInfo& info, SparseWeight<T>& weight) override;
  void hook_gradient(const StepInfo&, SparseWeight<T>& weight) override;
};

template <class T>
struct PowerpropagationMethod final : SparseMethod<T> {
  using SparseMethod<T>::SparseMethod;
  void begin(const StepInfo&, SparseWeight<T>& weight) override;
  void project(const StepInfo&, SparseWeight<T>& weight) override;
  void project_frozen(const StepInfo& info, const Mask& mask, SparseWeight<T>& weight) override;
  void hook_gradient(const StepInfo&, SparseWeight<T>& weight) override;
};

template <class T>
struct CombinationMethod final : SparseMethod<T> {
  using SparseMethod<T>::SparseMethod;
  void begin(const StepInfo&, SparseWeight<T>& weight) override;
  void project(const StepInfo& info, SparseWeight<T>& weight) override;
  void hook_gradient(const StepInfo& info, SparseWeight<T>& weight) override;
};

template <class T>
struct MaskChoiceMethod final : SparseMethod<T> {
  using SparseMethod<T>::SparseMethod;
  void begin(const StepInfo& info, SparseWeight<T>& weight) override;
  void project(const StepInfo& info, SparseWeight<T>& weight) override;
  void hook_gradient(const StepInfo& info, SparseWeight<T>& weight) override;
};

}  // namespace hinm::training
