// SR-STE's regulariser: pruned weights are pulled towards zero (arXiv 2102.04010).
#pragma once

#include "base/matrix.h"
#include "training/methods/magnitude_mask.h"

namespace hinm::training {

/// Where the decay enters. Under Adam the two differ: on the gradient it passes both moments and becomes a step of about
/// the learning rate wherever the data gradient vanishes; on the weight it shrinks in proportion.
enum class DecayPlacement { gradient, weight };

/// g += λ·(1 − m)∘w.
template <class T>
void decay_gradient(MatrixView<const T> weights, const Mask& mask, double strength, MatrixView<T> gradient);

/// w −= rate·λ·(1 − m)∘w, beside the optimizer's own step.
template <class T>
void decay_weights(const Mask& mask, double rate, double strength, MatrixView<T> weights);

}  // namespace hinm::training
