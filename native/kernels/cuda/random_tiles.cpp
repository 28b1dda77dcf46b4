#include "kernels/cuda/random_tiles.h"

#include <numeric>

namespace hinm::cuda {
namespace {

float random_value(RandomStream& random, bool whole_eighths) {
  if (!whole_eighths) return static_cast<float>(random.normal());
  const int magnitude = static_cast<int>(random.below(16)) + 1;
  return static_cast<float>(random.below(2) == 0 ? magnitude : -magnitude) / 8.0f;
}

std::vector<std::int32_t> shuffled(std::int32_t count, RandomStream& random) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  shuffle(order.data(), static_cast<std::uint32_t>(count), random);
  return order;
}

constexpr std::uint8_t kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

}  // namespace

SparseTiles random_tiles(const RandomTilesSpec& spec, std::uint64_t seed) {
  RandomStream random(seed, 1);
  SparseTiles tiles;
  tiles.format = spec.format;
  tiles.rows = spec.rows;
  tiles.cols = spec.cols;
  tiles.tile_rows = spec.tile_rows;
  tiles.kept = spec.kept;
  if (spec.format == Format::two_four) tiles.kept = (spec.cols + 3) / 4 * 4;
  if (spec.format != Format::two_four) {
    for (std::int32_t tile = 0; tile < tiles.tiles(); ++tile) {
      const std::vector<std::int32_t> order = shuffled(spec.cols, random);
      for (std::int32_t i = 0; i < spec.kept; ++i) tiles.columns.push_back(i < spec.cols ? order[static_cast<std::size_t>(i)] : -1);
    }
  }
  tiles.output_row = shuffled(spec.rows, random);
  tiles.output_row.resize(static_cast<std::size_t>(tiles.tiles()) * static_cast<std::size_t>(spec.tile_rows), -1);
  const std::size_t values = tiles.output_row.size() * static_cast<std::size_t>(tiles.values_per_row());
  tiles.values.reserve(values);
  for (std::size_t i = 0; i < values; ++i) tiles.values.push_back(random_value(random, spec.whole_eighths));
  if (tiles.sparse()) {
    for (std::size_t i = 0; i < values; i += 2) {
      const std::uint8_t* pair = kPairs[random.below(6)];
      tiles.selection.push_back(pair[0]);
      tiles.selection.push_back(pair[1]);
    }
  }
  return tiles;
}

std::vector<float> random_activations(std::int32_t cols, std::int32_t n, bool whole_eighths, std::uint64_t seed) {
  RandomStream random(seed, 2);
  std::vector<float> x(static_cast<std::size_t>(cols) * static_cast<std::size_t>(n));
  for (float& value : x) value = random_value(random, whole_eighths);
  return x;
}

}  // namespace hinm::cuda
