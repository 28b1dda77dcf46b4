// From the storage format that all back ends share to what the GPU side packs.
#pragma once

#include "base/result.h"
#include "kernels/cuda/sparse_tiles.h"
#include "kernels/format/packed_matrix.h"

namespace hinm::cuda {

/// 2:4 and 1:4 run on the sparse tensor cores (1:4 with a zero beside each weight), n = m as vectors dense inside. Any other
/// n:m has no GPU kernel: INVALID_ARGUMENT with the sentence that says so.
Result<SparseTiles> tiles_of(const kernels::PackedMatrix& packed);

}  // namespace hinm::cuda
