#include "permutation/gyro_input.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/parallel.h"
#include "permutation/assignment.h"
#include "permutation/group_threshold.h"
#include "permutation/loops.h"
#include "permutation/streams.h"

namespace hinm {
namespace {

/// A try that gains a smaller share of what it moved counts as failed for the stopping rule, though it is taken:
/// otherwise hundreds of tries follow that change nothing a mask could show.
constexpr double worthwhile = 2e-4;

/// The packed columns of one tile while their order is improved.
class TileSearch {
 public:
  static constexpr std::int64_t any_slot = -1;

  TileSearch(const SearchContext& context, std::int64_t tile, const Arrangement& arrangement)
      : context_(context),
        tile_(tile),
        rows_(context.geometry().rows_of(tile)),
        groups_(context.geometry().groups()),
        n_(context.geometry().n),
        m_(context.geometry().m),
        columns_(arrangement.columns.begin() + tile * context.geometry().kept_columns,
                 arrangement.columns.begin() + (tile + 1) * context.geometry().kept_columns),
        values_(context.geometry().kept_columns, rows_),
        place_(columns_.size()) {
    const std::uint32_t* rows = arrangement.rows.data() + context.geometry().first_row(tile);
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      place_[j] = static_cast<std::uint32_t>(j);
      for (std::int64_t r = 0; r < rows_; ++r)
        values_.at(static_cast<std::int64_t>(j), r) = context.scores().at(rows[r], columns_[j]);
    }
  }

  std::int64_t cost() const { return groups_ * groups_; }
  std::int64_t spent() const { return spent_; }
  bool ended(int patience, std::int64_t budget) const {
    return failed_ >= patience || groups_ < 2 || spent_ + cost() > budget;
  }

  /// Draws one column of each group at random, or the one in `slot`, and assigns them anew.
  void try_once(std::int64_t slot = any_slot) {
    draw(slot);
    fill_benefit();
    spent_ += cost();
    if (context_.stop_requested()) return;
    failed_ = accept(assign({benefit_.data.data(), groups_, groups_, benefit_.cols})) ? 0 : failed_ + 1;
    ++iteration_;
  }

  /// Original columns in their packed order.
  void write(std::uint32_t* columns) const {
    for (std::size_t j = 0; j < place_.size(); ++j) columns[j] = columns_[place_[j]];
  }

 private:
  const float* column(std::int64_t position) const {
    return values_.view().row(place_[static_cast<std::size_t>(position)]);
  }

  void allocate() {
    if (benefit_.rows == groups_) return;
    threshold_ = Matrix<float>(groups_, rows_);
    sampled_ = Matrix<float>(rows_, padded_to_lanes(groups_));
    benefit_ = Matrix<float>(groups_, sampled_.cols);
  }

  /// Draws a slot of every group; threshold[g][r] = the n-th largest of the m − 1 that stay, in row r.
  void draw(std::int64_t slot) {
    RandomStream random = stream_of(context_, Purpose::input_columns, tile_, iteration_);
    drawn_.resize(static_cast<std::size_t>(groups_));
    for (std::int64_t g = 0; g < groups_; ++g) {
      drawn_[static_cast<std::size_t>(g)] =
          g * m_ + (slot == any_slot ? random.below(static_cast<std::uint32_t>(m_)) : slot);
    }
    allocate();
    parallel_for(groups_, context_.threads(), [this](std::int64_t g, int) {
      const std::int64_t out = drawn_[static_cast<std::size_t>(g)];
      std::vector<const float*> group(static_cast<std::size_t>(m_));
      for (std::int64_t j = 0; j < m_; ++j) group[static_cast<std::size_t>(j)] = column(g * m_ + j);
      group_threshold(group.data(), m_, n_, out - g * m_, rows_, threshold_.view().row(g));
      const float* moved = column(out);
      for (std::int64_t r = 0; r < rows_; ++r) sampled_.at(r, g) = moved[r];
    });
  }

  /// Group g with column x keeps base_g + Σ_r max(threshold[g][r], x[r]) − Σ_r threshold[g][r]; the base is the same
  /// for every x.
  void fill_benefit() {
    static constexpr std::int64_t groups_a_block = 4;
    parallel_for((groups_ + groups_a_block - 1) / groups_a_block, context_.threads(), [this](std::int64_t block, int) {
      if (context_.stop_requested()) return;
      const std::int64_t first = block * groups_a_block, count = std::min(groups_a_block, groups_ - first);
      loops().max_plus(threshold_.view().row(first), sampled_.data.data(), count, rows_, sampled_.cols,
                       benefit_.view().row(first));
      for (std::int64_t g = first; g < first + count; ++g) {
        const float* least = threshold_.view().row(g);
        const float base = std::accumulate(least, least + rows_, 0.0f);
        for (std::int64_t j = 0; j < groups_; ++j) benefit_.at(g, j) -= base;
      }
    });
  }

  /// Moves the drawn columns when more is kept. False when nothing moved or the gain was not worth another try.
  bool accept(const std::vector<std::int32_t>& assignment) {
    double gain = 0, size = 0;
    for (std::int64_t g = 0; g < groups_; ++g) {
      const std::int64_t source = assignment[static_cast<std::size_t>(g)];
      if (source == g) continue;
      const float* in = column(drawn_[static_cast<std::size_t>(source)]);
      const float* out = column(drawn_[static_cast<std::size_t>(g)]);
      const float* least = threshold_.view().row(g);
      for (std::int64_t r = 0; r < rows_; ++r) {
        const double with = std::max(in[r], least[r]);
        gain += with - static_cast<double>(std::max(out[r], least[r]));
        size += with;
      }
    }
    // Smaller gains are rounding: they could go round in circles.
    if (!(gain > 1e-12 * size)) return false;
    std::vector<std::uint32_t> moved(static_cast<std::size_t>(groups_));
    for (std::int64_t g = 0; g < groups_; ++g)
      moved[static_cast<std::size_t>(g)] =
          place_[static_cast<std::size_t>(drawn_[static_cast<std::size_t>(assignment[static_cast<std::size_t>(g)])])];
    for (std::int64_t g = 0; g < groups_; ++g)
      place_[static_cast<std::size_t>(drawn_[static_cast<std::size_t>(g)])] = moved[static_cast<std::size_t>(g)];
    return gain > worthwhile * size;
  }

  const SearchContext& context_;
  std::int64_t tile_, rows_, groups_, n_, m_;
  std::vector<std::uint32_t> columns_;  ///< original columns
  Matrix<float> values_;                ///< [kept column][row of the tile]
  std::vector<std::uint32_t> place_;    ///< packed position → index into columns_
  std::vector<std::int64_t> drawn_;     ///< packed position drawn from each group
  Matrix<float> threshold_, sampled_, benefit_;
  std::int64_t iteration_ = 0;
  std::int64_t spent_ = 0;
  int failed_ = 0;
};

}  // namespace

void gyro_input(SearchContext& context, int patience, Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  if (!geometry.orders_columns) return;
  const std::int64_t budget = context.remaining() / geometry.tiles;
  std::vector<TileSearch> tiles;
  tiles.reserve(static_cast<std::size_t>(geometry.tiles));
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) tiles.emplace_back(context, tile, arrangement);
  // Rounds of a few tries, so that the best so far is known now and then.
  constexpr int tries_a_round = 8;
  bool working = true;
  for (std::int64_t finished = 0; working;) {
    const auto spent = [&] {
      std::int64_t sum = 0;
      for (const TileSearch& tile : tiles) sum += tile.spent();
      return sum;
    };
    const std::int64_t before = spent();
    parallel_for(geometry.tiles, context.threads(), [&](std::int64_t tile, int) {
      TileSearch& search = tiles[static_cast<std::size_t>(tile)];
      for (int i = 0; i < tries_a_round && !search.ended(patience, budget) && !context.stop_requested(); ++i)
        search.try_once();
      search.write(arrangement.columns.data() + tile * geometry.kept_columns);
    });
    if (context.stop_requested()) return;
    context.spend(spent() - before);
    context.offer(arrangement);
    finished =
        std::count_if(tiles.begin(), tiles.end(), [&](const TileSearch& tile) { return tile.ended(patience, budget); });
    context.control().report(static_cast<double>(finished), static_cast<double>(geometry.tiles));
    working = finished < geometry.tiles;
  }
}

void assign_slots_in_turn(SearchContext& context, Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  if (!geometry.orders_columns || geometry.groups() < 2) return;
  const std::int64_t cost = geometry.tiles * geometry.groups() * geometry.groups() * geometry.m;
  if (cost > context.remaining()) return;
  parallel_for(geometry.tiles, context.threads(), [&](std::int64_t tile, int) {
    TileSearch search(context, tile, arrangement);
    for (std::int64_t slot = 0; slot < geometry.m && !context.stop_requested(); ++slot) search.try_once(slot);
    search.write(arrangement.columns.data() + tile * geometry.kept_columns);
  });
  context.spend(cost);
}

}  // namespace hinm
