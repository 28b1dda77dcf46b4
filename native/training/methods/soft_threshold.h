// The continuous pruning function of S-STE and its scale (arXiv 2409.09099, sections 4.2 and 4.3).
#pragma once

#include "base/matrix.h"
#include "training/methods/magnitude_mask.h"

namespace hinm::training {

/// S_soft: subtracts from every magnitude of a group its (m − n)-th smallest one and clips at zero, so that at most n
/// survive and the output is continuous in the input (S-STE, section 4.2); what is left is multiplied by `scale` (β, section 4.3). Pruned
/// entries become +0. `soft` has the shape of `weights` and may be the same storage.
template <class T>
void soft_threshold(MatrixView<const T> weights, GroupPattern pattern, MatrixView<T> soft, T scale = T{1});

/// The (m − n)-th smallest magnitude of one group.
template <class T>
T group_threshold(const T* group, GroupPattern pattern);

/// β = ⟨W, S⟩ / ⟨S, S⟩ over the whole tensor, the scale that minimises ‖W − β·S‖² (S-STE, section 4.3), accumulated in
/// float64. 1 where ⟨S, S⟩ is 0.
template <class T>
double projection_scale(MatrixView<const T> weights, MatrixView<const T> soft);

}  // namespace hinm::training
