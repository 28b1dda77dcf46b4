#include "sparsity/recognise_mask.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace hinm {
namespace {

constexpr std::array<std::int64_t, 5> widths{4, 2, 8, 16, 32};
constexpr std::int64_t lowest = 4;

/// Columns that keep anything in the listed rows, ascending.
std::vector<std::int64_t> used_columns(const Mask& mask, std::int64_t first_row, std::int64_t count) {
  std::vector<std::int64_t> used;
  for (std::int64_t c = 0; c < mask.cols; ++c) {
    bool any = false;
    for (std::int64_t r = first_row; r < first_row + count && !any; ++r) any = mask.kept(r, c);
    if (any) used.push_back(c);
  }
  return used;
}

/// n when every row keeps exactly n of every m listed columns.
std::optional<std::int64_t> kept_of_groups(const Mask& mask, std::int64_t first_row, std::int64_t count,
                                           const std::vector<std::int64_t>& columns, std::int64_t m) {
  if (columns.empty() || static_cast<std::int64_t>(columns.size()) % m != 0) return std::nullopt;
  std::optional<std::int64_t> n;
  for (std::int64_t r = first_row; r < first_row + count; ++r) {
    for (std::size_t first = 0; first < columns.size(); first += static_cast<std::size_t>(m)) {
      std::int64_t kept = 0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(m); ++i) kept += mask.kept(r, columns[first + i]);
      if (n && *n != kept) return std::nullopt;
      n = kept;
    }
  }
  return n;
}

std::vector<std::vector<std::int64_t>> tiles_of(const Mask& mask, std::int64_t vector) {
  std::vector<std::vector<std::int64_t>> tiles;
  for (std::int64_t first = 0; first < mask.rows; first += vector)
    tiles.push_back(used_columns(mask, first, std::min(vector, mask.rows - first)));
  return tiles;
}

/// The common n of all tiles, m = 0 standing for whole columns.
std::optional<std::int64_t> kept_of_tiles(const Mask& mask, const std::vector<std::vector<std::int64_t>>& tiles,
                                          std::int64_t vector, std::int64_t m) {
  std::optional<std::int64_t> n;
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    const std::int64_t first = static_cast<std::int64_t>(t) * vector;
    const auto kept = kept_of_groups(mask, first, std::min(vector, mask.rows - first), tiles[t], m);
    if (!kept || (n && *n != *kept)) return std::nullopt;
    n = kept;
  }
  return n;
}

/// The block width when every tile keeps 4 columns of every block.
std::optional<std::int64_t> venom_block(const Mask& mask, const std::vector<std::vector<std::int64_t>>& tiles) {
  const auto kept = static_cast<std::int64_t>(tiles[0].size());
  if (kept % 4 != 0 || mask.cols % (kept / 4) != 0) return std::nullopt;
  const std::int64_t block = mask.cols / (kept / 4);
  for (const auto& columns : tiles) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (columns[j] / block != static_cast<std::int64_t>(j / 4)) return std::nullopt;
    }
  }
  return block;
}

std::optional<Pattern> tiled_pattern(const Mask& mask, std::int64_t vector) {
  const auto tiles = tiles_of(mask, vector);
  const auto kept = static_cast<std::int64_t>(tiles[0].size());
  if (kept == 0 || kept == mask.cols) return std::nullopt;
  if (std::any_of(tiles.begin(), tiles.end(),
                  [&](const auto& columns) { return static_cast<std::int64_t>(columns.size()) != kept; }))
    return std::nullopt;
  const double empty = 1 - static_cast<double>(kept) / static_cast<double>(mask.cols);
  if (kept_of_tiles(mask, tiles, vector, 1) == 1)
    return Pattern{.kind = PatternKind::vector, .vector = vector, .sparsity = empty};
  for (const std::int64_t m : widths) {
    const auto n = kept_of_tiles(mask, tiles, vector, m);
    if (!n || *n == 0 || *n == m) continue;
    const auto block = n == 2 && m == 4 ? venom_block(mask, tiles) : std::nullopt;
    if (block) return Pattern{.kind = PatternKind::venom, .vector = vector, .block = *block};
    return Pattern{.kind = PatternKind::hinm, .vector = vector, .vector_sparsity = empty, .n = *n, .m = m};
  }
  return std::nullopt;
}

}  // namespace

Pattern recognise_mask(const Mask& mask) {
  const std::int64_t kept = mask.count(), size = mask.rows * mask.cols;
  if (kept == size) return {.kind = PatternKind::dense};
  for (std::int64_t vector = tallest_recognised; vector >= lowest; vector /= 2) {
    if (const auto pattern = tiled_pattern(mask, vector)) return *pattern;
  }
  std::vector<std::int64_t> all(static_cast<std::size_t>(mask.cols));
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = static_cast<std::int64_t>(c);
  for (const std::int64_t m : widths) {
    const auto n = kept_of_groups(mask, 0, mask.rows, all, m);
    if (n && *n > 0 && *n < m) return {.kind = PatternKind::n_m, .n = *n, .m = m};
  }
  const double sparsity = 1 - static_cast<double>(kept) / static_cast<double>(size);
  const bool even = kept > 0 && kept_of_groups(mask, 0, mask.rows, all, mask.cols).has_value();
  return {.kind = even ? PatternKind::row_wise : PatternKind::unstructured, .sparsity = sparsity};
}

}  // namespace hinm
