// What a run tells of itself, step by step.
#pragma once

#include <cstdint>
#include <vector>

namespace hinm::training {

/// Facts of one sparsified layer at a diagnostic step.
struct LayerRecord {
  double scale = 1;         ///< β in force
  double scale_now = 1;     ///< β that the weights of now would give
  double norm_share = 1;    ///< ‖Wᵉ‖ / ‖W‖
  double short_groups = 0;  ///< share of groups with fewer non-zeros than the pattern keeps
};

/// The three drawbacks at one step (S-STE, section 4.1), and what the arithmetic lost.
struct Diagnosis {
  std::int64_t step = 0;
  double loss = 0;
  double actual = 0;            ///< ΔF₁ = F(S(w_k)) − F(S(w_k+1)), positive when the loss fell
  double frozen = 0;            ///< ΔF₂, the same with the mask of step k
  double predicted_sparse = 0;  ///< ⟨∇F, S(w_k) − S(w_k+1)⟩
  double predicted_dense = 0;   ///< ⟨∇F, w_k − w_k+1⟩
  double flip_rate = 0;         ///< of this one step
  double sampler_bias = 0;      ///< Σ(sampled − whole)/Σ|whole| of the gradients
  double sampler_variance = 0;  ///< Σ(sampled − whole)²/Σ whole²
  double saturated = 0;         ///< shares of the FP8 operands
  double underflowed = 0;
  std::vector<LayerRecord> layers;
};

struct History {
  std::vector<double> losses;  ///< of every step
  std::vector<Diagnosis> diagnoses;
  /// Wall seconds spent in steps, and of these in diagnostics.
  double seconds = 0;
  double diagnostic_seconds = 0;
};

struct Evaluation {
  double loss = 0;      ///< mean held-out loss in the task's unit
  double accuracy = 0;  ///< share of correct labels; 0 where the task has none
};

}  // namespace hinm::training
