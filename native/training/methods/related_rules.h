// Rules of methods that the lab compares with, each a formula: decaying mask (arXiv 2209.07617), Powerpropagation
// (arXiv 2110.00296), Top-KAST (arXiv 2106.03517), STEP (arXiv 2302.01172) and Bi-Mask (arXiv 2302.06058).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/matrix.h"
#include "training/methods/magnitude_mask.h"

namespace hinm::training {

enum class DecayCurve { linear, exponential };

/// Decaying mask: the factor d left on pruned weights after `steps`: max(0, 1 − rate·steps) or exp(−rate·steps).
double decaying_factor(DecayCurve curve, double rate, double steps);

/// Powerpropagation: w = φ·|φ|^(α−1), dw/dφ = α·|φ|^(α−1), and φ₀ = sign(u)·|u|^(1/α) for a usual initial value u.
double power_weight(double parameter, double alpha);
double power_slope(double parameter, double alpha);
double power_initial(double weight, double alpha);

/// The `count` largest magnitudes of the whole matrix; ranks by (|x|, row-major index), the higher index survives a tie.
template <class T>
void top_magnitudes(MatrixView<const T> weights, std::int64_t count, std::uint8_t* mask);

/// Top-KAST's regulariser: Σ_A w² + Σ_{B∖A} w² / density of the forward set A; B is the backward set.
struct ExplorationPenalty {
  double forward = 0;
  double explored = 0;
};
template <class T>
ExplorationPenalty exploration_penalty(MatrixView<const T> weights, const Mask& forward, const Mask& backward, double forward_density);

/// STEP's switch from dense Adam to mask learning: when the mean of Z_t = mean |v_t − v_(t−1)| over ⌊1/(1 − β₂)⌋ steps
/// falls below `tolerance` after `earliest`, or at `latest`; from then on v is frozen.
class PreconditionerSwitch {
 public:
  PreconditionerSwitch(double beta2, double tolerance, std::int64_t earliest, std::int64_t latest);
  std::int64_t window() const { return window_; }
  /// Takes Z of step `step`; true from the step on at which it switches.
  bool observe(std::int64_t step, double change);
  bool switched() const { return switched_; }

  /// Its memory, for a checkpoint.
  std::vector<double> state() const;
  void restore(const std::vector<double>& state);

 private:
  std::int64_t window_;
  double tolerance_;
  std::int64_t earliest_;
  std::int64_t latest_;
  std::deque<double> changes_;
  bool switched_ = false;
};

/// Bi-Mask's backward mask: 2:4 along the output axis of the row-permuted weights, the best by kept magnitude inside the
/// forward mask of `candidates` random row orders (the identity is one of them). rows is a multiple of four.
template <class T>
void backward_mask(MatrixView<const T> weights, const Mask& forward, int candidates, std::uint64_t seed, std::uint32_t layer, std::uint8_t* mask);

}  // namespace hinm::training
