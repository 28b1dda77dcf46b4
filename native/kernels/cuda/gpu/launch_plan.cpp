#include "kernels/cuda/gpu/launch_plan.h"

#include <algorithm>
#include <cmath>

#include "kernels/cuda/device_packing.h"

namespace hinm::cuda {
namespace {

constexpr int kHopper = 90;
constexpr int kLeastStepsOfPart = 4;
constexpr int kMostParts = 32;

/// Blocks of the narrowest width that covers n, and one wider: more would multiply columns that are not there.
bool width_fits(const std::vector<int>& widths, int width, std::int32_t n) {
  const auto covering = std::find_if(widths.begin(), widths.end(), [&](int each) { return each >= n; });
  return covering == widths.end() || width <= *covering;
}

std::vector<int> split_choices(int outputs, int steps, const DeviceLimits& limits) {
  std::vector<int> choices{1};
  const int most = std::min(kMostParts, steps / kLeastStepsOfPart);
  for (const int waves : {1, 2, 4}) {
    const int parts = std::min(most, (waves * limits.multiprocessors + outputs - 1) / outputs);
    if (parts > 1 && std::find(choices.begin(), choices.end(), parts) == choices.end()) choices.push_back(parts);
  }
  return choices;
}

/// Share of the device that is busy, times how far each gathered byte is reused: only an order for trying.
double expected_merit(const LaunchPlan& plan, const DeviceLimits& limits) {
  const double ctas = static_cast<double>(plan.tiles) * plan.blocks * plan.parts;
  const double waves = std::ceil(ctas / limits.multiprocessors);
  const double busy = ctas / (waves * limits.multiprocessors);
  const double path = plan.variant->path == Path::warpgroup ? 1.5 : 1.0;
  return busy * path * std::sqrt(static_cast<double>(plan.variant->tile_rows) * plan.variant->block_columns);
}

}  // namespace

std::size_t LaunchPlan::workspace_bytes() const {
  if (parts == 1) return 0;
  return static_cast<std::size_t>(parts) * static_cast<std::size_t>(tiles) * static_cast<std::size_t>(blocks) *
         static_cast<std::size_t>(variant->tile_rows * variant->block_columns) * sizeof(float);
}

std::vector<LaunchPlan> launch_plans(const SparseTiles& tiles, ValueType type, std::int32_t n, const DeviceLimits& limits) {
  const std::vector<std::int32_t> heights = device_tile_heights(tiles);
  const auto serves = [&](const Variant& variant) {
    return variant.format == tiles.format && variant.type == type && std::find(heights.begin(), heights.end(), variant.tile_rows) != heights.end() &&
           variant.shared_bytes <= limits.shared_per_block && (variant.path == Path::mma || limits.capability == kHopper);
  };
  const auto described_rows = static_cast<std::int32_t>(tiles.output_row.size());
  std::vector<LaunchPlan> plans;
  for (const Variant& variant : variants()) {
    if (!serves(variant)) continue;
    std::vector<int> widths;
    for (const Variant& other : variants()) {
      if (serves(other) && other.path == variant.path && other.tile_rows == variant.tile_rows) widths.push_back(other.block_columns);
    }
    std::sort(widths.begin(), widths.end());
    if (!width_fits(widths, variant.block_columns, n)) continue;
    LaunchPlan plan;
    plan.variant = &variant;
    const std::int32_t height = tiles.format == Format::two_four ? described_rows : tiles.tile_rows;
    plan.tiles = described_rows / height * ((height + variant.tile_rows - 1) / variant.tile_rows);
    plan.steps = (tiles.kept + kStepColumns - 1) / kStepColumns;
    plan.blocks = (n + variant.block_columns - 1) / variant.block_columns;
    for (const int parts : split_choices(plan.tiles * plan.blocks, plan.steps, limits)) {
      plan.parts = parts;
      plans.push_back(plan);
    }
  }
  std::stable_sort(plans.begin(), plans.end(), [&](const LaunchPlan& a, const LaunchPlan& b) { return expected_merit(a, limits) > expected_merit(b, limits); });
  return plans;
}

}  // namespace hinm::cuda
