#include "sparsity/tile_kept.h"

#include <algorithm>
#include <vector>

#include "sparsity/ranking.h"

namespace hinm {
namespace {

double kept_whole(const float* row, const std::uint32_t* columns, std::int64_t count) {
  double kept = 0;
  for (std::int64_t j = 0; j < count; ++j) kept += static_cast<double>(row[columns[j]]);
  return kept;
}

/// The two largest of four are the larger of each pair, or one whole pair.
double kept_two_of_four(const float* row, const std::uint32_t* columns, std::int64_t count) {
  double kept = 0;
  for (std::int64_t first = 0; first < count; first += 4) {
    const double a = static_cast<double>(row[columns[first]]), b = static_cast<double>(row[columns[first + 1]]);
    const double c = static_cast<double>(row[columns[first + 2]]), d = static_cast<double>(row[columns[first + 3]]);
    kept += std::max(std::max(a, b) + std::max(c, d), std::max(a + b, c + d));
  }
  return kept;
}

double kept_in_groups(const float* row, const std::uint32_t* columns, std::int64_t count, std::int64_t n,
                      std::int64_t m, std::vector<float>& group) {
  double kept = 0;
  for (std::int64_t first = 0; first < count; first += m) {
    for (std::int64_t j = 0; j < m; ++j) group[static_cast<std::size_t>(j)] = row[columns[first + j]];
    keep_in_group(group.data(), n, m,
                  [&](std::int64_t j) { kept += static_cast<double>(group[static_cast<std::size_t>(j)]); });
  }
  return kept;
}

}  // namespace

double kept_of_tile(MatrixView<const float> scores, const Geometry& geometry, const std::uint32_t* rows,
                    std::int64_t row_count, const std::uint32_t* columns) {
  const std::int64_t whole = geometry.m > 0 ? geometry.dense_columns : geometry.kept_columns;
  const std::int64_t grouped = geometry.kept_columns - whole;
  std::vector<float> group(static_cast<std::size_t>(geometry.m));
  double kept = 0;
  for (std::int64_t i = 0; i < row_count; ++i) {
    const float* row = scores.row(rows[i]);
    kept += kept_whole(row, columns, whole);
    kept += geometry.n == 2 && geometry.m == 4
                ? kept_two_of_four(row, columns + whole, grouped)
                : kept_in_groups(row, columns + whole, grouped, geometry.n, geometry.m, group);
  }
  return kept;
}

}  // namespace hinm
