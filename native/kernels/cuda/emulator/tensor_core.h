// The arithmetic of one m16n8 tensor-core step, decoded from the registers of 32 lanes.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/cuda/number_formats.h"

namespace hinm::simt {

/// A as the tensor core sees it: 16 rows of up to 32 logical columns.
struct TensorRows {
  float value[16][32];
};

/// Decodes A of m16n8k32 (2:4) from 4 registers a lane and one metadata word a lane. Selector 0 takes the metadata of
/// lanes 4g and 4g+1, selector 1 that of lanes 4g+2 and 4g+3; a word holds row g in its low and row g+8 in its high
/// half, four bits for each group of four columns, the lower index in the low two bits.
/// Returns a sentence when a pair of indices is not in order, which the device leaves undefined.
std::string decode_sparse_rows(TensorRows& rows, const std::uint32_t* const* registers, const std::uint32_t* metadata, int selector,
                               hinm::cuda::ValueType type);

/// Decodes A of m16n8k16.
void decode_dense_rows(TensorRows& rows, const std::uint32_t* const* registers, hinm::cuda::ValueType type);

}  // namespace hinm::simt
