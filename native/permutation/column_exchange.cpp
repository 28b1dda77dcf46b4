#include "permutation/column_exchange.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "permutation/group_threshold.h"
#include "permutation/loops.h"
#include "permutation/streams.h"
#include "sparsity/tile_kept.h"

namespace hinm {
namespace {

/// Exchanges between two looks at the cancel flag and at the temperature.
constexpr std::int64_t exchanges_a_step = 4096;
/// Below this share of what a kept column is worth a gain is rounding of float32 sums.
constexpr double rounding = 1e-6;

/// One tile: all of its columns, the first K' places are the packed ones, the rest is the pool of pruned ones.
class TileColumns {
 public:
  TileColumns(const SearchContext& context, std::int64_t tile, const Arrangement& arrangement, bool with_pool)
      : geometry_(context.geometry()),
        rows_(geometry_.rows_of(tile)),
        padded_(padded_to_lanes(rows_)),
        columns_(arrangement.columns.begin() + tile * geometry_.kept_columns,
                 arrangement.columns.begin() + (tile + 1) * geometry_.kept_columns) {
    if (with_pool) append_pool();
    values_ = Matrix<float>(static_cast<std::int64_t>(columns_.size()), padded_);
    place_.resize(columns_.size());
    std::iota(place_.begin(), place_.end(), 0u);
    const std::uint32_t* rows = arrangement.rows.data() + geometry_.first_row(tile);
    for (std::int64_t r = 0; r < rows_; ++r) {
      const float* row = context.scores().row(rows[r]);
      for (std::size_t j = 0; j < columns_.size(); ++j) values_.at(static_cast<std::int64_t>(j), r) = row[columns_[j]];
    }
    if (with_pool) sort_pool();
    least_ = Matrix<float>(geometry_.kept_columns, padded_);
    for (std::int64_t group = 0; group < geometry_.groups(); ++group) refresh(group);
    out_of_reach_.assign(static_cast<std::size_t>(padded_), std::numeric_limits<float>::max());
  }

  std::int64_t pool() const { return static_cast<std::int64_t>(columns_.size()) - geometry_.kept_columns; }

  /// Draws one exchange and its gain.
  float draw(RandomStream& random, double pool_share) {
    const auto kept = static_cast<std::uint32_t>(geometry_.kept_columns);
    first_ = random.below(kept);
    if (pool() > 0 && random.uniform() < pool_share) {
      // Columns near the top of the pool are likelier to be worth a place.
      const double rank = random.uniform();
      second_ = geometry_.kept_columns + static_cast<std::int64_t>(rank * rank * static_cast<double>(pool()));
      return loops().column_exchange(least(first_), out_of_reach_.data(), column(first_), column(second_), padded_);
    }
    do second_ = random.below(kept);
    while (second_ / geometry_.m == first_ / geometry_.m);
    return loops().column_exchange(least(first_), least(second_), column(first_), column(second_), padded_);
  }

  void take() {
    std::swap(place_[static_cast<std::size_t>(first_)], place_[static_cast<std::size_t>(second_)]);
    refresh(first_ / geometry_.m);
    if (second_ < geometry_.kept_columns) refresh(second_ / geometry_.m);
  }

  void write(std::uint32_t* columns) const {
    for (std::int64_t j = 0; j < geometry_.kept_columns; ++j)
      columns[j] = columns_[place_[static_cast<std::size_t>(j)]];
  }

 private:
  const float* column(std::int64_t position) const {
    return values_.view().row(place_[static_cast<std::size_t>(position)]);
  }
  const float* least(std::int64_t position) const { return least_.view().row(position); }

  void append_pool() {
    std::vector<bool> kept(static_cast<std::size_t>(geometry_.cols));
    for (const std::uint32_t c : columns_) kept[c] = true;
    for (std::int64_t c = 0; c < geometry_.cols; ++c) {
      if (!kept[static_cast<std::size_t>(c)]) columns_.push_back(static_cast<std::uint32_t>(c));
    }
  }

  /// Largest sum of squares first: what survives n:m is the large entries.
  void sort_pool() {
    std::vector<double> weight(columns_.size());
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const float* values = values_.view().row(static_cast<std::int64_t>(j));
      for (std::int64_t r = 0; r < rows_; ++r)
        weight[j] += static_cast<double>(values[r]) * static_cast<double>(values[r]);
    }
    std::stable_sort(place_.begin() + geometry_.kept_columns, place_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return weight[a] > weight[b]; });
  }

  void refresh(std::int64_t group) {
    std::vector<const float*> columns(static_cast<std::size_t>(geometry_.m));
    for (std::int64_t j = 0; j < geometry_.m; ++j)
      columns[static_cast<std::size_t>(j)] = column(group * geometry_.m + j);
    for (std::int64_t j = 0; j < geometry_.m; ++j) {
      group_threshold(columns.data(), geometry_.m, geometry_.n, j, padded_, least_.view().row(group * geometry_.m + j));
    }
  }

  const Geometry& geometry_;
  std::int64_t rows_, padded_;
  std::vector<std::uint32_t> columns_;  ///< original columns: kept ones, then the pool
  std::vector<std::uint32_t> place_;    ///< packed position → index into columns_
  Matrix<float> values_;                ///< [index into columns_][row of the tile]
  Matrix<float> least_;                 ///< [packed position][row]: what a column there must beat
  std::vector<float> out_of_reach_;     ///< the threshold of the pool: nothing is kept there
  std::int64_t first_ = 0, second_ = 0;
};

/// Works on one tile; returns the evaluations spent.
std::int64_t exchange_in_tile(const SearchContext& context, std::int64_t tile, const ColumnExchangeRule& rule,
                              Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  std::uint32_t* columns = arrangement.columns.data() + tile * geometry.kept_columns;
  const std::uint32_t* rows = arrangement.rows.data() + geometry.first_row(tile);
  const auto kept = [&](const std::uint32_t* list) {
    return kept_of_tile(context.scores(), geometry, rows, geometry.rows_of(tile), list);
  };
  TileColumns search(context, tile, arrangement, rule.pool_share > 0);
  const double before = kept(columns);
  const double least_gain = rounding * before / static_cast<double>(geometry.kept_columns);
  double unit = 0;
  if (rule.hot > 0) {
    constexpr int pairs = 64;
    RandomStream random = stream_of(context, Purpose::column_pairs, tile, -1 - static_cast<std::int64_t>(rule.stage));
    for (int i = 0; i < pairs; ++i) unit += std::abs(static_cast<double>(search.draw(random, 0))) / pairs;
  }
  std::int64_t done = 0;
  for (std::int64_t step = 0; done < rule.evaluations && !context.stop_requested(); ++step) {
    const std::int64_t count = std::min(exchanges_a_step, rule.evaluations - done);
    const double share = static_cast<double>(done) / static_cast<double>(rule.evaluations);
    const double temperature = unit > 0 ? unit * rule.hot * std::pow(rule.cold / rule.hot, share) : 0;
    RandomStream random = stream_of(context, Purpose::column_pairs, tile, step << 4 | rule.stage);
    for (std::int64_t i = 0; i < count; ++i) {
      const float gain = search.draw(random, rule.pool_share);
      const double limit = temperature > 0 ? temperature * std::log(1 - random.uniform()) : least_gain;
      if (static_cast<double>(gain) > limit) search.take();
    }
    done += count;
  }
  std::vector<std::uint32_t> found(static_cast<std::size_t>(geometry.kept_columns));
  search.write(found.data());
  if (kept(found.data()) > before) std::copy(found.begin(), found.end(), columns);
  return done;
}

}  // namespace

void exchange_columns(SearchContext& context, const ColumnExchangeRule& rule, Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  if (!geometry.orders_columns || rule.evaluations < 1) return;
  const bool pool = rule.pool_share > 0 && geometry.kept_columns < geometry.cols;
  if (geometry.groups() < 2 && !pool) return;
  ColumnExchangeRule used = rule;
  if (geometry.groups() < 2) used.pool_share = 1;
  std::vector<std::int64_t> spent(static_cast<std::size_t>(geometry.tiles));
  std::atomic<std::int64_t> finished = 0;
  parallel_for(geometry.tiles, context.threads(), [&](std::int64_t tile, int) {
    spent[static_cast<std::size_t>(tile)] = exchange_in_tile(context, tile, used, arrangement);
    context.control().report(static_cast<double>(++finished), static_cast<double>(geometry.tiles));
  });
  context.spend(std::accumulate(spent.begin(), spent.end(), std::int64_t{0}));
}

}  // namespace hinm
