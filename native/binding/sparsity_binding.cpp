// Node-API face of native/sparsity.
#include <memory>
#include <optional>

#include "binding/async_job.h"
#include "binding/js_types.h"
#include "binding/rooms.h"
#include "sparsity/build_mask.h"
#include "sparsity/quality.h"
#include "sparsity/recognise_mask.h"
#include "sparsity/saliency.h"

namespace hinm::binding {
namespace {

/// null or undefined: the original order.
std::shared_ptr<const Order> optional_order(const Napi::Value& value) {
  return value.IsObject() ? std::make_shared<const Order>(to_order(value.As<Napi::Object>())) : nullptr;
}

Napi::Value saliency_to_js(const Napi::CallbackInfo& info) {
  const std::string kind = info[0].ToString().Utf8Value();
  const Napi::Float32Array weights = float_array(info[1], "The weights");
  Napi::Float32Array scores = Napi::Float32Array::New(info.Env(), weights.ElementLength());
  const Status status =
      saliency_of(kind, weights.Data(), static_cast<std::int64_t>(weights.ElementLength()), scores.Data());
  if (!status.ok()) throw to_js_error(info.Env(), status.error());
  return scores;
}

Napi::Value build_mask_to_js(const Napi::CallbackInfo& info) {
  const auto matrix = info[0].As<Napi::Object>();
  const auto scores = matrix_view(matrix, "The saliency");
  const Pattern pattern = to_pattern(info[1].As<Napi::Object>());
  const auto order = optional_order(info[2]);
  return AsyncJob<Mask>::start(
      info.Env(), info[3], {matrix.Get("data")},
      [=](const JobControl& control) { return build_mask(scores, pattern, order.get(), control); },
      [](Napi::Env env, Mask& mask) -> Napi::Value { return from_mask(env, mask); });
}

Napi::Value optional_number(Napi::Env env, const std::optional<double>& value) {
  return value ? Napi::Number::New(env, *value).As<Napi::Value>() : env.Null();
}

Napi::Value from_quality(Napi::Env env, const Quality& quality) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("kept", Napi::Number::New(env, static_cast<double>(quality.kept)));
  object.Set("keptSaliency", quality.kept_saliency);
  object.Set("totalSaliency", quality.total_saliency);
  object.Set("retained", quality.retained);
  object.Set("relative", quality.relative);
  object.Set("vector", optional_number(env, quality.vector));
  object.Set("efficacy", optional_number(env, quality.efficacy));
  object.Set("tiles", typed_array(env, quality.tiles));
  return object;
}

Napi::Value measure_quality_to_js(const Napi::CallbackInfo& info) {
  const auto matrix = info[0].As<Napi::Object>();
  const auto scores = matrix_view(matrix, "The saliency");
  const Pattern pattern = to_pattern(info[1].As<Napi::Object>());
  const auto order = optional_order(info[2]);
  const auto mask = std::make_shared<const Mask>(to_mask(info[3].As<Napi::Object>()));
  return AsyncJob<Quality>::start(
      info.Env(), info[4], {matrix.Get("data")},
      [=](const JobControl& control) { return measure_quality(scores, pattern, order.get(), *mask, control); },
      [](Napi::Env env, Quality& quality) { return from_quality(env, quality); });
}

Napi::Value recognise_mask_to_js(const Napi::CallbackInfo& info) {
  return from_pattern(info.Env(), recognise_mask(to_mask(info[0].As<Napi::Object>())));
}

Napi::Value apply_mask_to_js(const Napi::CallbackInfo& info) {
  const Napi::Float32Array weights = float_array(info[0], "The weights");
  const Mask mask = to_mask(info[1].As<Napi::Object>());
  const auto count = static_cast<std::int64_t>(weights.ElementLength());
  if (count != mask.rows * mask.cols) {
    throw Napi::TypeError::New(info.Env(), "There are " + std::to_string(count) + " weights, but the mask is of " +
                                               std::to_string(mask.rows * mask.cols) + ".");
  }
  Napi::Float32Array masked = Napi::Float32Array::New(info.Env(), weights.ElementLength());
  for (std::int64_t i = 0; i < count; ++i) masked.Data()[i] = mask.kept(i) ? weights.Data()[i] : 0.0f;
  return masked;
}

}  // namespace

void register_sparsity(Napi::Env env, Napi::Object exports) {
  exports.Set("saliency", Napi::Function::New(env, saliency_to_js, "saliency"));
  exports.Set("buildMask", Napi::Function::New(env, build_mask_to_js, "buildMask"));
  exports.Set("measureQuality", Napi::Function::New(env, measure_quality_to_js, "measureQuality"));
  exports.Set("recogniseMask", Napi::Function::New(env, recognise_mask_to_js, "recogniseMask"));
  exports.Set("applyMask", Napi::Function::New(env, apply_mask_to_js, "applyMask"));
}

}  // namespace hinm::binding
