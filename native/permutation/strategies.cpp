#include "permutation/strategies.h"

#include <array>
#include <limits>

#include "permutation/apex.h"
#include "permutation/gyro_input.h"
#include "permutation/gyro_output.h"
#include "permutation/gyro_plus.h"
#include "permutation/row_exchange.h"
#include "permutation/simple_orders.h"

namespace hinm {
namespace {

bool has_output_side(const SearchContext& context) {
  return context.geometry().chooses_columns && context.geometry().tiles > 1;
}

std::string no_output_side() { return "the pattern has one tile, so no order of the output channels changes it"; }
std::string no_input_side() { return "the packed order of the columns does not change the pattern"; }

std::string run_none(SearchContext&) { return {}; }

std::string run_random(SearchContext& context) {
  const bool limited = context.remaining() < std::numeric_limits<std::int64_t>::max();
  random_orders(context, limited ? context.remaining() : 10);
  return {};
}

std::string run_snake(SearchContext& context) {
  if (!context.geometry().orders_columns) return no_input_side();
  Arrangement arrangement = context.best();
  snake(context, arrangement);
  context.spend(1);
  context.offer(arrangement);
  return {};
}

/// k-means from several starts while a budget lasts, once without one. Keeps the best rows by what they keep.
Arrangement best_clustering(SearchContext& context, std::int64_t reserve) {
  constexpr int published_rounds = 20;
  const bool limited = context.remaining() < std::numeric_limits<std::int64_t>::max();
  const std::int64_t end = context.spent() + context.remaining() - reserve;
  for (std::int64_t attempt = 0;; ++attempt) {
    const std::int64_t before = context.spent();
    Arrangement arrangement = context.best();
    cluster_rows(context, attempt, published_rounds, arrangement);
    if (context.stop_requested() || context.spent() == before) break;
    context.offer(arrangement);
    if (!limited || 2 * context.spent() - before > end) break;
  }
  return context.best();
}

std::string run_ovw(SearchContext& context) {
  if (!has_output_side(context)) return no_output_side();
  best_clustering(context, 0);
  return {};
}

std::string run_tetris(SearchContext& context) {
  if (!has_output_side(context)) return no_output_side();
  Arrangement arrangement = context.best();
  tetris(context, context.padded_scores(), arrangement);
  context.choose_columns_of(arrangement);
  if (!context.stop_requested()) context.offer(arrangement);
  return {};
}

template <ApexMove move, bool per_tile>
std::string run_apex(SearchContext& context) {
  Arrangement arrangement = context.best();
  const std::string reason = apex(context, move, per_tile, arrangement);
  if (reason.empty() && !context.stop_requested()) context.offer(arrangement);
  return reason;
}

std::string run_ria(SearchContext& context) {
  if (!context.geometry().orders_columns) return no_input_side();
  Arrangement arrangement = context.best();
  snake(context, arrangement);
  assign_slots_in_turn(context, arrangement);
  if (!context.stop_requested()) context.offer(arrangement);
  return {};
}

std::string run_output_only(SearchContext& context) {
  if (!has_output_side(context)) return no_output_side();
  Arrangement arrangement = context.best();
  gyro_output(context, {}, arrangement);
  return {};
}

std::string run_input_only(SearchContext& context) {
  if (!context.geometry().orders_columns) return no_input_side();
  Arrangement arrangement = context.best();
  gyro_input(context, 3, arrangement);
  return {};
}

/// HiNM's ablation V1: rows by OVW, columns by gyro. With a budget the input side keeps half of the evaluations.
std::string run_ovw_input(SearchContext& context) {
  const bool limited = context.remaining() < std::numeric_limits<std::int64_t>::max();
  Arrangement arrangement =
      has_output_side(context) ? best_clustering(context, limited ? context.remaining() / 2 : 0) : context.best();
  gyro_input(context, limited ? long_patience : 3, arrangement);
  return {};
}

std::string run_tetris_input(SearchContext& context) {
  Arrangement arrangement = context.best();
  if (has_output_side(context)) {
    tetris(context, context.padded_scores(), arrangement);
    context.choose_columns_of(arrangement);
    if (!context.stop_requested()) context.offer(arrangement);
  }
  gyro_input(context, context.remaining() < std::numeric_limits<std::int64_t>::max() ? long_patience : 3, arrangement);
  return {};
}

/// HiNM's ablation V2: rows by gyro, columns by Apex.
std::string run_output_apex(SearchContext& context) {
  Arrangement arrangement = context.best();
  gyro_output(context, {}, arrangement);
  const ApexMove move = context.geometry().m == 4 ? ApexMove::stripe_pairs : ApexMove::channel_swap;
  const std::string reason = apex(context, move, true, arrangement);
  if (reason.empty() && !context.stop_requested()) context.offer(arrangement);
  return reason;
}

template <int patience, bool published_sum>
std::string run_gyro(SearchContext& context) {
  Arrangement arrangement = context.best();
  gyro_output(context, {.patience = patience, .published_sum = published_sum}, arrangement);
  gyro_input(context, patience, arrangement);
  return {};
}

template <void (*search)(SearchContext&)>
std::string run_search(SearchContext& context) {
  search(context);
  return {};
}

constexpr std::array all{Strategy{"none", run_none},
                         Strategy{"random", run_random},
                         Strategy{"snake", run_snake},
                         Strategy{"ovw", run_ovw},
                         Strategy{"tetris", run_tetris},
                         Strategy{"apex-swap", run_apex<ApexMove::channel_swap, false>},
                         Strategy{"apex-stripes", run_apex<ApexMove::stripe_pairs, false>},
                         Strategy{"apex-stripes-12", run_apex<ApexMove::stripe_triples, false>},
                         Strategy{"apex-swap-tile", run_apex<ApexMove::channel_swap, true>},
                         Strategy{"apex-stripes-tile", run_apex<ApexMove::stripe_pairs, true>},
                         Strategy{"ria-lsa", run_ria},
                         Strategy{"gyro-output", run_output_only},
                         Strategy{"gyro-input", run_input_only},
                         Strategy{"ovw-gyro-input", run_ovw_input},
                         Strategy{"tetris-gyro-input", run_tetris_input},
                         Strategy{"gyro-output-apex", run_output_apex},
                         Strategy{"gyro-1", run_gyro<1, false>},
                         Strategy{"gyro", run_gyro<3, false>},
                         Strategy{"gyro-published", run_gyro<1, true>},
                         Strategy{"gyro-iterated", run_search<gyro_iterated>},
                         Strategy{"row-swaps", run_search<row_swaps>},
                         Strategy{"gyro-plus", run_search<gyro_plus>}};

}  // namespace

std::span<const Strategy> strategies() { return all; }

}  // namespace hinm
