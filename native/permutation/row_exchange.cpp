#include "permutation/row_exchange.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "permutation/loops.h"
#include "permutation/streams.h"
#include "permutation/tile_sums.h"
#include "sparsity/ranking.h"

namespace hinm {
namespace {

/// Accepted exchanges of a tile after which its float32 sums are formed anew.
constexpr int exchanges_a_refresh = 256;
/// Pairs between two looks at the cancel flag and at the temperature.
constexpr std::int64_t pairs_a_step = 1024;
/// Below this share of a tile's value a gain is rounding of float32 sums.
constexpr double rounding = 1e-6;

class Exchanges {
 public:
  Exchanges(SearchContext& context, MatrixView<const float> values, Arrangement& arrangement)
      : geometry_(context.geometry()),
        values_(values),
        rows_(arrangement.rows),
        sums_(context, values, arrangement.rows),
        first_(static_cast<std::size_t>(values.cols)),
        second_(first_),
        exchanged_(static_cast<std::size_t>(geometry_.tiles)) {}

  double objective() const {
    double sum = 0;
    for (std::int64_t tile = 0; tile < geometry_.tiles; ++tile) sum += sums_.top(tile).sum;
    return sum;
  }
  void refresh() {
    for (std::int64_t tile = 0; tile < geometry_.tiles; ++tile) sums_.refresh(tile, rows_);
  }

  /// Mean |gain| of some random pairs: the unit of temperature.
  double typical_gain(RandomStream random) {
    constexpr int pairs = 64;
    double sum = 0;
    for (int i = 0; i < pairs; ++i) {
      draw(random);
      sum += std::abs(exact_gain());
    }
    return sum / pairs;
  }

  /// One random pair; it is exchanged when its gain is above `limit` (may be negative) and not within rounding of 0.
  void try_pair(RandomStream& random, double temperature) {
    draw(random);
    const double scale = sums_.top(tile_a_).sum + sums_.top(tile_b_).sum;
    const double limit = temperature > 0 ? temperature * std::log(1 - random.uniform()) : rounding * scale;
    if (bound_of_gain() <= limit) return;
    const double gain = exact_gain();
    if (gain <= limit) return;
    sums_.replace(tile_a_, first_.data(), top_a_);
    sums_.replace(tile_b_, second_.data(), top_b_);
    std::swap(rows_[static_cast<std::size_t>(position_a_)], rows_[static_cast<std::size_t>(position_b_)]);
    for (const std::int64_t tile : {tile_a_, tile_b_}) {
      if (++exchanged_[static_cast<std::size_t>(tile)] % exchanges_a_refresh == 0) sums_.refresh(tile, rows_);
    }
  }

 private:
  void draw(RandomStream& random) {
    const auto count = static_cast<std::uint32_t>(geometry_.rows);
    position_a_ = random.below(count);
    do position_b_ = random.below(count);
    while (position_b_ / geometry_.tile_rows == position_a_ / geometry_.tile_rows);
    tile_a_ = position_a_ / geometry_.tile_rows;
    tile_b_ = position_b_ / geometry_.tile_rows;
  }

  const float* row_a() const { return values_.row(rows_[static_cast<std::size_t>(position_a_)]); }
  const float* row_b() const { return values_.row(rows_[static_cast<std::size_t>(position_b_)]); }

  double bound_of_gain() const {
    const TopSum &a = sums_.top(tile_a_), &b = sums_.top(tile_b_);
    const ExchangeExcess excess = loops().exchange_excess(sums_.sums(tile_a_), sums_.sums(tile_b_), row_a(), row_b(),
                                                          sums_.padded(), a.threshold, b.threshold);
    const auto keep = static_cast<double>(geometry_.kept_columns);
    return keep * static_cast<double>(a.threshold) + static_cast<double>(excess.first) - a.sum +
           keep * static_cast<double>(b.threshold) + static_cast<double>(excess.second) - b.sum;
  }

  double exact_gain() {
    const TopSum &a = sums_.top(tile_a_), &b = sums_.top(tile_b_);
    loops().exchanged_sums(sums_.sums(tile_a_), row_a(), row_b(), sums_.padded(), first_.data());
    loops().exchanged_sums(sums_.sums(tile_b_), row_b(), row_a(), sums_.padded(), second_.data());
    top_a_ = loops().top_sum(first_.data(), sums_.padded(), geometry_.kept_columns, a.threshold);
    top_b_ = loops().top_sum(second_.data(), sums_.padded(), geometry_.kept_columns, b.threshold);
    return top_a_.sum + top_b_.sum - a.sum - b.sum;
  }

  const Geometry& geometry_;
  MatrixView<const float> values_;
  std::vector<std::uint32_t>& rows_;
  TileSums sums_;
  std::vector<float> first_, second_;  ///< sums of the two tiles after the exchange
  std::vector<int> exchanged_;
  std::int64_t position_a_ = 0, position_b_ = 0, tile_a_ = 0, tile_b_ = 0;
  TopSum top_a_, top_b_;
};

void sort_tiles(const Geometry& geometry, std::vector<std::uint32_t>& rows) {
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
    std::sort(rows.begin() + geometry.first_row(tile),
              rows.begin() + geometry.first_row(tile) + geometry.rows_of(tile));
  }
}

/// S[i][t] = Σ of row i over the kept columns of tile t.
class KeptShares {
 public:
  KeptShares(SearchContext& context, MatrixView<const float> values, std::vector<std::uint32_t>& rows)
      : geometry_(context.geometry()),
        rows_(rows),
        shares_(geometry_.rows, geometry_.tiles),
        best_(geometry_.tiles, geometry_.tiles),
        pair_(static_cast<std::size_t>(geometry_.tiles)) {
    const TileSums sums(context, values, rows);
    Matrix<float> kept(geometry_.tiles, values.cols);
    for (std::int64_t tile = 0; tile < geometry_.tiles; ++tile) {
      for (const std::uint32_t c : highest_columns(sums.sums(tile))) kept.at(tile, c) = 1;
    }
    parallel_for(geometry_.rows, context.threads(), [&](std::int64_t r, int) {
      if (context.stop_requested()) return;
      loops().dot_products(values.row(r), kept.data.data(), geometry_.tiles, values.cols, shares_.view().row(r));
    });
    for (std::int64_t tile = 0; tile < geometry_.tiles; ++tile) find_best(tile);
    for (std::int64_t tile = 0; tile < geometry_.tiles; ++tile) find_pair(tile);
  }

  /// Exchanges the best pair; false when none gains.
  bool exchange_best() {
    std::int64_t from = 0;
    for (std::int64_t a = 1; a < geometry_.tiles; ++a) {
      if (pair_[static_cast<std::size_t>(a)].gain > pair_[static_cast<std::size_t>(from)].gain) from = a;
    }
    const std::int64_t to = pair_[static_cast<std::size_t>(from)].tile;
    const std::int64_t leaving = best_.at(from, to).position;
    const float share = shares_.at(rows_[static_cast<std::size_t>(leaving)], from);
    if (!(pair_[static_cast<std::size_t>(from)].gain > static_cast<float>(rounding) * share)) return false;
    std::swap(rows_[static_cast<std::size_t>(leaving)], rows_[static_cast<std::size_t>(best_.at(to, from).position)]);
    find_best(from);
    find_best(to);
    for (std::int64_t a = 0; a < geometry_.tiles; ++a) refresh_pair(a, from, to);
    return true;
  }

 private:
  struct Leaver {
    float gain = 0;
    std::int64_t position = 0;
  };
  struct Partner {
    float gain = 0;
    std::int64_t tile = 0;
  };

  float gain_of(std::int64_t a, std::int64_t b) const { return best_.at(a, b).gain + best_.at(b, a).gain; }

  /// The tile with which `a` has its best exchange.
  void find_pair(std::int64_t a) {
    Partner best{-std::numeric_limits<float>::infinity(), 0};
    for (std::int64_t b = 0; b < geometry_.tiles; ++b) {
      if (b != a && gain_of(a, b) > best.gain) best = {gain_of(a, b), b};
    }
    pair_[static_cast<std::size_t>(a)] = best;
  }

  /// After the members of two tiles changed.
  void refresh_pair(std::int64_t a, std::int64_t changed, std::int64_t other) {
    Partner& best = pair_[static_cast<std::size_t>(a)];
    if (a == changed || a == other || best.tile == changed || best.tile == other) {
      find_pair(a);
      return;
    }
    for (const std::int64_t b : {changed, other}) {
      if (gain_of(a, b) > best.gain) best = {gain_of(a, b), b};
    }
  }

  std::vector<std::uint32_t> highest_columns(const float* sums) const {
    return highest_ranks(sums, geometry_.cols, geometry_.kept_columns);
  }

  /// The member of `tile` that gains most by going to each other tile.
  void find_best(std::int64_t tile) {
    for (std::int64_t other = 0; other < geometry_.tiles; ++other) {
      Leaver best{-std::numeric_limits<float>::infinity(), 0};
      for (std::int64_t i = 0; i < geometry_.rows_of(tile); ++i) {
        const std::int64_t position = geometry_.first_row(tile) + i;
        const float* shares = shares_.view().row(rows_[static_cast<std::size_t>(position)]);
        const float gain = shares[other] - shares[tile];
        if (gain > best.gain) best = {gain, position};
      }
      best_.at(tile, other) = best;
    }
  }

  const Geometry& geometry_;
  std::vector<std::uint32_t>& rows_;
  Matrix<float> shares_;
  Matrix<Leaver> best_;
  std::vector<Partner> pair_;
};

}  // namespace

void exchange_rows(SearchContext& context, MatrixView<const float> values, const RowExchangeRule& rule,
                   Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  if (!geometry.chooses_columns || geometry.tiles < 2 || geometry.kept_columns == geometry.cols || rule.pairs < 1)
    return;
  const std::vector<std::uint32_t> before = arrangement.rows;
  Exchanges exchanges(context, values, arrangement);
  const double value = exchanges.objective();
  const double unit = rule.hot > 0 ? exchanges.typical_gain(stream_of(context, Purpose::row_pairs, rule.stage, -1)) : 0;
  for (std::int64_t done = 0, step = 0; done < rule.pairs; ++step) {
    if (context.stop_requested()) return;
    const std::int64_t count = std::min(pairs_a_step, rule.pairs - done);
    const double share = static_cast<double>(done) / static_cast<double>(rule.pairs);
    const double temperature = unit > 0 ? unit * rule.hot * std::pow(rule.cold / rule.hot, share) : 0;
    RandomStream random = stream_of(context, Purpose::row_pairs, rule.stage, step);
    for (std::int64_t i = 0; i < count; ++i) exchanges.try_pair(random, temperature);
    done += count;
    context.spend(count * context.output_weight());
    context.control().report(static_cast<double>(done), static_cast<double>(rule.pairs));
  }
  sort_tiles(geometry, arrangement.rows);
  exchanges.refresh();
  if (exchanges.objective() < value) arrangement.rows = before;
}

void tetris(SearchContext& context, MatrixView<const float> values, Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  if (!geometry.chooses_columns || geometry.tiles < 2 || geometry.kept_columns == geometry.cols) return;
  // A round costs one entry S[i][t] for every row and tile, and two rows of differences for every exchange.
  const std::int64_t round = geometry.rows * geometry.tiles * context.output_weight();
  double value = vector_objective(context, values, arrangement.rows);
  while (context.remaining() >= round && !context.stop_requested()) {
    const std::vector<std::uint32_t> before = arrangement.rows;
    KeptShares shares(context, values, arrangement.rows);
    context.spend(round);
    while (context.remaining() >= 2 * geometry.tiles && !context.stop_requested() && shares.exchange_best())
      context.spend(2 * geometry.tiles);
    if (context.stop_requested()) return;
    sort_tiles(geometry, arrangement.rows);
    const double next = vector_objective(context, values, arrangement.rows);
    if (next < value) arrangement.rows = before;
    if (!(next - value > 1e-4 * value)) return;
    value = next;
  }
}

}  // namespace hinm
