// Building the mask of a pattern.
#pragma once

#include "base/job_control.h"
#include "base/matrix.h"
#include "base/result.h"
#include "sparsity/mask.h"
#include "sparsity/order.h"
#include "sparsity/pattern.h"

namespace hinm {

/// The mask of `pattern` under `order` (nullptr: the original order), in the original order of rows and columns. The
/// kept columns are the order's; inside a group of m packed columns ties go to the higher packed position. Every
/// group's count is verified after building. Errors: INVALID_ARGUMENT, NOT_FINITE, VERIFICATION_FAILED, CANCELLED.
Result<Mask> build_mask(MatrixView<const float> scores, const Pattern& pattern, const Order* order,
                        const JobControl& control = {});

}  // namespace hinm
