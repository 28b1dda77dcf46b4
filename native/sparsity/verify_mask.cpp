#include "sparsity/verify_mask.h"

#include <string>

namespace hinm {
namespace {

Error failed(const std::string& place, std::int64_t found, std::int64_t expected) {
  return {"VERIFICATION_FAILED", "The mask keeps " + std::to_string(found) + " weights in " + place +
                                     " where its pattern keeps " + std::to_string(expected) +
                                     "; the result was discarded."};
}

std::int64_t kept_in_row(const Mask& mask, std::int64_t r) {
  std::int64_t count = 0;
  for (std::int64_t c = 0; c < mask.cols; ++c) count += mask.kept(r, c);
  return count;
}

Status verify_tiles(const Mask& mask, const Geometry& geometry, const Order& order) {
  const std::int64_t whole = geometry.m > 0 ? geometry.dense_columns : geometry.kept_columns;
  for (std::int64_t position = 0; position < geometry.rows; ++position) {
    const std::int64_t r = order.output_order[static_cast<std::size_t>(position)];
    const std::uint32_t* columns = order.tile_columns(position / geometry.tile_rows);
    const auto kept_of = [&](std::int64_t first, std::int64_t count) {
      std::int64_t found = 0;
      for (std::int64_t i = 0; i < count; ++i) found += mask.kept(r, columns[first + i]);
      return found;
    };
    if (const std::int64_t found = kept_of(0, whole); found != whole)
      return failed("row " + std::to_string(r) + ", its whole columns", found, whole);
    for (std::int64_t group = 0; group < geometry.groups(); ++group) {
      const std::int64_t found = kept_of(whole + group * geometry.m, geometry.m);
      if (found != geometry.n)
        return failed("row " + std::to_string(r) + ", group " + std::to_string(group), found, geometry.n);
    }
    if (const std::int64_t found = kept_in_row(mask, r); found != geometry.kept_in_row()) {
      return failed("row " + std::to_string(r), found, geometry.kept_in_row());
    }
  }
  return success();
}

}  // namespace

Status verify_mask(const Mask& mask, const Pattern& pattern, const Order& order) {
  const Result<Geometry> geometry = geometry_for({nullptr, mask.rows, mask.cols, mask.cols}, pattern, &order);
  if (!geometry.ok()) return geometry.error();
  switch (pattern.kind) {
    case PatternKind::dense:
    case PatternKind::unstructured: {
      const std::int64_t size = mask.rows * mask.cols;
      const std::int64_t expected = pattern.kind == PatternKind::dense ? size : kept_of(size, pattern.sparsity);
      if (const std::int64_t found = mask.count(); found != expected)
        return failed("the whole matrix", found, expected);
      return success();
    }
    case PatternKind::row_wise: {
      const std::int64_t expected = kept_of(mask.cols, pattern.sparsity);
      for (std::int64_t r = 0; r < mask.rows; ++r) {
        if (const std::int64_t found = kept_in_row(mask, r); found != expected)
          return failed("row " + std::to_string(r), found, expected);
      }
      return success();
    }
    default:
      if (Status status = check_order(order, geometry.value()); !status.ok()) return status.error();
      return verify_tiles(mask, geometry.value(), order);
  }
}

}  // namespace hinm
