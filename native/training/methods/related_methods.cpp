// Methods with masks that serve the backward product too, that explore, or that are learned.
#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "training/methods/group_options.h"
#include "training/methods/method_classes.h"
#include "training/methods/transposable_mask.h"

namespace hinm::training {
namespace {

bool refreshes(const MethodSettings& settings, const StepInfo& info, const Mask& mask) {
  return mask.empty() || info.step % std::max<std::int64_t>(1, settings.refresh_every) == 0;
}

template <class T>
GroupScores scores_of(const SparseWeight<T>& weight, std::size_t group) {
  GroupScores scores;
  for (std::size_t o = 0; o < 6; ++o) scores[o] = static_cast<double>(weight.scores.value[group * 6 + o]);
  return scores;
}

/// The options with the highest scores; the first of equal ones.
std::array<bool, 6> alive_options(const GroupScores& scores, int count) {
  std::array<std::size_t, 6> order = {0, 1, 2, 3, 4, 5};
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  std::array<bool, 6> alive{};
  for (int i = 0; i < count; ++i) alive[order[static_cast<std::size_t>(i)]] = true;
  return alive;
}

int alive_at(const MethodSettings& settings, const StepInfo& info) {
  return info.evaluate ? 1 : options_alive(static_cast<double>(info.step), 0, settings.fade_share * static_cast<double>(info.total));
}

template <class T>
void begin_scores(SparseWeight<T>& weight, const char* suffix) {
  weight.scores = Parameter<T>(weight.layer->weight.name + suffix, static_cast<std::int64_t>(weight.layer->weight.value.size() / 4), 6, false);
}

/// From the gradient of the effective weight: that of a group's mask values, and w's own by the chain rule.
template <class T, class MaskValue>
std::array<double, 4> split_gradient(SparseWeight<T>& weight, std::size_t group, MaskValue mask_value) {
  std::array<double, 4> mask_gradient;
  for (std::size_t i = 0; i < 4; ++i) {
    T& gradient = weight.layer->weight.gradient[group * 4 + i];
    mask_gradient[i] = static_cast<double>(gradient) * static_cast<double>(weight.layer->weight.value[group * 4 + i]);
    gradient *= static_cast<T>(mask_value(i));
  }
  return mask_gradient;
}

/// MaskLLM's schedules (arXiv 2409.17481, section 4.1): the temperature falls from 4 to 0.05, the scale rises from 100 to 500.
struct ChoiceSchedule {
  double scale;
  double temperature;
};
ChoiceSchedule choice_at(const StepInfo& info) {
  const double progress = std::min(1.0, static_cast<double>(info.step) / static_cast<double>(std::max<std::int64_t>(1, info.total)));
  return {100 + 400 * progress, 4 - 3.95 * progress};
}

template <class T>
SoftChoice choice_of(const StepInfo& info, const SparseWeight<T>& weight, std::size_t group) {
  constexpr std::uint32_t purpose = 0x47554D42;
  RandomStream random(info.seed ^ purpose, weight.layer->identity(), static_cast<std::uint32_t>(info.step), static_cast<std::uint32_t>(group));
  GroupScores noise;
  for (double& value : noise) value = -std::log(-std::log(std::max(random.uniform(), 1e-12)));
  const ChoiceSchedule schedule = choice_at(info);
  return soft_choice(scores_of(weight, group), noise, schedule.scale, schedule.temperature);
}

}  // namespace

template <class T>
bool TransposableMethod<T>::is_dense(const StepInfo& info) const {
  return !info.evaluate && static_cast<double>(info.step) >= (1 - this->settings_.dense_end) * static_cast<double>(info.total);
}

template <class T>
void TransposableMethod<T>::project(const StepInfo& info, SparseWeight<T>& weight) {
  const auto& values = weight.layer->weight;
  const bool dense = is_dense(info);
  if (weight.mask.empty() || (!dense && refreshes(this->settings_, info, weight.mask))) {
    weight.mask.resize(values.value.size());
    transposable_mask(values.values(), this->settings_.exact_transposable, weight.mask.data());
  }
  // The dense end is what the method trains for: it is evaluated dense when the run has one.
  if (dense || (info.evaluate && this->settings_.dense_end > 0)) weight.layer->effective.data = values.value;
  else apply_mask(weight.mask, weight);
}

template <class T>
void TransposableMethod<T>::hook_gradient(const StepInfo& info, SparseWeight<T>& weight) {
  if (!is_dense(info)) HardThresholdMethod<T>::hook_gradient(info, weight);
}

template <class T>
void TransposableMethod<T>::before_step(const StepInfo& info, SparseWeight<T>& weight) {
  if (!is_dense(info)) HardThresholdMethod<T>::before_step(info, weight);
}

template <class T>
void BiMaskMethod<T>::project(const StepInfo& info, SparseWeight<T>& weight) {
  HardThresholdMethod<T>::project(info, weight);
  const auto& values = weight.layer->weight;
  if (refreshes(this->settings_, info, weight.explored)) {
    weight.explored.resize(values.value.size());
    backward_mask(values.values(), weight.mask, this->settings_.candidates, info.seed, weight.layer->identity(), weight.explored.data());
  }
  auto& backward = weight.layer->backward_effective;
  backward = weight.layer->effective;
  for (std::size_t i = 0; i < backward.data.size(); ++i) backward.data[i] = weight.explored[i] ? values.value[i] : T{0};
}

template <class T>
void TopKastMethod<T>::project(const StepInfo& info, SparseWeight<T>& weight) {
  const auto& values = weight.layer->weight;
  const double count = static_cast<double>(values.value.size());
  if (refreshes(this->settings_, info, weight.mask)) {
    weight.mask.resize(values.value.size());
    weight.explored.resize(values.value.size());
    top_magnitudes(values.values(), std::llround(this->settings_.forward_density * count), weight.mask.data());
    top_magnitudes(values.values(), std::llround(this->settings_.backward_density * count), weight.explored.data());
  }
  apply_mask(weight.mask, weight);
}

template <class T>
void TopKastMethod<T>::hook_gradient(const StepInfo&, SparseWeight<T>& weight) {
  auto& values = weight.layer->weight;
  const T inside = static_cast<T>(2 * this->settings_.penalty), outside = static_cast<T>(2 * this->settings_.penalty / this->settings_.forward_density);
  for (std::size_t i = 0; i < values.value.size(); ++i) {
    const T pull = (weight.mask[i] ? inside : outside) * values.value[i];
    values.gradient[i] = weight.explored[i] ? values.gradient[i] + pull : T{0};
  }
}

template <class T>
void PowerpropagationMethod<T>::begin(const StepInfo&, SparseWeight<T>& weight) {
  for (T& value : weight.layer->weight.value) value = static_cast<T>(power_initial(static_cast<double>(value), this->settings_.alpha));
}

template <class T>
void PowerpropagationMethod<T>::project(const StepInfo& info, SparseWeight<T>& weight) {
  const auto& values = weight.layer->weight;
  weight.mask.resize(values.value.size());
  // |φ|^α rises with |φ|, so both give the same mask.
  magnitude_mask(values.values(), this->settings_.pattern, weight.mask.data());
  project_frozen(info, weight.mask, weight);
}

template <class T>
void PowerpropagationMethod<T>::project_frozen(const StepInfo&, const Mask& mask, SparseWeight<T>& weight) {
  auto& effective = weight.layer->effective.data;
  const auto& values = weight.layer->weight.value;
  for (std::size_t i = 0; i < effective.size(); ++i) effective[i] = mask[i] ? static_cast<T>(power_weight(static_cast<double>(values[i]), this->settings_.alpha)) : T{0};
}

template <class T>
void PowerpropagationMethod<T>::hook_gradient(const StepInfo&, SparseWeight<T>& weight) {
  auto& values = weight.layer->weight;
  for (std::size_t i = 0; i < values.value.size(); ++i) {
    values.gradient[i] *= static_cast<T>(power_slope(static_cast<double>(values.value[i]), this->settings_.alpha));
  }
}

template <class T>
void CombinationMethod<T>::begin(const StepInfo&, SparseWeight<T>& weight) {
  begin_scores(weight, ".scores");
  std::fill(weight.scores.value.begin(), weight.scores.value.end(), static_cast<T>(1.0 / 3));
}

template <class T>
void CombinationMethod<T>::project(const StepInfo& info, SparseWeight<T>& weight) {
  const int count = alive_at(this->settings_, info);
  weight.mask.resize(weight.layer->weight.value.size());
  for (std::size_t group = 0; group < weight.mask.size() / 4; ++group) {
    const GroupScores scores = scores_of(weight, group);
    const CombinationMask mask = combination_mask(scores, alive_options(scores, count));
    for (std::size_t i = 0; i < 4; ++i) weight.mask[group * 4 + i] = mask.value[i] != 0;
  }
  apply_mask(weight.mask, weight);
}

template <class T>
void CombinationMethod<T>::hook_gradient(const StepInfo& info, SparseWeight<T>& weight) {
  const int count = alive_at(this->settings_, info);
  for (std::size_t group = 0; group < weight.mask.size() / 4; ++group) {
    const GroupScores scores = scores_of(weight, group);
    const auto alive = alive_options(scores, count);
    const CombinationMask mask = combination_mask(scores, alive);
    const auto mask_gradient = split_gradient(weight, group, [&](std::size_t i) { return mask.value[i]; });
    const GroupScores gradient = combination_gradient(mask, alive, mask_gradient);
    for (std::size_t o = 0; o < 6; ++o) weight.scores.gradient[group * 6 + o] = static_cast<T>(gradient[o]);
  }
}

template <class T>
void MaskChoiceMethod<T>::begin(const StepInfo& info, SparseWeight<T>& weight) {
  begin_scores(weight, ".logits");
  constexpr std::uint32_t purpose = 0x4C4F4749;
  RandomStream random(info.seed, purpose, weight.layer->identity());
  for (T& value : weight.scores.value) value = static_cast<T>(0.01 * random.normal());
}

template <class T>
void MaskChoiceMethod<T>::project(const StepInfo& info, SparseWeight<T>& weight) {
  auto& layer = *weight.layer;
  weight.mask.resize(layer.weight.value.size());
  for (std::size_t group = 0; group < weight.mask.size() / 4; ++group) {
    const auto& hard = group_options[static_cast<std::size_t>(hard_choice(scores_of(weight, group)))];
    const SoftChoice soft = info.evaluate ? SoftChoice{} : choice_of(info, weight, group);
    for (std::size_t i = 0; i < 4; ++i) {
      const double share = info.evaluate ? hard[i] : soft.mask[i];
      weight.mask[group * 4 + i] = hard[i];
      layer.effective.data[group * 4 + i] = static_cast<T>(share) * layer.weight.value[group * 4 + i];
    }
  }
}

template <class T>
void MaskChoiceMethod<T>::hook_gradient(const StepInfo& info, SparseWeight<T>& weight) {
  const ChoiceSchedule schedule = choice_at(info);
  for (std::size_t group = 0; group < weight.mask.size() / 4; ++group) {
    const SoftChoice choice = choice_of(info, weight, group);
    const auto mask_gradient = split_gradient(weight, group, [&](std::size_t i) { return choice.mask[i]; });
    const GroupScores gradient = soft_choice_gradient(choice, mask_gradient, schedule.scale, schedule.temperature);
    for (std::size_t o = 0; o < 6; ++o) weight.scores.gradient[group * 6 + o] = static_cast<T>(gradient[o]);
  }
}

#define HINM_INSTANTIATE(T)                   \
  template struct TransposableMethod<T>;      \
  template struct BiMaskMethod<T>;            \
  template struct TopKastMethod<T>;           \
  template struct PowerpropagationMethod<T>;  \
  template struct CombinationMethod<T>;       \
  template struct MaskChoiceMethod<T>;
HINM_INSTANTIATE(float)
HINM_INSTANTIATE(double)
#undef HINM_INSTANTIATE

}  // namespace hinm::training
