#include "training/methods/sparse_method.h"

#include "training/methods/method_classes.h"

namespace hinm::training {

template <class T>
void apply_mask(const Mask& mask, SparseWeight<T>& weight) {
  const auto& dense = weight.layer->weight.value;
  auto& effective = weight.layer->effective.data;
  for (std::size_t i = 0; i < dense.size(); ++i) effective[i] = mask[i] ? dense[i] : T{0};
}

template <class T>
void SparseMethod<T>::project_frozen(const StepInfo&, const Mask& mask, SparseWeight<T>& weight) {
  apply_mask(mask, weight);
}

template <class T>
Mask SparseMethod<T>::counted_mask(const SparseWeight<T>& weight) const {
  return weight.mask;
}

namespace {

template <class T>
std::unique_ptr<SparseMethod<T>> create(const MethodSettings& settings) {
  switch (settings.kind) {
    case MethodKind::dense: return std::make_unique<DenseMethod<T>>(settings);
    case MethodKind::ste:
    case MethodKind::sr_ste:
    case MethodKind::step: return std::make_unique<HardThresholdMethod<T>>(settings);
    case MethodKind::s_ste: return std::make_unique<SoftThresholdMethod<T>>(settings);
    case MethodKind::transposable: return std::make_unique<TransposableMethod<T>>(settings);
    case MethodKind::fixed_mask: return std::make_unique<FixedMaskMethod<T>>(settings);
    case MethodKind::decaying_mask: return std::make_unique<DecayingMaskMethod<T>>(settings);
    case MethodKind::bi_mask: return std::make_unique<BiMaskMethod<T>>(settings);
    case MethodKind::top_kast: return std::make_unique<TopKastMethod<T>>(settings);
    case MethodKind::powerpropagation: return std::make_unique<PowerpropagationMethod<T>>(settings);
    case MethodKind::lbc: return std::make_unique<CombinationMethod<T>>(settings);
    case MethodKind::mask_llm: return std::make_unique<MaskChoiceMethod<T>>(settings);
  }
  return nullptr;
}

bool only_two_of_four(MethodKind kind) {
  return kind == MethodKind::transposable || kind == MethodKind::bi_mask || kind == MethodKind::lbc || kind == MethodKind::mask_llm;
}

}  // namespace

template <class T>
Result<std::unique_ptr<SparseMethod<T>>> make_method(const MethodSettings& settings) {
  const auto [kept, of] = settings.pattern;
  if (kept < 1 || kept >= of || of > 64) {
    return invalid_argument("A group of " + std::to_string(kept) + ":" + std::to_string(of) + " is out of range; choose 1 ≤ n < m ≤ 64.");
  }
  if (only_two_of_four(settings.kind) && (kept != 2 || of != 4)) {
    return invalid_argument("This method exists for 2:4 only, but " + std::to_string(kept) + ":" + std::to_string(of) + " was asked for; choose 2:4.");
  }
  return create<T>(settings);
}

Status check_shape(const MethodSettings& settings, const std::string& layer, std::int64_t rows, std::int64_t cols) {
  const bool in_groups = settings.kind != MethodKind::top_kast && settings.kind != MethodKind::fixed_mask;
  if (in_groups && cols % settings.pattern.of != 0) {
    return invalid_argument("The layer " + layer + " has " + std::to_string(cols) + " inputs, which groups of " + std::to_string(settings.pattern.of) +
                            " do not divide; choose a width that is a multiple of it.");
  }
  const bool in_blocks = settings.kind == MethodKind::transposable || settings.kind == MethodKind::bi_mask;
  if (in_blocks && rows % 4 != 0) {
    return invalid_argument("The layer " + layer + " has " + std::to_string(rows) + " outputs, but this method masks 4 × 4 blocks; choose a multiple of 4.");
  }
  return success();
}

template class SparseMethod<float>;
template class SparseMethod<double>;
template Result<std::unique_ptr<SparseMethod<float>>> make_method(const MethodSettings&);
template Result<std::unique_ptr<SparseMethod<double>>> make_method(const MethodSettings&);
template void apply_mask(const Mask&, SparseWeight<float>&);
template void apply_mask(const Mask&, SparseWeight<double>&);

}  // namespace hinm::training
