// Packing, products, checks and timing for JavaScript.
#include <napi.h>

#include <memory>
#include <string>

#include "base/parallel.h"
#include "binding/arguments.h"
#include "binding/async_job.h"
#include "binding/packed_handle.h"
#include "binding/rooms.h"
#include "kernels/cpu/check.h"
#include "kernels/cpu/packed_weights.h"
#include "kernels/cpu/timing.h"

namespace hinm::binding {
namespace {

using kernels::PackedWeights;
using SharedWeights = std::shared_ptr<const PackedWeights>;

/// Marks the objects made here, so that no other object is taken for one.
constexpr napi_type_tag packed_tag{0x68696e6d2d62656e, 0x63682d7061636b31};

kernels::MaskView mask_view(Napi::Env env, const Napi::Object& mask) {
  const auto bits = typed_array_argument<Napi::Uint8Array>(env, mask.Get("bits"), napi_uint8_array, "mask.bits");
  return {{bits.Data(), bits.ElementLength()}, integer_argument(env, mask.Get("rows"), "mask.rows", 1), integer_argument(env, mask.Get("cols"), "mask.cols", 1)};
}

std::span<const std::uint32_t> indices(Napi::Env env, const Napi::Value& value, const std::string& name) {
  const auto array = typed_array_argument<Napi::Uint32Array>(env, value, napi_uint32_array, name);
  return {array.Data(), array.ElementLength()};
}

kernels::OrderView order_view(Napi::Env env, const Napi::Object& order) {
  return {indices(env, order.Get("outputOrder"), "order.outputOrder"), indices(env, order.Get("columns"), "order.columns"),
          integer_argument(env, order.Get("vector"), "order.vector", 1), integer_argument(env, order.Get("keptColumns"), "order.keptColumns", 1)};
}

SharedWeights weights_of(Napi::Env env, const Napi::Value& value) {
  if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&packed_tag))
    refuse(env, "This is no packed matrix of this process; pack the weights here first, a packed matrix cannot be sent between processes.");
  return *value.As<Napi::Object>().Get("handle").As<Napi::External<SharedWeights>>().Data();
}

Napi::Value packed_to_js(Napi::Env env, SharedWeights weights) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("rows", static_cast<double>(weights->matrix.rows));
  object.Set("cols", static_cast<double>(weights->matrix.cols));
  object.Set("bytes", static_cast<double>(weights->size.packed));
  object.Set("theoryBytes", static_cast<double>(weights->size.theory));
  object.Set("denseBytes", static_cast<double>(weights->size.dense));
  object.Set("kernel", weights->kernel);
  const auto held = static_cast<std::int64_t>(weights->matrix.values.size() * 4 + weights->matrix.positions.size()) + weights->stream.bytes();
  Napi::MemoryManagement::AdjustExternalMemory(env, held);
  const auto release = [held](Napi::Env finalizing, SharedWeights* pointer) {
    Napi::MemoryManagement::AdjustExternalMemory(finalizing, -held);
    delete pointer;
  };
  object.DefineProperty(Napi::PropertyDescriptor::Value("handle", Napi::External<SharedWeights>::New(env, new SharedWeights(std::move(weights)), release)));
  object.TypeTag(&packed_tag);
  return object;
}

Napi::Float64Array doubles(Napi::Env env, const std::vector<double>& values) {
  Napi::Float64Array array = Napi::Float64Array::New(env, values.size());
  std::copy(values.begin(), values.end(), array.Data());
  return array;
}

/// The selection of the patterns that have a sparse kernel; `sparse` false for the others.
struct PatternChoice {
  std::string kind;
  bool sparse = false;
  kernels::Selection selection;
};

PatternChoice pattern_choice(Napi::Env env, const Napi::Object& pattern) {
  PatternChoice choice{pattern.Get("kind").ToString().Utf8Value(), true, {}};
  if (choice.kind == "hinm" || choice.kind == "n:m") {
    choice.selection = {static_cast<std::int32_t>(integer_argument(env, pattern.Get("n"), "pattern.n", 1)),
                        static_cast<std::int32_t>(integer_argument(env, pattern.Get("m"), "pattern.m", 1))};
  } else if (choice.kind == "venom") {
    choice.selection = {2, 4};  // four columns of every block, two of them kept in each row
  } else if (choice.kind != "vector") {
    choice.sparse = false;
  }
  return choice;
}

Napi::Value pack(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto request = info[0].As<Napi::Object>();
  const auto data = typed_array_argument<Napi::Float32Array>(env, request.Get("weights"), napi_float32_array, "weights");
  const auto weights = matrix_argument(env, data, integer_argument(env, request.Get("rows"), "rows", 1), integer_argument(env, request.Get("cols"), "cols", 1), "weights");
  const auto mask_object = request.Get("mask").As<Napi::Object>();
  const kernels::MaskView mask = mask_view(env, mask_object);
  const PatternChoice choice = pattern_choice(env, request.Get("pattern").As<Napi::Object>());
  std::vector<Napi::Value> keep{data, mask_object.Get("bits")};
  kernels::OrderView order;
  if (choice.sparse) {
    const auto order_object = request.Get("order").As<Napi::Object>();
    order = order_view(env, order_object);
    keep.push_back(order_object.Get("outputOrder"));
    keep.push_back(order_object.Get("columns"));
  }
  return AsyncJob<SharedWeights>::start(
      env, info[1], keep,
      [=](const JobControl& control) -> Result<SharedWeights> {
        Result<PackedWeights> packed =
            choice.sparse ? kernels::pack_weights(weights, mask, order, choice.selection, control) : kernels::pack_weights_dense(weights, mask, choice.kind);
        if (!packed.ok()) return packed.error();
        return SharedWeights(std::make_shared<PackedWeights>(std::move(packed).value()));
      },
      [](Napi::Env to, SharedWeights& value) { return packed_to_js(to, value); });
}

Napi::Value multiply(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const SharedWeights weights = weights_of(env, info[0]);
  const auto data = typed_array_argument<Napi::Float32Array>(env, info[1], napi_float32_array, "activations");
  const std::int64_t columns = integer_argument(env, info[2], "columns", 1);
  const auto threads = static_cast<int>(integer_argument(env, info[3], "threads", 1));
  const auto activations = matrix_argument(env, data, weights->matrix.cols, columns, "activations");
  return AsyncJob<Matrix<float>>::start(
      env, info[4], {data},
      [=](const JobControl&) -> Result<Matrix<float>> {
        Matrix<float> output(weights->matrix.rows, columns);
        if (const Status status = kernels::multiply(weights->stream, activations, output.view(), threads); !status.ok()) return status.error();
        return output;
      },
      [](Napi::Env to, Matrix<float>& output) -> Napi::Value {
        Napi::Float32Array array = Napi::Float32Array::New(to, output.data.size());
        std::copy(output.data.begin(), output.data.end(), array.Data());
        return array;
      });
}

Napi::Value check_product(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const SharedWeights packed = weights_of(env, info[0]);
  const auto data = typed_array_argument<Napi::Float32Array>(env, info[1], napi_float32_array, "weights");
  const auto weights = matrix_argument(env, data, packed->matrix.rows, packed->matrix.cols, "weights");
  const auto mask_object = info[2].As<Napi::Object>();
  const kernels::MaskView mask = mask_view(env, mask_object);
  if (mask.rows != weights.rows || mask.cols != weights.cols || static_cast<std::int64_t>(mask.bits.size()) < (weights.size() + 7) / 8)
    refuse(env, "The mask does not have the shape of the packed matrix; pass the mask that it was packed with.");
  const std::int64_t columns = integer_argument(env, info[3], "columns", 1);
  const auto seed = static_cast<std::uint64_t>(integer_argument(env, info[4], "seed", 0));
  return AsyncJob<kernels::ProductCheck>::start(
      env, info[5], {data, mask_object.Get("bits")},
      [=](const JobControl&) { return kernels::check_product(packed->stream, weights, mask, columns, seed, hardware_threads()); },
      [](Napi::Env to, kernels::ProductCheck& check) -> Napi::Value {
        Napi::Object object = Napi::Object::New(to);
        object.Set("relativeError", check.error.relative);
        object.Set("maxError", check.error.largest);
        object.Set("tolerance", check.tolerance);
        object.Set("passed", check.passed);
        return object;
      });
}

Napi::Value timing_to_js(Napi::Env env, const kernels::ProductTiming& timing) {
  Napi::Array dense = Napi::Array::New(env);
  for (const kernels::BaselineSamples& baseline : timing.dense) {
    Napi::Object entry = Napi::Object::New(env);
    entry.Set("name", baseline.name);
    entry.Set("samples", doubles(env, baseline.milliseconds));
    dense.Set(dense.Length(), entry);
  }
  Napi::Array absent = Napi::Array::New(env);
  for (const kernels::AbsentBaseline& baseline : timing.absent) {
    Napi::Object entry = Napi::Object::New(env);
    entry.Set("name", baseline.name);
    entry.Set("reason", baseline.reason);
    absent.Set(absent.Length(), entry);
  }
  Napi::Object object = Napi::Object::New(env);
  object.Set("sparse", doubles(env, timing.sparse));
  object.Set("dense", dense);
  object.Set("absent", absent);
  object.Set("callsPerSample", static_cast<double>(timing.calls_per_sample));
  object.Set("stopped", timing.stopped);
  return object;
}

Napi::Value time_product(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto request = info[0].As<Napi::Object>();
  const SharedWeights packed = weights_of(env, request.Get("packed"));
  const auto data = typed_array_argument<Napi::Float32Array>(env, request.Get("weights"), napi_float32_array, "weights");
  const auto weights = matrix_argument(env, data, packed->matrix.rows, packed->matrix.cols, "weights");
  kernels::TimingPlan plan;
  plan.columns = integer_argument(env, request.Get("columns"), "columns", 1);
  plan.threads = static_cast<int>(integer_argument(env, request.Get("threads"), "threads", 1));
  plan.seed = static_cast<std::uint64_t>(integer_argument(env, request.Get("seed"), "seed", 0));
  plan.limit_seconds = request.Get("limitSeconds").ToNumber().DoubleValue();
  return AsyncJob<kernels::ProductTiming>::start(
      env, info[1], {data}, [=](const JobControl& control) { return kernels::time_product(packed->stream, weights, plan, control); },
      [](Napi::Env to, kernels::ProductTiming& timing) { return timing_to_js(to, timing); });
}

}  // namespace

std::shared_ptr<const kernels::PackedMatrix> packed_matrix_of(Napi::Env env, const Napi::Value& value) {
  const SharedWeights weights = weights_of(env, value);
  return {weights, &weights->matrix};
}

void register_kernels(Napi::Env env, Napi::Object exports) {
  exports.Set("pack", Napi::Function::New(env, pack, "pack"));
  exports.Set("multiply", Napi::Function::New(env, multiply, "multiply"));
  exports.Set("checkProduct", Napi::Function::New(env, check_product, "checkProduct"));
  exports.Set("timeProduct", Napi::Function::New(env, time_product, "timeProduct"));
}

}  // namespace hinm::binding
