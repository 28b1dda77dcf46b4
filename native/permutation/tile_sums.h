// Column sums of all tiles of a row order, and what their K' largest add up to.
#pragma once

#include <cstdint>
#include <vector>

#include "base/matrix.h"
#include "permutation/loops.h"
#include "permutation/search_context.h"

namespace hinm {

/// Float32 sums for fast candidates; `objective` is exact in float64.
class TileSums {
 public:
  TileSums(const SearchContext& context, MatrixView<const float> values, const std::vector<std::uint32_t>& rows);

  const float* sums(std::int64_t tile) const { return sums_.view().row(tile); }
  const TopSum& top(std::int64_t tile) const { return top_[static_cast<std::size_t>(tile)]; }
  std::int64_t padded() const { return sums_.cols; }

  /// Sums the tile anew from its rows.
  void refresh(std::int64_t tile, const std::vector<std::uint32_t>& rows);
  /// Takes sums that were computed for an exchange.
  void replace(std::int64_t tile, const float* sums, const TopSum& top);

 private:
  const Geometry& geometry_;
  MatrixView<const float> values_;
  Matrix<float> sums_;
  std::vector<TopSum> top_;
};

/// Σ over tiles of the K' largest column sums of `values`, float64.
double vector_objective(const SearchContext& context, MatrixView<const float> values,
                        const std::vector<std::uint32_t>& rows);

}  // namespace hinm
