#include "permutation/search.h"

#include <array>
#include <string_view>

#include "permutation/gyro_input.h"
#include "permutation/gyro_output.h"
#include "permutation/search_context.h"
#include "sparsity/saliency.h"

namespace hinm {
namespace {

void run_none(SearchContext&) {}

/// Output side, then columns, then input side, three tries a stage (HiNM, section 4).
void run_gyro(SearchContext& context) {
  constexpr int patience = 3;
  Arrangement arrangement = context.best();
  gyro_output(context, {.patience = patience}, arrangement);
  gyro_input(context, patience, arrangement);
}

struct Strategy {
  std::string_view id;
  void (*run)(SearchContext&);
};

constexpr std::array strategies{Strategy{"none", run_none}, Strategy{"gyro", run_gyro}};

const Strategy* find(std::string_view id) {
  for (const Strategy& strategy : strategies) {
    if (strategy.id == id) return &strategy;
  }
  return nullptr;
}

std::string known_ids() {
  std::string ids;
  for (const Strategy& strategy : strategies) ids += (ids.empty() ? "" : ", ") + std::string(strategy.id);
  return ids;
}

}  // namespace

Result<Order> search_order(const SearchRequest& request, const JobControl& control) {
  const Strategy* strategy = find(request.strategy);
  if (strategy == nullptr) {
    return invalid_argument("The strategy \"" + request.strategy + "\" is not known; allowed are " + known_ids() + ".");
  }
  if (request.budget < 0) {
    return invalid_argument("The budget is " + std::to_string(request.budget) +
                            " candidate evaluations; choose at least 1, or 0 for the strategy's own stopping rule.");
  }
  if (request.threads < 1) return invalid_argument("The thread count is " + std::to_string(request.threads) + "; choose at least 1.");
  const Result<Geometry> geometry = geometry_of(request.pattern, request.scores.rows, request.scores.cols);
  if (!geometry.ok()) return geometry.error();
  if (Status status = check_scores(request.scores); !status.ok()) return status.error();
  if (strategy->run != run_none && !geometry.value().chooses_columns && !geometry.value().orders_columns) {
    Order order = original_order(request.scores, geometry.value());
    order.reason = "no order changes the pattern " + std::string(pattern_name(request.pattern.kind));
    return order;
  }
  SearchContext context(request, geometry.value(), control);
  strategy->run(context);
  if (control.stop_requested()) return cancelled();
  return std::move(context).finish();
}

}  // namespace hinm
