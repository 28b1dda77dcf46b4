// Node-API face of native/training.
#include <array>
#include <atomic>
#include <string_view>

#include "binding/async_job.h"
#include "binding/js_types.h"
#include "binding/rooms.h"
#include "training/engine/gemm.h"
#include "training/session.h"
#include "training/step_cost.h"

namespace hinm::binding {
namespace {

using namespace hinm::training;

template <class Enum, std::size_t Count>
Enum named(const Napi::Object& object, const char* key, const std::array<std::pair<std::string_view, Enum>, Count>& names) {
  const std::string name = string(object, key);
  for (const auto& [known, value] : names) {
    if (known == name) return value;
  }
  throw Napi::TypeError::New(object.Env(), std::string(key) + " \"" + name + "\" is not known.");
}

constexpr std::array<std::pair<std::string_view, MethodKind>, 13> method_names = {{{"dense", MethodKind::dense},
                                                                                  {"ste", MethodKind::ste},
                                                                                  {"sr-ste", MethodKind::sr_ste},
                                                                                  {"s-ste", MethodKind::s_ste},
                                                                                  {"transposable", MethodKind::transposable},
                                                                                  {"fixed-mask", MethodKind::fixed_mask},
                                                                                  {"decaying-mask", MethodKind::decaying_mask},
                                                                                  {"step", MethodKind::step},
                                                                                  {"bi-mask", MethodKind::bi_mask},
                                                                                  {"top-kast", MethodKind::top_kast},
                                                                                  {"powerpropagation", MethodKind::powerpropagation},
                                                                                  {"lbc", MethodKind::lbc},
                                                                                  {"mask-llm", MethodKind::mask_llm}}};
constexpr std::array<std::pair<std::string_view, GradientSampler>, 4> sampler_names = {
    {{"none", GradientSampler::none}, {"exact", GradientSampler::exact}, {"approximate", GradientSampler::approximate}, {"greedy", GradientSampler::greedy}}};
constexpr std::array<std::pair<std::string_view, ScaleRule>, 3> scale_names = {
    {{"frozen", ScaleRule::frozen}, {"dynamic", ScaleRule::dynamic}, {"one", ScaleRule::one}}};
constexpr std::array<std::pair<std::string_view, DecayPlacement>, 2> placement_names = {
    {{"gradient", DecayPlacement::gradient}, {"weight", DecayPlacement::weight}}};
constexpr std::array<std::pair<std::string_view, Fp8Overflow>, 2> overflow_names = {{{"saturate", Fp8Overflow::saturate}, {"overflow", Fp8Overflow::overflow}}};
constexpr std::array<std::pair<std::string_view, DecayCurve>, 2> curve_names = {{{"linear", DecayCurve::linear}, {"exponential", DecayCurve::exponential}}};
constexpr std::array<std::pair<std::string_view, GemmBackend>, 3> backend_names = {
    {{"tiled", GemmBackend::tiled}, {"openblas", GemmBackend::open_blas}, {"naive", GemmBackend::naive}}};

Napi::Object object_of(const Napi::Object& object, const char* key) {
  const Napi::Value value = object.Get(key);
  if (!value.IsObject()) throw Napi::TypeError::New(object.Env(), std::string("The training request has no ") + key + ".");
  return value.As<Napi::Object>();
}

bool flag(const Napi::Object& object, const char* key) { return object.Get(key).ToBoolean().Value(); }

MethodSettings to_method(const Napi::Object& object) {
  MethodSettings method;
  method.kind = named(object, "kind", method_names);
  method.pattern = {static_cast<int>(integer(object, "kept")), static_cast<int>(integer(object, "of"))};
  method.decay = number(object, "decay");
  method.placement = named(object, "placement", placement_names);
  method.scale = named(object, "scale", scale_names);
  method.numerics.gradient_sampler = named(object, "gradientSampler", sampler_names);
  method.numerics.weight_sampler = named(object, "weightSampler", sampler_names);
  method.numerics.fp8 = flag(object, "fp8");
  method.numerics.overflow = named(object, "overflow", overflow_names);
  method.refresh_every = integer(object, "refreshEvery");
  method.dense_end = number(object, "denseEnd");
  method.exact_transposable = flag(object, "exactTransposable");
  method.curve = named(object, "fadeCurve", curve_names);
  method.fade_share = number(object, "fadeShare");
  method.alpha = number(object, "alpha");
  method.forward_density = number(object, "forwardDensity");
  method.backward_density = number(object, "backwardDensity");
  method.penalty = number(object, "penalty");
  method.switch_tolerance = number(object, "switchTolerance");
  method.candidates = static_cast<int>(integer(object, "candidates"));
  return method;
}

Compute to_compute(const Napi::Object& object) { return {static_cast<int>(integer(object, "threads")), named(object, "backend", backend_names)}; }

OptimizerSettings to_optimizer(const Napi::Object& object) {
  return {number(object, "beta1"), number(object, "beta2"),      number(object, "epsilon"),         number(object, "weightDecay"),
          number(object, "clip"),  number(object, "peakRate"), number(object, "finalShare"), integer(object, "warmUp")};
}

std::vector<std::int64_t> integers(const Napi::Object& object, const char* key) {
  const auto array = object_of(object, key).As<Napi::Array>();
  std::vector<std::int64_t> values;
  for (std::uint32_t i = 0; i < array.Length(); ++i) values.push_back(array.Get(i).ToNumber().Int64Value());
  return values;
}

std::vector<std::int32_t> labels_of(const Napi::Object& object, const char* key) {
  const Napi::Value value = object.Get(key);
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_int32_array) {
    throw Napi::TypeError::New(object.Env(), std::string(key) + " must be an Int32Array.");
  }
  const auto array = value.As<Napi::Int32Array>();
  return {array.Data(), array.Data() + array.ElementLength()};
}

using SampleHandle = std::shared_ptr<const LabelledSamples>;

SampleHandle samples_of(const Napi::Object& object, const char* key) {
  const Napi::Value value = object.Get(key);
  if (!value.IsExternal()) throw Napi::TypeError::New(object.Env(), std::string(key) + " must be what createSamples gave.");
  return *value.As<Napi::External<SampleHandle>>().Data();
}

/// A session, and whether a long call is at work on it.
struct Held {
  std::shared_ptr<TrainingSession> session;
  std::atomic<bool> busy{false};
};
using HeldHandle = std::shared_ptr<Held>;

HeldHandle held_of(const Napi::Value& value) {
  if (!value.IsExternal()) throw Napi::TypeError::New(value.Env(), "The first argument must be what createTraining gave.");
  return *value.As<Napi::External<HeldHandle>>().Data();
}

/// The session for a short call; refused while a long one is at work.
TrainingSession& idle(const HeldHandle& held, Napi::Env env) {
  if (held->busy) throw to_js_error(env, {"ALREADY_RUNNING", "This training run is at work; wait for it or cancel it first."});
  return *held->session;
}

template <class T>
T unwrap(Napi::Env env, Result<T> result) {
  if (!result.ok()) throw to_js_error(env, result.error());
  return std::move(result).value();
}

TrainingSpec to_spec(const Napi::Object& object) {
  TrainingSpec spec;
  spec.settings.seed = static_cast<std::uint64_t>(integer(object, "seed"));
  spec.settings.total = integer(object, "steps");
  spec.settings.optimizer = to_optimizer(object_of(object, "optimizer"));
  spec.settings.method = to_method(object_of(object, "method"));
  spec.settings.diagnose_every = integer(object, "diagnoseEvery");
  spec.settings.diagnose_held_out = flag(object, "diagnoseHeldOut");
  spec.settings.first_data_step = integer(object, "firstDataStep");
  spec.settings.compute = to_compute(object);
  spec.reference = flag(object, "reference");
  const Napi::Object lab = object_of(object, "lab");
  const std::string kind = string(lab, "kind");
  const std::int64_t batch = integer(lab, "batch");
  if (kind == "teacher-student") {
    spec.lab = TeacherStudentSpec{{integer(lab, "inputs"), integer(lab, "teacherHidden"), integer(lab, "outputs"), batch, integer(lab, "heldOutSamples")},
                                  integers(lab, "hidden")};
  } else if (kind == "text") {
    const std::int64_t symbols = integer(lab, "symbols"), length = integer(lab, "context");
    spec.lab = CharacterTextSpec{{symbols, length, batch, number(lab, "heldOutShare")},
                                 {symbols, length, integer(lab, "layers"), integer(lab, "width"), integer(lab, "heads"), integer(lab, "hidden")},
                                 labels_of(lab, "tokens")};
  } else if (kind == "classification") {
    spec.lab = ClassificationSpec{{integer(lab, "classes"), batch}, integers(lab, "hidden"), samples_of(lab, "train"), samples_of(lab, "heldOut")};
  } else {
    throw Napi::TypeError::New(object.Env(), "The lab \"" + kind + "\" is not known.");
  }
  return spec;
}

Napi::Value create_samples(const Napi::CallbackInfo& info) {
  const auto object = info[0].As<Napi::Object>();
  const Napi::Float32Array inputs = float_array(object.Get("inputs"), "The inputs");
  const std::int64_t features = integer(object, "features");
  if (features < 1 || static_cast<std::int64_t>(inputs.ElementLength()) % features != 0) {
    throw Napi::TypeError::New(info.Env(), "The inputs have " + std::to_string(inputs.ElementLength()) + " values, which is no multiple of " +
                                               std::to_string(features) + " features.");
  }
  LabelledSamples samples;
  samples.inputs.rows = static_cast<std::int64_t>(inputs.ElementLength()) / features;
  samples.inputs.cols = features;
  samples.inputs.data.assign(inputs.Data(), inputs.Data() + inputs.ElementLength());
  samples.labels = labels_of(object, "labels");
  auto* handle = new SampleHandle(std::make_shared<const LabelledSamples>(std::move(samples)));
  return Napi::External<SampleHandle>::New(info.Env(), handle, [](Napi::Env, SampleHandle* owned) { delete owned; });
}

Napi::Value create_training(const Napi::CallbackInfo& info) {
  auto session = unwrap(info.Env(), TrainingSession::create(to_spec(info[0].As<Napi::Object>())));
  auto held = std::make_shared<Held>();
  held->session = std::move(session);
  return Napi::External<HeldHandle>::New(info.Env(), new HeldHandle(std::move(held)), [](Napi::Env, HeldHandle* owned) { delete owned; });
}

/// Runs `work` off the main thread with the session marked busy.
template <class T>
Napi::Value start_on(const Napi::CallbackInfo& info, std::size_t options, std::function<Result<T>(TrainingSession&, const JobControl&)> work,
                     typename AsyncJob<T>::Convert convert) {
  const HeldHandle held = held_of(info[0]);
  idle(held, info.Env());
  held->busy = true;
  return AsyncJob<T>::start(
      info.Env(), info[options], {},
      [held, work](const JobControl& control) {
        struct Release {
          Held& of;
          ~Release() { of.busy = false; }
        } release{*held};
        return work(*held->session, control);
      },
      std::move(convert));
}

Napi::Value run_training(const Napi::CallbackInfo& info) {
  const std::int64_t until = info[1].ToNumber().Int64Value();
  return start_on<std::int64_t>(
      info, 2,
      [until](TrainingSession& session, const JobControl& control) -> Result<std::int64_t> {
        if (const Status ran = session.run(until, control); !ran.ok()) return ran.error();
        return session.step();
      },
      [](Napi::Env env, std::int64_t& step) -> Napi::Value { return Napi::Number::New(env, static_cast<double>(step)); });
}

Napi::Value evaluate_training(const Napi::CallbackInfo& info) {
  return start_on<Evaluation>(
      info, 1, [](TrainingSession& session, const JobControl& control) { return session.evaluate(control); },
      [](Napi::Env env, Evaluation& evaluation) -> Napi::Value {
        Napi::Object object = Napi::Object::New(env);
        object.Set("loss", evaluation.loss);
        object.Set("accuracy", evaluation.accuracy);
        return object;
      });
}

using Column = std::pair<const char*, double (*)(const Diagnosis&)>;
constexpr std::array<Column, 11> diagnosis_columns = {{{"step", [](const Diagnosis& d) { return static_cast<double>(d.step); }},
                                                      {"loss", [](const Diagnosis& d) { return d.loss; }},
                                                      {"actual", [](const Diagnosis& d) { return d.actual; }},
                                                      {"frozen", [](const Diagnosis& d) { return d.frozen; }},
                                                      {"predictedSparse", [](const Diagnosis& d) { return d.predicted_sparse; }},
                                                      {"predictedDense", [](const Diagnosis& d) { return d.predicted_dense; }},
                                                      {"flipRate", [](const Diagnosis& d) { return d.flip_rate; }},
                                                      {"samplerBias", [](const Diagnosis& d) { return d.sampler_bias; }},
                                                      {"samplerVariance", [](const Diagnosis& d) { return d.sampler_variance; }},
                                                      {"saturated", [](const Diagnosis& d) { return d.saturated; }},
                                                      {"underflowed", [](const Diagnosis& d) { return d.underflowed; }}}};
using LayerColumn = std::pair<const char*, double LayerRecord::*>;
constexpr std::array<LayerColumn, 4> layer_columns = {
    {{"scale", &LayerRecord::scale}, {"scaleNow", &LayerRecord::scale_now}, {"normShare", &LayerRecord::norm_share}, {"shortGroups", &LayerRecord::short_groups}}};

Napi::Object diagnoses_from(Napi::Env env, const std::vector<Diagnosis>& all, std::size_t first) {
  Napi::Object object = Napi::Object::New(env);
  std::vector<double> column;
  for (const auto& [name, read] : diagnosis_columns) {
    column.clear();
    for (std::size_t i = first; i < all.size(); ++i) column.push_back(read(all[i]));
    object.Set(name, typed_array(env, column));
  }
  // Layer figures: one row a diagnosis, one column a prunable layer.
  for (const auto& [name, field] : layer_columns) {
    column.clear();
    for (std::size_t i = first; i < all.size(); ++i) {
      for (const LayerRecord& layer : all[i].layers) column.push_back(layer.*field);
    }
    object.Set(name, typed_array(env, column));
  }
  return object;
}

Napi::Value training_history(const Napi::CallbackInfo& info) {
  const HeldHandle held = held_of(info[0]);
  const History& history = idle(held, info.Env()).history();
  const auto first_loss = std::min<std::size_t>(history.losses.size(), static_cast<std::size_t>(std::max<std::int64_t>(0, info[1].ToNumber().Int64Value())));
  const auto first_diagnosis =
      std::min<std::size_t>(history.diagnoses.size(), static_cast<std::size_t>(std::max<std::int64_t>(0, info[2].ToNumber().Int64Value())));
  Napi::Object object = Napi::Object::New(info.Env());
  object.Set("step", Napi::Number::New(info.Env(), static_cast<double>(held->session->step())));
  object.Set("losses", typed_array(info.Env(), std::vector<double>(history.losses.begin() + static_cast<std::ptrdiff_t>(first_loss), history.losses.end())));
  object.Set("diagnoses", diagnoses_from(info.Env(), history.diagnoses, first_diagnosis));
  object.Set("seconds", history.seconds);
  object.Set("diagnosticSeconds", history.diagnostic_seconds);
  return object;
}

Napi::Value training_parameters(const Napi::CallbackInfo& info) {
  Napi::Array array = Napi::Array::New(info.Env());
  std::uint32_t at = 0;
  for (const ParameterInfo& parameter : idle(held_of(info[0]), info.Env()).parameters()) {
    Napi::Object object = Napi::Object::New(info.Env());
    object.Set("name", parameter.name);
    object.Set("rows", Napi::Number::New(info.Env(), static_cast<double>(parameter.rows)));
    object.Set("cols", Napi::Number::New(info.Env(), static_cast<double>(parameter.cols)));
    object.Set("prunable", parameter.prunable < 0 ? info.Env().Null() : Napi::Number::New(info.Env(), static_cast<double>(parameter.prunable)).As<Napi::Value>());
    array.Set(at++, object);
  }
  return array;
}

std::size_t index_of(const Napi::Value& value) { return static_cast<std::size_t>(value.ToNumber().Int64Value()); }

Napi::Value training_values(const Napi::CallbackInfo& info) {
  return typed_array(info.Env(), unwrap(info.Env(), idle(held_of(info[0]), info.Env()).values(index_of(info[1]))));
}
Napi::Value training_effective(const Napi::CallbackInfo& info) {
  return typed_array(info.Env(), unwrap(info.Env(), idle(held_of(info[0]), info.Env()).effective(index_of(info[1]))));
}
Napi::Value training_mask(const Napi::CallbackInfo& info) {
  return typed_array(info.Env(), unwrap(info.Env(), idle(held_of(info[0]), info.Env()).mask(index_of(info[1]))));
}

std::vector<std::uint8_t> bytes_of(const Napi::Value& value, const char* what) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    throw Napi::TypeError::New(value.Env(), std::string(what) + " must be a Uint8Array.");
  }
  const auto array = value.As<Napi::Uint8Array>();
  return {array.Data(), array.Data() + array.ElementLength()};
}

Napi::Value set_training_values(const Napi::CallbackInfo& info) {
  const Napi::Float32Array values = float_array(info[2], "The weights");
  unwrap(info.Env(), idle(held_of(info[0]), info.Env()).set_values(index_of(info[1]), {values.Data(), values.Data() + values.ElementLength()}));
  return info.Env().Undefined();
}
Napi::Value set_training_mask(const Napi::CallbackInfo& info) {
  unwrap(info.Env(), idle(held_of(info[0]), info.Env()).set_mask(index_of(info[1]), bytes_of(info[2], "The mask")));
  return info.Env().Undefined();
}
Napi::Value save_training(const Napi::CallbackInfo& info) { return typed_array(info.Env(), idle(held_of(info[0]), info.Env()).save()); }
Napi::Value restore_training(const Napi::CallbackInfo& info) {
  unwrap(info.Env(), idle(held_of(info[0]), info.Env()).restore(bytes_of(info[1], "The checkpoint")));
  return info.Env().Undefined();
}

Napi::Value training_step_cost(const Napi::CallbackInfo& info) {
  const auto object = info[0].As<Napi::Object>();
  StepCostSpec spec;
  spec.rows = integer(object, "rows");
  spec.cols = integer(object, "cols");
  spec.tokens = integer(object, "tokens");
  spec.repeats = static_cast<int>(integer(object, "repeats"));
  spec.method = to_method(object_of(object, "method"));
  spec.compute = to_compute(object);
  return AsyncJob<StepCost>::start(
      info.Env(), info[1], {}, [spec](const JobControl& control) { return measure_step_cost(spec, control); },
      [](Napi::Env env, StepCost& cost) -> Napi::Value {
        Napi::Object result = Napi::Object::New(env);
        result.Set("project", typed_array(env, cost.project));
        result.Set("compress", typed_array(env, cost.compress));
        result.Set("products", typed_array(env, cost.products));
        result.Set("update", typed_array(env, cost.update));
        return result;
      });
}

Napi::Value training_engine(const Napi::CallbackInfo& info) {
  Napi::Object object = Napi::Object::New(info.Env());
  object.Set("kernel", tiled_kernel_name());
  object.Set("openBlas", open_blas_present());
  return object;
}

}  // namespace

void register_training(Napi::Env env, Napi::Object exports) {
  const std::pair<const char*, Napi::Value (*)(const Napi::CallbackInfo&)> functions[] = {
      {"createSamples", create_samples},         {"createTraining", create_training},       {"runTraining", run_training},
      {"evaluateTraining", evaluate_training},   {"trainingHistory", training_history},     {"trainingParameters", training_parameters},
      {"trainingValues", training_values},       {"trainingEffective", training_effective}, {"trainingMask", training_mask},
      {"setTrainingValues", set_training_values}, {"setTrainingMask", set_training_mask},   {"saveTraining", save_training},
      {"restoreTraining", restore_training},     {"trainingStepCost", training_step_cost},  {"trainingEngine", training_engine}};
  for (const auto& [name, function] : functions) exports.Set(name, Napi::Function::New(env, function, name));
}

}  // namespace hinm::binding
