// The six ways to keep two of four, and the two methods that learn which one to take: LBC (learning best combination,
// arXiv 2206.06662) and MaskLLM (arXiv 2409.17481).
#pragma once

#include <array>
#include <cstdint>

namespace hinm::training {

using GroupScores = std::array<double, 6>;

/// 1100, 1010, 1001, 0110, 0101, 0011.
extern const std::array<std::array<std::uint8_t, 4>, 6> group_options;

/// Cubic schedule of LBC: options still alive at `step` between `first` and `last`, 1 + ⌈5·(1 − progress)³⌉.
int options_alive(double step, double first, double last);

/// LBC's mask of one group: every element's score is the sum over the alive options that hold it; the forward value is 1
/// where that sum is not 0, and its gradient reaches each such option divided by the sum.
struct CombinationMask {
  std::array<double, 4> value;
  std::array<double, 4> score;
};
CombinationMask combination_mask(const GroupScores& scores, const std::array<bool, 6>& alive);
/// Gradient of the six scores from the gradient of the four mask values.
GroupScores combination_gradient(const CombinationMask& mask, const std::array<bool, 6>& alive, const std::array<double, 4>& mask_gradient);

/// MaskLLM: y = softmax((scale·logits + noise) / temperature), the soft mask Σ y_o·option_o.
struct SoftChoice {
  GroupScores probability;
  std::array<double, 4> mask;
};
SoftChoice soft_choice(const GroupScores& logits, const GroupScores& noise, double scale, double temperature);
GroupScores soft_choice_gradient(const SoftChoice& choice, const std::array<double, 4>& mask_gradient, double scale, double temperature);
/// Option of the largest logit, the first on a tie.
int hard_choice(const GroupScores& logits);

}  // namespace hinm::training
