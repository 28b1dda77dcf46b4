// The columns that V:N:M keeps (VENOM, arXiv 2310.02065).
#pragma once

#include <cstdint>
#include <vector>

#include "base/matrix.h"

namespace hinm {

/// For every run of `block` columns the 4 whose saliency kept after 2:4 on the listed rows is largest, ascending: all
/// C(block, 4) sets for blocks of at most 16; of wider blocks the 16 columns of largest sum are tried. Equal sets rank
/// by their columns, and the higher ones survive. The matrix's columns are a multiple of `block`.
std::vector<std::uint32_t> block_columns(MatrixView<const float> scores, const std::uint32_t* rows, std::int64_t count,
                                         std::int64_t block);

}  // namespace hinm
