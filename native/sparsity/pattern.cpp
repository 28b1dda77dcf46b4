#include "sparsity/pattern.h"

#include <array>
#include <cmath>
#include <utility>

namespace hinm {
namespace {

constexpr std::array<std::pair<std::string_view, PatternKind>, 8> names{{{"dense", PatternKind::dense},
                                                                         {"unstructured", PatternKind::unstructured},
                                                                         {"row-wise", PatternKind::row_wise},
                                                                         {"n:m", PatternKind::n_m},
                                                                         {"vector", PatternKind::vector},
                                                                         {"venom", PatternKind::venom},
                                                                         {"hinm", PatternKind::hinm},
                                                                         {"three-region", PatternKind::three_region}}};

constexpr std::int64_t most_columns = std::int64_t{1} << 31;
constexpr std::int64_t widest_group = 64;

std::string text(std::int64_t value) { return std::to_string(value); }

std::string text(double value) {
  std::string digits = std::to_string(value);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (!digits.empty() && digits.back() == '.') digits.pop_back();
  return digits;
}

Status check_share(const char* name, double share) {
  if (share >= 0 && share < 1) return success();
  return invalid_argument(std::string(name) + " is " + text(share) + "; choose a share of at least 0 and below 1.");
}

Status check_group(std::int64_t n, std::int64_t m) {
  if (n >= 1 && m > n && m <= widest_group) return success();
  return invalid_argument("The pattern " + text(n) + ":" + text(m) + " is out of range; choose 1 <= n < m <= 64.");
}

Status check_height(std::int64_t vector) {
  if (vector >= 1) return success();
  return invalid_argument("The vector height is " + text(vector) + "; choose at least 1 output channel a tile.");
}

void cut_rows(Geometry& geometry, std::int64_t vector) {
  geometry.tile_rows = vector < geometry.rows ? vector : geometry.rows;
  geometry.tiles = (geometry.rows + geometry.tile_rows - 1) / geometry.tile_rows;
}

Result<Geometry> plain_groups(Geometry geometry, const Pattern& pattern) {
  if (Status status = check_group(pattern.n, pattern.m); !status.ok()) return status.error();
  if (geometry.cols % pattern.m != 0) {
    return invalid_argument("The layer has " + text(geometry.cols) + " input channels, which is not a multiple of " +
                            text(pattern.m) + "; " + text(pattern.n) + ":" + text(pattern.m) + " needs one, such as " +
                            text((geometry.cols / pattern.m + 1) * pattern.m) + ".");
  }
  geometry.n = pattern.n;
  geometry.m = pattern.m;
  geometry.orders_columns = true;
  return geometry;
}

Result<Geometry> whole_vectors(Geometry geometry, const Pattern& pattern) {
  if (Status status = check_height(pattern.vector); !status.ok()) return status.error();
  if (Status status = check_share("The sparsity", pattern.sparsity); !status.ok()) return status.error();
  cut_rows(geometry, pattern.vector);
  geometry.kept_columns = kept_of(geometry.cols, pattern.sparsity);
  geometry.chooses_columns = true;
  if (geometry.kept_columns > 0) return geometry;
  return invalid_argument("A sparsity of " + text(pattern.sparsity) + " leaves no column of " + text(geometry.cols) +
                          " in a tile; choose at most " + text(1 - 1.0 / static_cast<double>(geometry.cols)) + ".");
}

Result<Geometry> vectors_of_groups(Geometry geometry, const Pattern& pattern) {
  if (Status status = check_height(pattern.vector); !status.ok()) return status.error();
  if (Status status = check_group(pattern.n, pattern.m); !status.ok()) return status.error();
  if (Status status = check_share("The vector sparsity", pattern.vector_sparsity); !status.ok()) return status.error();
  if (geometry.cols < pattern.m) {
    return invalid_argument("The layer has " + text(geometry.cols) + " input channels, fewer than one group of " +
                            text(pattern.m) + "; the least is " + text(pattern.m) + ".");
  }
  cut_rows(geometry, pattern.vector);
  geometry.kept_columns = kept_of(geometry.cols, pattern.vector_sparsity) / pattern.m * pattern.m;
  geometry.n = pattern.n;
  geometry.m = pattern.m;
  geometry.chooses_columns = true;
  geometry.orders_columns = true;
  if (geometry.kept_columns > 0) return geometry;
  const double most = 1 - static_cast<double>(pattern.m) / static_cast<double>(geometry.cols);
  return invalid_argument("A vector sparsity of " + text(pattern.vector_sparsity) + " keeps fewer than " +
                          text(pattern.m) + " of " + text(geometry.cols) + " columns in a tile; choose at most " +
                          text(most) + ".");
}

Result<Geometry> blocks_of_columns(Geometry geometry, const Pattern& pattern) {
  if (Status status = check_height(pattern.vector); !status.ok()) return status.error();
  if (pattern.block < 4 || pattern.block > 4096) {
    return invalid_argument("The block of V:N:M is " + text(pattern.block) +
                            " columns wide; choose between 4 and 4096.");
  }
  if (geometry.cols % pattern.block != 0) {
    return invalid_argument("The layer has " + text(geometry.cols) + " input channels, which is not a multiple of " +
                            text(pattern.block) + "; V:N:M with blocks of " + text(pattern.block) +
                            " needs one, such as " + text((geometry.cols / pattern.block + 1) * pattern.block) + ".");
  }
  cut_rows(geometry, pattern.vector);
  geometry.block = pattern.block;
  geometry.kept_columns = geometry.cols / pattern.block * 4;
  geometry.n = 2;
  geometry.m = 4;
  geometry.chooses_columns = true;
  return geometry;
}

Result<Geometry> three_regions(Geometry geometry, const Pattern& pattern) {
  if (Status status = check_height(pattern.vector); !status.ok()) return status.error();
  if (Status status = check_group(pattern.n, pattern.m); !status.ok()) return status.error();
  if (Status status = check_share("The sparsity", pattern.sparsity); !status.ok()) return status.error();
  if (kept_of(geometry.cols, pattern.sparsity) < 1) {
    return invalid_argument("A sparsity of " + text(pattern.sparsity) + " leaves no weight of " + text(geometry.cols) +
                            " in a row; choose at most " + text(1 - 1.0 / static_cast<double>(geometry.cols)) + ".");
  }
  cut_rows(geometry, pattern.vector);
  geometry.chooses_columns = true;
  return with_regions(geometry, pattern, 0);
}

}  // namespace

Geometry with_regions(Geometry geometry, const Pattern& pattern, std::int64_t semi_groups) {
  geometry.n = pattern.n;
  geometry.m = pattern.m;
  geometry.dense_columns = kept_of(geometry.cols, pattern.sparsity) - semi_groups * pattern.n;
  geometry.kept_columns = geometry.dense_columns + semi_groups * pattern.m;
  return geometry;
}

bool regions_fit(const Geometry& geometry, const Pattern& pattern, std::int64_t semi_groups) {
  const std::int64_t dense = kept_of(geometry.cols, pattern.sparsity) - semi_groups * pattern.n;
  return semi_groups >= 0 && dense >= 0 && dense + semi_groups * pattern.m <= geometry.cols;
}

std::optional<PatternKind> pattern_kind(std::string_view name) {
  for (const auto& [known, kind] : names) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

std::string_view pattern_name(PatternKind kind) {
  for (const auto& [name, known] : names) {
    if (known == kind) return name;
  }
  return "unknown";
}

std::int64_t kept_of(std::int64_t count, double sparsity) {
  return static_cast<std::int64_t>(std::floor(static_cast<double>(count) * (1 - sparsity) + 1e-6));
}

Result<Geometry> geometry_of(const Pattern& pattern, std::int64_t rows, std::int64_t cols) {
  if (rows < 1 || cols < 1 || rows > most_columns || cols > most_columns) {
    return invalid_argument("The matrix is " + text(rows) + " x " + text(cols) +
                            "; both sides must be between 1 and 2^31.");
  }
  Geometry geometry{.rows = rows, .cols = cols, .tile_rows = rows, .tiles = 1, .kept_columns = cols};
  switch (pattern.kind) {
    case PatternKind::dense:
      return geometry;
    case PatternKind::unstructured:
    case PatternKind::row_wise:
      if (Status status = check_share("The sparsity", pattern.sparsity); !status.ok()) return status.error();
      return geometry;
    case PatternKind::n_m:
      return plain_groups(geometry, pattern);
    case PatternKind::vector:
      return whole_vectors(geometry, pattern);
    case PatternKind::hinm:
      return vectors_of_groups(geometry, pattern);
    case PatternKind::venom:
      return blocks_of_columns(geometry, pattern);
    case PatternKind::three_region:
      return three_regions(geometry, pattern);
  }
  return invalid_argument("The pattern kind is not known.");
}

}  // namespace hinm
