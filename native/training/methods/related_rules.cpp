#include "training/methods/related_rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"

namespace hinm::training {

double decaying_factor(DecayCurve curve, double rate, double steps) {
  return curve == DecayCurve::linear ? std::max(0.0, 1 - rate * steps) : std::exp(-rate * steps);
}

double power_weight(double parameter, double alpha) { return parameter * std::pow(std::abs(parameter), alpha - 1); }
double power_slope(double parameter, double alpha) { return alpha * std::pow(std::abs(parameter), alpha - 1); }
double power_initial(double weight, double alpha) { return std::copysign(std::pow(std::abs(weight), 1 / alpha), weight); }

template <class T>
void top_magnitudes(MatrixView<const T> weights, std::int64_t count, std::uint8_t* mask) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(weights.size()));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto magnitude = [&](std::int64_t i) { return std::abs(weights.at(i / weights.cols, i % weights.cols)); };
  const auto survives_before = [&](std::int64_t a, std::int64_t b) { return magnitude(a) != magnitude(b) ? magnitude(a) > magnitude(b) : a > b; };
  std::nth_element(order.begin(), order.begin() + std::min(count, weights.size() - 1), order.end(), survives_before);
  std::fill_n(mask, weights.size(), std::uint8_t{0});
  for (std::int64_t i = 0; i < std::min(count, weights.size()); ++i) mask[order[static_cast<std::size_t>(i)]] = 1;
}

template <class T>
ExplorationPenalty exploration_penalty(MatrixView<const T> weights, const Mask& forward, const Mask& backward, double forward_density) {
  ExplorationPenalty penalty;
  for (std::int64_t i = 0; i < weights.size(); ++i) {
    const double w = static_cast<double>(weights.at(i / weights.cols, i % weights.cols));
    if (forward[static_cast<std::size_t>(i)]) penalty.forward += w * w;
    else if (backward[static_cast<std::size_t>(i)]) penalty.explored += w * w / forward_density;
  }
  return penalty;
}

PreconditionerSwitch::PreconditionerSwitch(double beta2, double tolerance, std::int64_t earliest, std::int64_t latest)
    // 1 − 0.999 is a little more than 0.001 in binary, and ⌊1/that⌋ = 999 is what the published rule gives as well.
    : window_(static_cast<std::int64_t>(std::floor(1 / (1 - beta2)))), tolerance_(tolerance), earliest_(earliest), latest_(latest) {}

bool PreconditionerSwitch::observe(std::int64_t step, double change) {
  if (switched_) return true;
  changes_.push_back(change);
  if (static_cast<std::int64_t>(changes_.size()) > window_) changes_.pop_front();
  const double mean = std::accumulate(changes_.begin(), changes_.end(), 0.0) / static_cast<double>(changes_.size());
  const bool calm = static_cast<std::int64_t>(changes_.size()) == window_ && mean < tolerance_ && step > earliest_;
  switched_ = calm || step > latest_;
  return switched_;
}

std::vector<double> PreconditionerSwitch::state() const {
  std::vector<double> state{switched_ ? 1.0 : 0.0};
  state.insert(state.end(), changes_.begin(), changes_.end());
  return state;
}

void PreconditionerSwitch::restore(const std::vector<double>& state) {
  switched_ = !state.empty() && state[0] != 0;
  changes_.assign(state.empty() ? state.end() : state.begin() + 1, state.end());
}

namespace {

/// 2:4 down the columns of the rows in `order`; returns the magnitude kept where `forward` keeps as well.
template <class T>
double mask_columns(MatrixView<const T> weights, const Mask& forward, const std::vector<std::uint32_t>& order, std::uint8_t* mask) {
  double kept = 0;
  for (std::int64_t r = 0; r < weights.rows; r += 4) {
    for (std::int64_t c = 0; c < weights.cols; ++c) {
      T group[4];
      std::uint8_t group_mask[4];
      for (int i = 0; i < 4; ++i) group[i] = weights.at(order[static_cast<std::size_t>(r + i)], c);
      magnitude_mask(MatrixView<const T>{group, 1, 4, 4}, {}, group_mask);
      for (int i = 0; i < 4; ++i) {
        const std::int64_t at = order[static_cast<std::size_t>(r + i)] * weights.cols + c;
        mask[at] = group_mask[i];
        if (group_mask[i] && forward[static_cast<std::size_t>(at)]) kept += std::abs(static_cast<double>(group[i]));
      }
    }
  }
  return kept;
}

}  // namespace

template <class T>
void backward_mask(MatrixView<const T> weights, const Mask& forward, int candidates, std::uint64_t seed, std::uint32_t layer, std::uint8_t* mask) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(weights.rows));
  std::iota(order.begin(), order.end(), 0u);
  Mask trial(static_cast<std::size_t>(weights.size()));
  double best = -1;
  for (int candidate = 0; candidate < candidates; ++candidate) {
    const double kept = mask_columns(weights, forward, order, trial.data());
    if (kept > best) {
      best = kept;
      std::copy(trial.begin(), trial.end(), mask);
    }
    constexpr std::uint32_t purpose = 0x42494D41;
    RandomStream random(seed, layer, static_cast<std::uint32_t>(candidate), purpose);
    shuffle(order.data(), static_cast<std::uint32_t>(order.size()), random);
  }
}

template void top_magnitudes(MatrixView<const float>, std::int64_t, std::uint8_t*);
template void top_magnitudes(MatrixView<const double>, std::int64_t, std::uint8_t*);
template ExplorationPenalty exploration_penalty(MatrixView<const float>, const Mask&, const Mask&, double);
template ExplorationPenalty exploration_penalty(MatrixView<const double>, const Mask&, const Mask&, double);
template void backward_mask(MatrixView<const float>, const Mask&, int, std::uint64_t, std::uint32_t, std::uint8_t*);
template void backward_mask(MatrixView<const double>, const Mask&, int, std::uint64_t, std::uint32_t, std::uint8_t*);

}  // namespace hinm::training
