// Dense, fixed, hard, soft and fading masks by magnitude.
#include "training/methods/method_classes.h"
#include "training/methods/soft_threshold.h"

namespace hinm::training {
namespace {

template <class T>
Mask mask_by_magnitude(const SparseWeight<T>& weight, GroupPattern pattern) {
  const auto& values = weight.layer->weight;
  Mask mask(values.value.size());
  magnitude_mask(values.values(), pattern, mask.data());
  return mask;
}

}  // namespace

template <class T>
void DenseMethod<T>::project(const StepInfo&, SparseWeight<T>& weight) {
  weight.layer->effective.data = weight.layer->weight.value;
}

template <class T>
void DenseMethod<T>::project_frozen(const StepInfo& info, const Mask&, SparseWeight<T>& weight) {
  project(info, weight);
}

template <class T>
Mask DenseMethod<T>::counted_mask(const SparseWeight<T>& weight) const {
  const auto pattern = this->settings_.pattern;
  return weight.layer->inputs() % pattern.of == 0 ? mask_by_magnitude(weight, pattern) : Mask{};
}

template <class T>
void FixedMaskMethod<T>::begin(const StepInfo&, SparseWeight<T>& weight) {
  if (weight.mask.empty()) weight.mask = mask_by_magnitude(weight, this->settings_.pattern);
  after_step({}, weight);
}

template <class T>
void FixedMaskMethod<T>::project(const StepInfo&, SparseWeight<T>& weight) {
  apply_mask(weight.mask, weight);
}

template <class T>
void FixedMaskMethod<T>::hook_gradient(const StepInfo&, SparseWeight<T>& weight) {
  auto& gradient = weight.layer->weight.gradient;
  for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = weight.mask[i] ? gradient[i] : T{0};
}

template <class T>
void FixedMaskMethod<T>::after_step(const StepInfo&, SparseWeight<T>& weight) {
  auto& values = weight.layer->weight.value;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = weight.mask[i] ? values[i] : T{0};
}

template <class T>
void HardThresholdMethod<T>::project(const StepInfo&, SparseWeight<T>& weight) {
  const auto& values = weight.layer->weight;
  weight.mask.resize(values.value.size());
  magnitude_mask(values.values(), this->settings_.pattern, weight.mask.data());
  apply_mask(weight.mask, weight);
}

template <class T>
bool HardThresholdMethod<T>::decays() const {
  return this->settings_.kind != MethodKind::ste && this->settings_.kind != MethodKind::bi_mask && this->settings_.decay != 0;
}

template <class T>
void HardThresholdMethod<T>::hook_gradient(const StepInfo&, SparseWeight<T>& weight) {
  auto& values = weight.layer->weight;
  if (decays() && this->settings_.placement == DecayPlacement::gradient) {
    decay_gradient(std::as_const(values).values(), weight.mask, this->settings_.decay, values.gradients());
  }
}

template <class T>
void HardThresholdMethod<T>::before_step(const StepInfo& info, SparseWeight<T>& weight) {
  if (decays() && this->settings_.placement == DecayPlacement::weight) {
    decay_weights(weight.mask, info.rate, this->settings_.decay, weight.layer->weight.values());
  }
}

template <class T>
void SoftThresholdMethod<T>::begin(const StepInfo&, SparseWeight<T>& weight) {
  weight.scale = 1;
  if (this->settings_.scale == ScaleRule::one) return;
  const auto values = std::as_const(weight.layer->weight).values();
  soft_threshold(values, this->settings_.pattern, weight.layer->effective.view());
  weight.scale = projection_scale(values, MatrixView<const T>(weight.layer->effective.view()));
}

template <class T>
void SoftThresholdMethod<T>::project(const StepInfo&, SparseWeight<T>& weight) {
  const auto values = std::as_const(weight.layer->weight).values();
  const auto effective = weight.layer->effective.view();
  if (this->settings_.scale == ScaleRule::dynamic) {
    soft_threshold(values, this->settings_.pattern, effective);
    weight.scale = projection_scale(values, MatrixView<const T>(effective));
  }
  soft_threshold(values, this->settings_.pattern, effective, static_cast<T>(weight.scale));
}

template <class T>
void SoftThresholdMethod<T>::project_frozen(const StepInfo& info, const Mask& mask, SparseWeight<T>& weight) {
  project(info, weight);
  auto& effective = weight.layer->effective.data;
  for (std::size_t i = 0; i < effective.size(); ++i) effective[i] = mask[i] ? effective[i] : T{0};
}

template <class T>
Mask SoftThresholdMethod<T>::counted_mask(const SparseWeight<T>& weight) const {
  return mask_by_magnitude(weight, this->settings_.pattern);
}

template <class T>
void DecayingMaskMethod<T>::project(const StepInfo& info, SparseWeight<T>& weight) {
  const auto& settings = this->settings_;
  const auto& values = weight.layer->weight;
  weight.mask.resize(values.value.size());
  magnitude_mask(values.values(), settings.pattern, weight.mask.data());
  const double span = settings.fade_share * static_cast<double>(info.total);
  // At the end of the span the linear factor is 0 and the exponential one e⁻⁵.
  const double rate = span <= 0 ? 1e9 : (settings.curve == DecayCurve::linear ? 1 : 5) / span;
  const T left = static_cast<T>(info.evaluate ? 0 : decaying_factor(settings.curve, rate, static_cast<double>(info.step)));
  auto& effective = weight.layer->effective.data;
  for (std::size_t i = 0; i < effective.size(); ++i) effective[i] = weight.mask[i] ? values.value[i] : left * values.value[i];
}

template struct DenseMethod<float>;
template struct DenseMethod<double>;
template struct FixedMaskMethod<float>;
template struct FixedMaskMethod<double>;
template struct HardThresholdMethod<float>;
template struct HardThresholdMethod<double>;
template struct SoftThresholdMethod<float>;
template struct SoftThresholdMethod<double>;
template struct DecayingMaskMethod<float>;
template struct DecayingMaskMethod<double>;

}  // namespace hinm::training
