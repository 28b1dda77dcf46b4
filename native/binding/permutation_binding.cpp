// Node-API face of native/permutation.
#include "binding/async_job.h"
#include "binding/js_types.h"
#include "binding/rooms.h"
#include "permutation/search.h"

namespace hinm::binding {
namespace {

Napi::Value search_order_to_js(const Napi::CallbackInfo& info) {
  const auto object = info[0].As<Napi::Object>();
  const auto matrix = object.Get("scores").As<Napi::Object>();
  SearchRequest request;
  request.scores = matrix_view(matrix, "The saliency");
  request.pattern = to_pattern(object.Get("pattern").As<Napi::Object>());
  request.strategy = string(object, "strategy");
  request.budget = integer(object, "budget");
  request.seed = static_cast<std::uint64_t>(integer(object, "seed"));
  request.layer = static_cast<std::uint32_t>(integer(object, "layer"));
  request.threads = static_cast<int>(integer(object, "threads"));
  return AsyncJob<Order>::start(
      info.Env(), info[1], {matrix.Get("data")},
      [request](const JobControl& control) { return search_order(request, control); },
      [](Napi::Env env, Order& order) -> Napi::Value { return from_order(env, order); });
}

}  // namespace

void register_permutation(Napi::Env env, Napi::Object exports) {
  exports.Set("searchOrder", Napi::Function::New(env, search_order_to_js, "searchOrder"));
}

}  // namespace hinm::binding
