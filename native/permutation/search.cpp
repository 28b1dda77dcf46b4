#include "permutation/search.h"

#include "permutation/search_context.h"
#include "permutation/strategies.h"
#include "sparsity/saliency.h"

namespace hinm {
namespace {

const Strategy* find(std::string_view id) {
  for (const Strategy& strategy : strategies()) {
    if (strategy.id == id) return &strategy;
  }
  return nullptr;
}

std::string known_ids() {
  std::string ids;
  for (const Strategy& strategy : strategies()) ids += (ids.empty() ? "" : ", ") + std::string(strategy.id);
  return ids;
}

Status check(const SearchRequest& request) {
  if (find(request.strategy) == nullptr) {
    return invalid_argument("The strategy \"" + request.strategy + "\" is not known; allowed are " + known_ids() + ".");
  }
  if (request.budget < 0) {
    return invalid_argument("The budget is " + std::to_string(request.budget) +
                            " candidate evaluations; choose at least 1, or 0 for the strategy's own stopping rule.");
  }
  if (request.threads < 1)
    return invalid_argument("The thread count is " + std::to_string(request.threads) + "; choose at least 1.");
  return check_scores(request.scores);
}

Order none_because(const SearchRequest& request, const Geometry& geometry, std::string reason) {
  Order order = original_order(request.scores, geometry);
  order.reason = std::move(reason);
  return order;
}

}  // namespace

Result<Order> search_order(const SearchRequest& request, const JobControl& control) {
  if (Status status = check(request); !status.ok()) return status.error();
  const Result<Geometry> found = geometry_for(request.scores, request.pattern, nullptr);
  if (!found.ok()) return found.error();
  const Geometry& geometry = found.value();
  if (request.strategy != "none" && !geometry.chooses_columns && !geometry.orders_columns) {
    return none_because(request, geometry,
                        "no order changes the pattern " + std::string(pattern_name(request.pattern.kind)));
  }
  SearchContext context(request, geometry, control);
  const std::string reason = find(request.strategy)->run(context);
  if (control.stop_requested()) return cancelled();
  if (!reason.empty()) return none_because(request, geometry, reason);
  return std::move(context).finish();
}

}  // namespace hinm
