#include "permutation/gyro_plus.h"

#include <algorithm>
#include <cmath>

#include "permutation/column_exchange.h"
#include "permutation/gyro_input.h"
#include "permutation/gyro_output.h"
#include "permutation/row_exchange.h"
#include "permutation/row_prices.h"
#include "permutation/simple_orders.h"

namespace hinm {
namespace {

/// Assignments that a tile's input order is given at most: beyond, it gains below 1e-4 (measured on real layers).
constexpr std::int64_t tries_a_tile = 400;

/// Rough cost of one evaluation of each kind in nanoseconds. Only their ratios matter: they share a budget out, so that
/// each side of the search receives the part of the work that it is meant to, on any machine the same.
struct EvaluationCost {
  double row_exchange;
  double output_assignment;
  double input_assignment;
  double column_exchange;
};

EvaluationCost cost_of(const SearchContext& context) {
  const Geometry& geometry = context.geometry();
  const auto cols = static_cast<double>(geometry.cols), weight = static_cast<double>(context.output_weight());
  const auto height = static_cast<double>(geometry.tile_rows);
  return {(45 + 0.25 * cols) / weight, (200 + 1.5 * cols) / weight, 10 + 0.05 * height, 45 + 0.5 * height};
}

/// The same for one round of Tetris, and for forming prices and choosing columns once.
double tetris_round(const Geometry& geometry) {
  return 0.05 * static_cast<double>(geometry.rows) * static_cast<double>(geometry.tiles) *
         static_cast<double>(geometry.cols);
}
double pricing(const Geometry& geometry) {
  return 4.0 * static_cast<double>(geometry.rows) * static_cast<double>(geometry.cols);
}

std::int64_t entries_a_round(const Geometry& geometry) {
  return geometry.tiles * geometry.groups() * geometry.groups();
}

/// Evaluations of the input side out of what remains, when an output evaluation costs `output_cost`: at most `share` of
/// the work, at most `rounds` assignments a tile.
std::int64_t input_part(const SearchContext& context, double output_cost, double share, std::int64_t rounds) {
  const Geometry& geometry = context.geometry();
  if (!geometry.orders_columns || geometry.groups() < 2) return 0;
  if (!geometry.chooses_columns || geometry.tiles < 2 || geometry.kept_columns == geometry.cols)
    return context.remaining();
  const double input_cost = cost_of(context).input_assignment;
  // y evaluations of the input and B − y of the output side with y·input = share·(y·input + (B − y)·output).
  const double part = share * output_cost / (share * output_cost + (1 - share) * input_cost);
  const auto most = static_cast<std::int64_t>(part * static_cast<double>(context.remaining()));
  return std::min(most, rounds * entries_a_round(geometry));
}

/// What these searches do without a budget: after so many pairs a row the objective hardly grows (measured).
std::int64_t own_output_part(const SearchContext& context) {
  return 1000 * context.geometry().rows * context.output_weight();
}

bool unlimited(const SearchContext& context) { return context.remaining() == std::numeric_limits<std::int64_t>::max(); }

}  // namespace

void gyro_iterated(SearchContext& context) {
  constexpr int patience = 3;
  constexpr std::int64_t own_repetitions = 20;
  Arrangement arrangement = context.best();
  const bool limited = !unlimited(context);
  const std::int64_t end = limited ? context.spent() + context.remaining() -
                                         input_part(context, cost_of(context).output_assignment, 0.5, tries_a_tile)
                                   : 0;
  for (std::int64_t repetition = 0; limited || repetition < own_repetitions; ++repetition) {
    const std::int64_t before = context.spent();
    GyroOutputRule rule{.patience = patience, .repetition = repetition};
    if (limited) rule.evaluations = end - before;
    gyro_output(context, rule, arrangement);
    if (context.stop_requested() || context.spent() == before) break;
  }
  gyro_input(context, limited ? long_patience : patience, arrangement);
  if (!context.stop_requested()) context.offer(arrangement);
}

void row_swaps(SearchContext& context) {
  Arrangement arrangement = context.best();
  const bool limited = !unlimited(context);
  const std::int64_t output =
      limited ? context.remaining() - input_part(context, cost_of(context).row_exchange, 0.5, tries_a_tile)
              : own_output_part(context);
  RowExchangeRule rule;
  rule.pairs = output / context.output_weight();
  exchange_rows(context, context.padded_scores(), rule, arrangement);
  context.choose_columns_of(arrangement);
  gyro_input(context, limited ? long_patience : 3, arrangement);
  if (!context.stop_requested()) context.offer(arrangement);
}

namespace {

/// Starts that take a small part of the work: a few rounds of balanced k-means, which finds rows of a kind at once
/// where there are some, kept when better than the original order; then Tetris.
void quick_start(SearchContext& context, double work, Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  constexpr int rounds = 4;
  // With the choice of the first centres about six rounds in all.
  if (work > 14 * tetris_round(geometry)) {
    cluster_rows(context, 0, rounds, arrangement);
    if (context.stop_requested()) return;
    context.offer(arrangement);
    arrangement = context.best();
  }
  if (work > 20 * tetris_round(geometry)) {
    tetris(context, context.padded_scores(), arrangement);
    context.choose_columns_of(arrangement);
    if (!context.stop_requested()) context.offer(arrangement);
  }
}

/// The output side of gyro-plus within `budget` evaluations: a start by Tetris where it takes a small part of them,
/// then annealed exchanges on priced scores.
void search_rows(SearchContext& context, std::int64_t budget, Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  // Temperatures in units of the mean |gain| of random pairs: measured best between 0.1 and 0.3 at the start.
  constexpr double hottest = 0.2, cold = 0.003;
  constexpr int most_pricings = 4;
  const EvaluationCost cost = cost_of(context);
  const double work = static_cast<double>(budget) * cost.row_exchange;
  const std::int64_t start = context.spent();
  quick_start(context, work, arrangement);
  // Forming prices and choosing columns must not eat the search itself.
  const int pricings = std::clamp(static_cast<int>(0.15 * work / pricing(geometry)), 1, most_pricings);
  const std::int64_t exchanges =
      std::max<std::int64_t>(0, budget - (context.spent() - start)) / context.output_weight() / pricings;
  // A short run has no time to come down from a high temperature.
  const double exchanges_a_row = static_cast<double>(exchanges) * pricings / static_cast<double>(geometry.rows);
  const double hot = hottest * std::clamp(exchanges_a_row / 300, 0.15, 1.0);
  for (int k = 0; k < pricings && !context.stop_requested(); ++k) {
    const Matrix<float> priced = priced_scores(context, arrangement);
    RowExchangeRule rule;
    rule.pairs = exchanges;
    rule.hot = hot * std::pow(cold / hot, static_cast<double>(k) / pricings);
    rule.cold = hot * std::pow(cold / hot, static_cast<double>(k + 1) / pricings);
    rule.stage = static_cast<std::uint32_t>(k);
    exchange_rows(context, priced.view(), rule, arrangement);
    choose_columns_by(context, priced.view(), arrangement);
  }
  if (!context.stop_requested()) context.offer(arrangement);
}

}  // namespace

void gyro_plus(SearchContext& context) {
  const Geometry& geometry = context.geometry();
  Arrangement arrangement = context.best();
  const bool limited = !unlimited(context);
  if (geometry.chooses_columns) {
    const std::int64_t input = limited ? input_part(context, cost_of(context).row_exchange, 0.5, tries_a_tile) : 0;
    search_rows(context, limited ? context.remaining() - input : own_output_part(context), arrangement);
  }
  if (context.stop_requested() || !geometry.orders_columns) return;
  gyro_input(context, long_patience, arrangement);
  if (context.stop_requested()) return;
  const std::int64_t own_exchanges = 100 * geometry.kept_columns;
  const std::int64_t exchanges = std::min(own_exchanges, context.remaining() / geometry.tiles);
  exchange_columns(context, {.evaluations = exchanges, .pool_share = 0.3}, arrangement);
  if (!context.stop_requested()) context.offer(arrangement);
}

}  // namespace hinm
