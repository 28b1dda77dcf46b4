#include "permutation/apex.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "base/parallel.h"
#include "permutation/streams.h"
#include "permutation/stripe_windows.h"

namespace hinm {
namespace {

/// More stripes make too many triples: 32 give 4,960 of 5,775 candidates each.
constexpr std::int64_t most_stripes_for_triples = 32;
/// A gain below this share of what all stripes keep is rounding.
constexpr double rounding = 1e-12;

class GreedyWindows {
 public:
  GreedyWindows(Stripes& stripes, ApexMove move, std::int64_t budget, const JobControl& control)
      : stripes_(stripes), move_(move), budget_(budget), control_(control) {
    const std::int64_t size = move == ApexMove::stripe_triples ? 3 : 2;
    candidates_ = move == ApexMove::channel_swap ? exchange_candidates(stripes.m) : partition_candidates(size);
    std::vector<std::int64_t> window(static_cast<std::size_t>(size));
    list_windows(0, 0, window);
    moves_.resize(windows_.size());
    for (std::int64_t stripe = 0; stripe < stripes.count(); ++stripe)
      kept_ += stripe_kept(stripes, stripes.order.data() + stripe * stripes.m);
  }

  std::int64_t spent() const { return spent_; }
  double kept() const { return kept_; }
  bool affords_a_window() const { return spent_ + candidates_ <= budget_; }

  /// Greedy until no window gains, the budget ends or the caller stops.
  void run() {
    std::vector<std::size_t> stale(windows_.size());
    std::iota(stale.begin(), stale.end(), std::size_t{0});
    while (!stale.empty()) {
      for (const std::size_t w : stale) {
        if (!affords_a_window() || control_.stop_requested()) return;
        moves_[w] = move_ == ApexMove::channel_swap ? best_exchange(stripes_, windows_[w])
                                                    : best_partition(stripes_, windows_[w]);
        spent_ += candidates_;
      }
      stale = make_moves();
    }
  }

 private:
  void list_windows(std::size_t depth, std::int64_t first, std::vector<std::int64_t>& window) {
    if (depth == window.size()) {
      windows_.push_back(window);
      return;
    }
    for (std::int64_t stripe = first; stripe < stripes_.count(); ++stripe) {
      window[depth] = stripe;
      list_windows(depth + 1, stripe + 1, window);
    }
  }

  /// Makes the gaining moves of disjoint windows, largest gain first; returns the windows that touch a changed stripe.
  std::vector<std::size_t> make_moves() {
    std::vector<std::size_t> ranked(windows_.size());
    std::iota(ranked.begin(), ranked.end(), std::size_t{0});
    std::erase_if(ranked, [this](std::size_t w) { return !(moves_[w].gain > rounding * kept_); });
    std::stable_sort(ranked.begin(), ranked.end(),
                     [this](std::size_t a, std::size_t b) { return moves_[a].gain > moves_[b].gain; });
    std::vector<bool> changed(static_cast<std::size_t>(stripes_.count()));
    const auto touches = [&](std::size_t w) {
      return std::any_of(windows_[w].begin(), windows_[w].end(),
                         [&](std::int64_t stripe) { return changed[static_cast<std::size_t>(stripe)]; });
    };
    for (const std::size_t w : ranked) {
      if (touches(w)) continue;
      const std::uint32_t* from = moves_[w].columns.data();
      for (const std::int64_t stripe : windows_[w]) {
        std::copy_n(from, stripes_.m, stripes_.order.begin() + stripe * stripes_.m);
        from += stripes_.m;
        changed[static_cast<std::size_t>(stripe)] = true;
      }
      kept_ += moves_[w].gain;
    }
    std::vector<std::size_t> stale;
    for (std::size_t w = 0; w < windows_.size(); ++w) {
      if (touches(w)) stale.push_back(w);
    }
    return stale;
  }

  Stripes& stripes_;
  ApexMove move_;
  std::int64_t budget_;
  const JobControl& control_;
  std::int64_t candidates_ = 0;
  std::int64_t spent_ = 0;
  double kept_ = 0;
  std::vector<std::vector<std::int64_t>> windows_;
  std::vector<WindowMove> moves_;
};

/// Greedy, then escapes while the budget lasts (`budget` the largest number: none). Returns the evaluations spent.
std::int64_t improve(Stripes& stripes, ApexMove move, std::int64_t budget, RandomStream random,
                     const JobControl& control) {
  GreedyWindows first(stripes, move, budget, control);
  first.run();
  std::int64_t spent = first.spent();
  double kept = first.kept();
  const bool escapes = budget < std::numeric_limits<std::int64_t>::max() && stripes.count() > 1;
  while (escapes && !control.stop_requested()) {
    Stripes tried = stripes;
    const auto count = static_cast<std::uint32_t>(tried.order.size());
    for (int exchange = 0; exchange < 2; ++exchange)
      std::swap(tried.order[random.below(count)], tried.order[random.below(count)]);
    GreedyWindows again(tried, move, budget - spent, control);
    if (!again.affords_a_window()) break;
    again.run();
    spent += again.spent();
    if (again.kept() > kept) {
      kept = again.kept();
      stripes.order = tried.order;
    }
  }
  return spent;
}

Stripes stripes_of(MatrixView<const float> scores, const std::uint32_t* rows, std::int64_t row_count,
                   const std::uint32_t* columns, std::int64_t column_count, const Geometry& geometry) {
  Stripes stripes{Matrix<double>(column_count, row_count), {}, geometry.n, geometry.m};
  stripes.order.resize(static_cast<std::size_t>(column_count));
  std::iota(stripes.order.begin(), stripes.order.end(), 0u);
  for (std::int64_t r = 0; r < row_count; ++r) {
    for (std::int64_t j = 0; j < column_count; ++j)
      stripes.values.at(j, r) = static_cast<double>(scores.at(rows[r], columns[j]));
  }
  return stripes;
}

void apex_of_tiles(SearchContext& context, ApexMove move, Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  const std::int64_t budget = context.remaining() == std::numeric_limits<std::int64_t>::max()
                                  ? context.remaining()
                                  : context.remaining() / geometry.tiles;
  std::vector<std::int64_t> spent(static_cast<std::size_t>(geometry.tiles));
  parallel_for(geometry.tiles, context.threads(), [&](std::int64_t tile, int) {
    std::uint32_t* columns = arrangement.columns.data() + tile * geometry.kept_columns;
    Stripes stripes = stripes_of(context.scores(), arrangement.rows.data() + geometry.first_row(tile),
                                 geometry.rows_of(tile), columns, geometry.kept_columns, geometry);
    spent[static_cast<std::size_t>(tile)] =
        improve(stripes, move, budget, stream_of(context, Purpose::escape, tile, 0), context.control());
    const std::vector<std::uint32_t> before(columns, columns + geometry.kept_columns);
    for (std::size_t j = 0; j < before.size(); ++j) columns[j] = before[stripes.order[j]];
  });
  context.spend(std::accumulate(spent.begin(), spent.end(), std::int64_t{0}));
}

void apex_of_matrix(SearchContext& context, ApexMove move, Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  // Columns beyond the last whole stripe keep their place at the end.
  const std::int64_t whole = geometry.cols / geometry.m * geometry.m;
  std::vector<std::uint32_t> columns(static_cast<std::size_t>(whole));
  std::iota(columns.begin(), columns.end(), 0u);
  Stripes stripes =
      stripes_of(context.scores(), arrangement.rows.data(), geometry.rows, columns.data(), whole, geometry);
  context.spend(
      improve(stripes, move, context.remaining(), stream_of(context, Purpose::escape, 0, 0), context.control()));
  std::vector<std::uint32_t> rank(static_cast<std::size_t>(geometry.cols));
  std::iota(rank.begin(), rank.end(), 0u);
  for (std::size_t j = 0; j < stripes.order.size(); ++j) rank[stripes.order[j]] = static_cast<std::uint32_t>(j);
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
    std::sort(arrangement.columns.begin() + tile * geometry.kept_columns,
              arrangement.columns.begin() + (tile + 1) * geometry.kept_columns,
              [&](std::uint32_t a, std::uint32_t b) { return rank[a] < rank[b]; });
  }
}

}  // namespace

std::string apex(SearchContext& context, ApexMove move, bool per_tile, Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  if (!geometry.orders_columns) return "the pattern has no groups of columns";
  if (move != ApexMove::channel_swap && geometry.m != 4)
    return "stripe groups need groups of 4 columns, not of " + std::to_string(geometry.m);
  const std::int64_t stripes = (per_tile ? geometry.kept_columns : geometry.cols) / geometry.m;
  if (move == ApexMove::stripe_triples && stripes > most_stripes_for_triples) {
    return "stripe groups of 12 columns need at most " + std::to_string(most_stripes_for_triples) + " stripes, not " +
           std::to_string(stripes);
  }
  if (per_tile) {
    apex_of_tiles(context, move, arrangement);
  } else {
    apex_of_matrix(context, move, arrangement);
  }
  return {};
}

}  // namespace hinm
