// Benchmark contestants and machine peaks for JavaScript.
#include <napi.h>

#include <memory>
#include <string>

#include "binding/arguments.h"
#include "binding/async_job.h"
#include "binding/rooms.h"
#include "kernels/cpu/check.h"
#include "kernels/cpu/machine_peaks.h"
#include "kernels/cpu/product_runner.h"
#include "kernels/format/random_case.h"

namespace hinm::binding {
namespace {

using namespace kernels;

/// A runner with what its check needs. The layer is random, made from numbers alone, so that every process of a benchmark
/// makes the same one.
struct Contestant {
  RandomCase layer;
  ValueType stored = ValueType::float32;
  bool dense = false;
  SizeReport size;
  double pack_milliseconds = 0;
  std::unique_ptr<ProductRunner> runner;
};
using SharedContestant = std::shared_ptr<Contestant>;

constexpr napi_type_tag contestant_tag{0x68696e6d2d62656e, 0x63682d72756e6e31};

SharedContestant contestant_of(Napi::Env env, const Napi::Value& value) {
  if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&contestant_tag)) refuse(env, "This is no contestant of this process; open one first.");
  return *value.As<Napi::Object>().Get("handle").As<Napi::External<SharedContestant>>().Data();
}

Napi::Value contestant_to_js(Napi::Env env, SharedContestant contestant) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("name", contestant->runner->name());
  object.Set("operandSets", static_cast<double>(contestant->runner->sets()));
  object.Set("packMilliseconds", contestant->pack_milliseconds);
  object.Set("bytes", static_cast<double>(contestant->size.packed));
  object.Set("theoryBytes", static_cast<double>(contestant->size.theory));
  object.Set("denseBytes", static_cast<double>(contestant->size.dense));
  const auto release = [](Napi::Env, SharedContestant* pointer) { delete pointer; };
  object.DefineProperty(
      Napi::PropertyDescriptor::Value("handle", Napi::External<SharedContestant>::New(env, new SharedContestant(std::move(contestant)), release)));
  object.TypeTag(&contestant_tag);
  return object;
}

struct ContestantRequest {
  std::string backend;
  RandomCaseShape shape;
  std::uint64_t seed = 0;
  ValueType stored = ValueType::float32;
  RunnerPlan plan;
};

ContestantRequest read_request(Napi::Env env, const Napi::Object& object) {
  ContestantRequest request;
  request.backend = object.Get("backend").ToString().Utf8Value();
  request.shape = {integer_argument(env, object.Get("rows"), "rows", 1), integer_argument(env, object.Get("cols"), "cols", 1),
                   integer_argument(env, object.Get("vector"), "vector", 1), integer_argument(env, object.Get("keptColumns"), "keptColumns", 1),
                   {static_cast<std::int32_t>(integer_argument(env, object.Get("n"), "n", 1)), static_cast<std::int32_t>(integer_argument(env, object.Get("m"), "m", 1))}};
  if (request.shape.kept_columns > request.shape.cols || request.shape.selection.n > request.shape.selection.m || request.shape.selection.m > 64)
    refuse(env, "A tile of " + std::to_string(request.shape.cols) + " columns cannot keep " + std::to_string(request.shape.kept_columns) + " with " +
                    std::to_string(request.shape.selection.n) + ":" + std::to_string(request.shape.selection.m) + " inside; keep at most all columns, 1 ≤ n ≤ m ≤ 64.");
  request.seed = static_cast<std::uint64_t>(integer_argument(env, object.Get("seed"), "seed", 0));
  request.stored = object.Get("valueType").ToString().Utf8Value() == "bfloat16" ? ValueType::bfloat16 : ValueType::float32;
  const std::string caches = object.Get("caches").ToString().Utf8Value();
  request.plan = {integer_argument(env, object.Get("columns"), "columns", 1), object.Has("threads") ? static_cast<int>(integer_argument(env, object.Get("threads"), "threads", 1)) : 1, request.seed,
                  caches == "cold" ? CacheState::cold : caches == "rotating" ? CacheState::rotating : CacheState::warm};
  return request;
}

Result<SharedContestant> open_sparse(SharedContestant contestant, const ContestantRequest& request, const JobControl& control) {
  const auto start = std::chrono::steady_clock::now();
  const RandomCase& layer = contestant->layer;
  Result<PackedWeights> packed = pack_weights(layer.weights.view(), layer.mask(), layer.order(), request.shape.selection, control, request.stored);
  if (!packed.ok()) return packed.error();
  contestant->pack_milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  contestant->size = packed.value().size;
  Result<std::unique_ptr<ProductRunner>> runner = ProductRunner::sparse(std::make_shared<const PackedWeights>(std::move(packed).value()), request.plan);
  if (!runner.ok()) return runner.error();
  contestant->runner = std::move(runner).value();
  return contestant;
}

Result<SharedContestant> open_contestant(const ContestantRequest& request, const JobControl& control) {
  auto contestant = std::make_shared<Contestant>();
  contestant->layer = make_random_case(request.shape, request.seed);
  contestant->stored = request.stored;
  if (request.backend == "sparse") return open_sparse(contestant, request, control);
  contestant->dense = true;
  contestant->stored = ValueType::float32;
  contestant->size.packed = contestant->size.theory = contestant->size.dense = request.shape.rows * request.shape.cols * 4;
  const DenseLibrary library = request.backend == "openblas" ? DenseLibrary::openblas : request.backend == "onednn" ? DenseLibrary::onednn : DenseLibrary::own;
  Result<std::unique_ptr<ProductRunner>> runner = ProductRunner::dense(library, contestant->layer.weights.view(), request.plan);
  if (!runner.ok()) return runner.error();
  contestant->runner = std::move(runner).value();
  return contestant;
}

Napi::Value open(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const ContestantRequest request = read_request(env, info[0].As<Napi::Object>());
  for (const char* known : {"sparse", "openblas", "onednn", "own"})
    if (request.backend == known)
      return AsyncJob<SharedContestant>::start(
          env, info[1], {}, [request](const JobControl& control) { return open_contestant(request, control); },
          [](Napi::Env to, SharedContestant& contestant) { return contestant_to_js(to, contestant); });
  refuse(env, "The back end \"" + request.backend + "\" is not known; known are sparse, openblas, onednn and own.");
}

Napi::Float32Array float32_array(Napi::Env env, const Matrix<float>& matrix) {
  Napi::Float32Array array = Napi::Float32Array::New(env, matrix.data.size());
  std::copy(matrix.data.begin(), matrix.data.end(), array.Data());
  return array;
}

Napi::Value random_operands(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const ContestantRequest request = read_request(env, info[0].As<Napi::Object>());
  Napi::Object object = Napi::Object::New(env);
  object.Set("weights", float32_array(env, make_random_case(request.shape, request.seed).weights));
  object.Set("activations", float32_array(env, random_activations(request.shape.cols, request.plan.columns, request.plan.seed)));
  return object;
}

Napi::Float64Array float64_array(Napi::Env env, const std::vector<double>& values) {
  Napi::Float64Array array = Napi::Float64Array::New(env, values.size());
  std::copy(values.begin(), values.end(), array.Data());
  return array;
}

// Sampling runs on JavaScript's own thread: the process has nothing else to do, and a library keeps its threads per caller.
Napi::Value sample(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const SharedContestant contestant = contestant_of(env, info[0]);
  const Result<RunnerSamples> samples =
      contestant->runner->sample(integer_argument(env, info[1], "samples", 1), integer_argument(env, info[2], "calls", 1), JobControl());
  if (!samples.ok()) throw to_js_error(env, samples.error());
  Napi::Object object = Napi::Object::New(env);
  object.Set("wall", float64_array(env, samples.value().wall));
  object.Set("processor", float64_array(env, samples.value().processor));
  return object;
}

Napi::Value check(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const SharedContestant contestant = contestant_of(env, info[0]);
  const RandomCase& layer = contestant->layer;
  const std::vector<std::uint8_t> ones(layer.bits.size(), 0xFF);
  const MaskView mask = contestant->dense ? MaskView{ones, layer.weights.rows, layer.weights.cols} : layer.mask();
  const ProductError error = contestant->runner->check(layer.weights.view(), mask, contestant->stored);
  // A library sums all K terms in an order of its own; it need not reach what this program's kernels promise.
  const double tolerance = contestant->dense ? 1e-5 : product_tolerance;
  Napi::Object object = Napi::Object::New(env);
  object.Set("relativeError", error.relative);
  object.Set("maxError", error.largest);
  object.Set("tolerance", tolerance);
  object.Set("passed", error.relative <= tolerance);
  return object;
}

Napi::Value peaks(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto threads = static_cast<int>(integer_argument(env, info[0], "threads", 1));
  return AsyncJob<MachinePeaks>::start(
      env, info[1], {}, [threads](const JobControl&) -> Result<MachinePeaks> { return measure_peaks(threads); },
      [](Napi::Env to, MachinePeaks& measured) -> Napi::Value {
        Napi::Object object = Napi::Object::New(to);
        object.Set("multiplyAdd", measured.multiply_add);
        object.Set("bandwidth", measured.bandwidth);
        object.Set("instructionSet", measured.instruction_set);
        return object;
      });
}

Napi::Value multiply_add_peak(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return Napi::Number::New(env, measure_multiply_adds(static_cast<int>(integer_argument(env, info[0], "threads", 1))));
}

}  // namespace

void register_measuring(Napi::Env env, Napi::Object exports) {
  exports.Set("randomOperands", Napi::Function::New(env, random_operands, "randomOperands"));
  exports.Set("openContestant", Napi::Function::New(env, open, "openContestant"));
  exports.Set("sampleContestant", Napi::Function::New(env, sample, "sampleContestant"));
  exports.Set("checkContestant", Napi::Function::New(env, check, "checkContestant"));
  exports.Set("multiplyAddPeak", Napi::Function::New(env, multiply_add_peak, "multiplyAddPeak"));
  exports.Set("machinePeaks", Napi::Function::New(env, peaks, "machinePeaks"));
}

}  // namespace hinm::binding
