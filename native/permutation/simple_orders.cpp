#include "permutation/simple_orders.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "permutation/balanced_clusters.h"
#include "permutation/streams.h"
#include "sparsity/columns.h"

namespace hinm {
namespace {

void sort_tiles(const Geometry& geometry, std::vector<std::uint32_t>& rows) {
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
    std::sort(rows.begin() + geometry.first_row(tile),
              rows.begin() + geometry.first_row(tile) + geometry.rows_of(tile));
  }
}

}  // namespace

void random_orders(SearchContext& context, std::int64_t count) {
  const Geometry& geometry = context.geometry();
  const std::int64_t cost = geometry.rows * context.output_weight();
  for (std::int64_t trial = 0; trial < count && context.remaining() >= cost && !context.stop_requested(); ++trial) {
    Arrangement arrangement = context.best();
    std::iota(arrangement.rows.begin(), arrangement.rows.end(), 0u);
    RandomStream random = stream_of(context, Purpose::shuffles, 0, trial);
    shuffle(arrangement.rows.data(), static_cast<std::uint32_t>(geometry.rows), random);
    sort_tiles(geometry, arrangement.rows);
    context.choose_columns_of(arrangement);
    if (geometry.orders_columns) {
      for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
        shuffle(arrangement.columns.data() + tile * geometry.kept_columns,
                static_cast<std::uint32_t>(geometry.kept_columns), random);
      }
    }
    context.spend(cost);
    context.offer(arrangement);
  }
}

void snake(SearchContext& context, Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  if (!geometry.orders_columns) return;
  std::vector<double> sums(static_cast<std::size_t>(geometry.cols));
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
    std::uint32_t* columns = arrangement.columns.data() + tile * geometry.kept_columns;
    column_sums(context.scores(), arrangement.rows.data() + geometry.first_row(tile), geometry.rows_of(tile),
                sums.data());
    std::vector<std::uint32_t> sorted(columns, columns + geometry.kept_columns);
    std::sort(sorted.begin(), sorted.end(),
              [&](std::uint32_t a, std::uint32_t b) { return sums[a] != sums[b] ? sums[a] > sums[b] : a > b; });
    for (std::int64_t slot = 0; slot < geometry.m; ++slot) {
      for (std::int64_t i = 0; i < geometry.groups(); ++i) {
        const std::int64_t group = slot % 2 == 0 ? i : geometry.groups() - 1 - i;
        columns[group * geometry.m + slot] = sorted[static_cast<std::size_t>(slot * geometry.groups() + i)];
      }
    }
  }
}

void cluster_rows(SearchContext& context, std::int64_t attempt, int most_rounds, Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  const std::int64_t cost = geometry.rows * geometry.tiles * context.output_weight();
  const auto rounds = static_cast<int>(std::min<std::int64_t>(most_rounds, context.remaining() / cost));
  if (!geometry.chooses_columns || geometry.tiles < 2 || rounds < 1) return;
  std::vector<std::int64_t> capacity(static_cast<std::size_t>(geometry.tiles));
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile)
    capacity[static_cast<std::size_t>(tile)] = geometry.rows_of(tile);
  std::vector<std::uint32_t> rows(static_cast<std::size_t>(geometry.rows));
  std::iota(rows.begin(), rows.end(), 0u);
  RandomStream random = stream_of(context, Purpose::clusters, 0, attempt);
  const Clustering found =
      balanced_clusters(context.padded_scores(), rows, capacity, rounds, random, context.threads(), context.control());
  context.spend(found.rounds * cost);
  if (context.stop_requested()) return;
  std::vector<std::int64_t> next(static_cast<std::size_t>(geometry.tiles));
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile)
    next[static_cast<std::size_t>(tile)] = geometry.first_row(tile);
  for (std::size_t r = 0; r < found.cluster.size(); ++r) {
    arrangement.rows[static_cast<std::size_t>(next[static_cast<std::size_t>(found.cluster[r])]++)] =
        static_cast<std::uint32_t>(r);
  }
  context.choose_columns_of(arrangement);
}

}  // namespace hinm
