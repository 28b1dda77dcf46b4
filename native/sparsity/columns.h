// Which columns a tile keeps: the vector level of HiNM and OVW (HiNM, arXiv 2407.20496, section 3).
#pragma once

#include <cstdint>
#include <vector>

#include "base/matrix.h"
#include "sparsity/pattern.h"

namespace hinm {

/// sums[c] = Σ over the listed rows of scores[row][c], in float64.
void column_sums(MatrixView<const float> scores, const std::uint32_t* rows, std::int64_t count, double* sums);

/// For every tile of `output_order` its K' columns: tiles × K' entries. HiNM and OVW keep the columns of largest sum,
/// ascending; V:N:M the 4 of every block that keep most after 2:4 (block_columns.h); three-region first the dense ones,
/// of largest sum, then those under n:m, both ascending.
std::vector<std::uint32_t> choose_columns(MatrixView<const float> scores, const Geometry& geometry,
                                          const std::vector<std::uint32_t>& output_order);

}  // namespace hinm
