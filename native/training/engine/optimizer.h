// Adam and AdamW (Kingma and Ba, arXiv 1412.6980; Loshchilov and Hutter, arXiv 1711.05101), and the schedule of their rate.
#pragma once

#include <cstdint>
#include <vector>

#include "training/engine/parameter.h"

namespace hinm::training {

struct OptimizerSettings {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  /// Decoupled, on parameters that decay.
  double weight_decay = 0;
  /// Largest global gradient norm; 0 does not clip.
  double clip = 0;
  /// Peak learning rate.
  double rate = 1e-3;
  /// Share of the peak that is left at the end of the cosine.
  double final_share = 0;
  std::int64_t warm_up = 0;
};

/// Linear warm-up to the peak over `warm_up` steps, then a cosine to `final_share`·peak at `total`. `step` counts from 0.
double learning_rate(const OptimizerSettings& settings, std::int64_t step, std::int64_t total);

/// Scales all gradients so that their joint norm is at most `clip`; returns the norm before. 0 does not scale.
template <class T>
double clip_gradients(const std::vector<Parameter<T>*>& parameters, double clip);

/// Steps that each moment has taken so far. The second falls behind where it is frozen (STEP).
struct MomentSteps {
  std::int64_t first = 0;
  std::int64_t second = 0;
};

/// One Adam step. `freeze_second` leaves v, and its bias correction, as they are.
template <class T>
void adam_step(Parameter<T>& parameter, const OptimizerSettings& settings, double rate, MomentSteps steps, bool freeze_second, int threads);

}  // namespace hinm::training
