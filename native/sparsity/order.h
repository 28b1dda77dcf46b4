// An order of output and input channels under which a pattern is applied.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/matrix.h"
#include "base/result.h"
#include "sparsity/pattern.h"

namespace hinm {

/// One entry a moment at which the best so far grew.
struct SearchTrace {
  std::vector<double> evaluations;
  std::vector<double> kept;     ///< saliency kept after the whole pattern
  std::vector<double> seconds;  ///< wall time since the start; never part of a decision
};

/// Positions map to original channels.
struct Order {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::string strategy = "none";
  std::string reason{};                       ///< why `strategy` is none although another was asked for; else empty
  std::vector<std::uint32_t> output_order{};  ///< σ_o: original row at each position, a bijection on [0, rows)
  std::int64_t tile_rows = 0;
  std::int64_t kept_columns = 0;
  std::int64_t dense_columns = 0;        ///< three-region: how many of the first columns n:m leaves alone
  std::vector<std::uint32_t> columns{};  ///< tiles × K' original columns, in the packed order of each tile
  std::int64_t evaluations = 0;
  double seconds = 0;
  SearchTrace trace{};

  const std::uint32_t* tile_columns(std::int64_t tile) const { return columns.data() + tile * kept_columns; }
};

/// The original order of rows; each tile keeps its best columns in ascending order.
Order original_order(MatrixView<const float> scores, const Geometry& geometry);

/// The geometry of `pattern` on these scores: of `order` where one is given, else of the original order. Only for
/// three-region patterns does it depend on either: the share of dense columns is then the order's, or the best for the
/// original order (1-D search over the groups under n:m, FlexHiNM).
Result<Geometry> geometry_for(MatrixView<const float> scores, const Pattern& pattern, const Order* order);

/// Whether `order` is one of this geometry: bijections, K' distinct columns a tile.
Status check_order(const Order& order, const Geometry& geometry);

}  // namespace hinm
