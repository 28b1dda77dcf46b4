// Sparsity patterns and the geometry that they give a matrix (HiNM, arXiv 2407.20496, section 3; VENOM, arXiv
// 2310.02065; 2:4, arXiv 2104.08378). `n:m` is always "n kept of m".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hinm {

enum class PatternKind { dense, unstructured, row_wise, n_m, vector, venom, hinm, three_region };

/// Plain numbers; fields that a kind does not use are 0.
struct Pattern {
  PatternKind kind = PatternKind::dense;
  std::int64_t vector = 0;     ///< V, rows of a tile
  double vector_sparsity = 0;  ///< share of column vectors pruned in every tile
  std::int64_t n = 0;          ///< kept of every m packed columns
  std::int64_t m = 0;
  std::int64_t block = 0;  ///< columns of a VENOM block
  double sparsity = 0;     ///< total share pruned, for kinds that are asked by total
};

std::optional<PatternKind> pattern_kind(std::string_view name);
std::string_view pattern_name(PatternKind kind);

/// How a pattern cuts an M×K matrix. Patterns without tiles are one tile of all rows that keeps all columns.
struct Geometry {
  std::int64_t rows = 0;          ///< M
  std::int64_t cols = 0;          ///< K
  std::int64_t tile_rows = 0;     ///< V; the last tile has M − (T−1)·V rows, also when M < V (then T = 1)
  std::int64_t tiles = 0;         ///< T
  std::int64_t kept_columns = 0;  ///< K', the same in every tile
  std::int64_t n = 0;             ///< inner n:m over the packed columns; 0 where there is none
  std::int64_t m = 0;
  std::int64_t block = 0;          ///< V:N:M: 4 of every `block` columns are kept; 0 elsewhere
  std::int64_t dense_columns = 0;  ///< three-region: the first of the kept columns, which n:m leaves alone
  bool chooses_columns = false;    ///< the tile keeps some of its columns only
  bool orders_columns = false;     ///< the packed order of a tile's columns changes the mask

  std::int64_t first_row(std::int64_t tile) const { return tile * tile_rows; }
  std::int64_t rows_of(std::int64_t tile) const { return tile + 1 < tiles ? tile_rows : rows - first_row(tile); }
  std::int64_t groups() const { return m > 0 ? (kept_columns - dense_columns) / m : 0; }
  std::int64_t kept_in_row() const { return m > 0 ? dense_columns + groups() * n : kept_columns; }
};

/// Refuses what the pattern cannot do on this matrix (K < m, K' = 0, K not a multiple of m for plain n:m …) in one
/// sentence. M < V is one short tile here; whether a layer may be pruned that way is the caller's decision.
/// A three-region pattern leaves open how many columns are dense: its geometry has none, until `with_regions`.
Result<Geometry> geometry_of(const Pattern& pattern, std::int64_t rows, std::int64_t cols);

/// Three-region (FlexHiNM): `semi_groups` groups of m columns under n:m, and as many dense columns as make every row
/// keep floor(K·(1 − sparsity)) weights. Whether that fits into the K columns is `regions_fit`.
Geometry with_regions(Geometry geometry, const Pattern& pattern, std::int64_t semi_groups);
bool regions_fit(const Geometry& geometry, const Pattern& pattern, std::int64_t semi_groups);

/// floor(count·(1 − sparsity)), forgiving the rounding of decimal shares such as 0.9.
std::int64_t kept_of(std::int64_t count, double sparsity);

}  // namespace hinm
