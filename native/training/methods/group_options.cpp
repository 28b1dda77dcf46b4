#include "training/methods/group_options.h"

#include <algorithm>
#include <cmath>

namespace hinm::training {

const std::array<std::array<std::uint8_t, 4>, 6> group_options = {{{1, 1, 0, 0}, {1, 0, 1, 0}, {1, 0, 0, 1}, {0, 1, 1, 0}, {0, 1, 0, 1}, {0, 0, 1, 1}}};

int options_alive(double step, double first, double last) {
  const double progress = last <= first ? 1 : std::clamp((step - first) / (last - first), 0.0, 1.0);
  const double left = 1 - progress;
  return 1 + static_cast<int>(std::ceil(5 * left * left * left));
}

CombinationMask combination_mask(const GroupScores& scores, const std::array<bool, 6>& alive) {
  CombinationMask mask{};
  for (std::size_t o = 0; o < 6; ++o) {
    for (std::size_t i = 0; i < 4; ++i) mask.score[i] += alive[o] && group_options[o][i] ? scores[o] : 0;
  }
  for (std::size_t i = 0; i < 4; ++i) mask.value[i] = mask.score[i] != 0 ? 1 : 0;
  return mask;
}

GroupScores combination_gradient(const CombinationMask& mask, const std::array<bool, 6>& alive, const std::array<double, 4>& mask_gradient) {
  GroupScores gradient{};
  for (std::size_t o = 0; o < 6; ++o) {
    for (std::size_t i = 0; i < 4; ++i) {
      if (alive[o] && group_options[o][i] && mask.score[i] != 0) gradient[o] += mask_gradient[i] / mask.score[i];
    }
  }
  return gradient;
}

SoftChoice soft_choice(const GroupScores& logits, const GroupScores& noise, double scale, double temperature) {
  SoftChoice choice{};
  double largest = -1e300, sum = 0;
  for (std::size_t o = 0; o < 6; ++o) {
    choice.probability[o] = (scale * logits[o] + noise[o]) / temperature;
    largest = std::max(largest, choice.probability[o]);
  }
  for (double& p : choice.probability) sum += p = std::exp(p - largest);
  for (std::size_t o = 0; o < 6; ++o) {
    choice.probability[o] /= sum;
    for (std::size_t i = 0; i < 4; ++i) choice.mask[i] += group_options[o][i] ? choice.probability[o] : 0;
  }
  return choice;
}

GroupScores soft_choice_gradient(const SoftChoice& choice, const std::array<double, 4>& mask_gradient, double scale, double temperature) {
  GroupScores gradient{};
  double mean = 0;
  for (std::size_t o = 0; o < 6; ++o) {
    for (std::size_t i = 0; i < 4; ++i) gradient[o] += group_options[o][i] ? mask_gradient[i] : 0;
    mean += choice.probability[o] * gradient[o];
  }
  for (std::size_t o = 0; o < 6; ++o) gradient[o] = choice.probability[o] * (gradient[o] - mean) * scale / temperature;
  return gradient;
}

int hard_choice(const GroupScores& logits) { return static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin()); }

}  // namespace hinm::training
