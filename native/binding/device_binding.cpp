// The GPUs of this machine, for JavaScript.
#include <napi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "binding/arguments.h"
#include "binding/async_job.h"
#include "binding/packed_handle.h"
#include "binding/rooms.h"
#include "device/cuda/device_list.h"
#include "kernels/cuda/gpu/tuned_product.h"
#include "kernels/cuda/tiles_of_packed.h"

namespace hinm::binding {
namespace {

Napi::Object fact_to_js(Napi::Env env, const cuda::Fact& fact) {
  Napi::Object object = Napi::Object::New(env);
  if (const bool* flag = std::get_if<bool>(&fact.value)) {
    object.Set("value", Napi::Boolean::New(env, *flag));
  } else if (const double* number = std::get_if<double>(&fact.value)) {
    object.Set("value", Napi::Number::New(env, *number));
  } else if (const std::string* text = std::get_if<std::string>(&fact.value)) {
    object.Set("value", Napi::String::New(env, *text));
  } else {
    object.Set("value", env.Null());
    object.Set("reason", fact.reason);
  }
  return object;
}

Napi::Value list_to_js(Napi::Env env, const cuda::DeviceList& list) {
  Napi::Array devices = Napi::Array::New(env, list.devices.size());
  for (std::size_t i = 0; i < list.devices.size(); ++i) {
    const cuda::DeviceInfo& device = list.devices[i];
    Napi::Object facts = Napi::Object::New(env);
    for (const auto& [name, fact] : device.facts) facts.Set(name, fact_to_js(env, fact));
    Napi::Object object = Napi::Object::New(env);
    object.Set("ordinal", device.ordinal);
    object.Set("usable", device.usable);
    object.Set("reason", device.usable ? env.Null() : Napi::Value(Napi::String::New(env, device.reason)));
    object.Set("facts", facts);
    devices.Set(static_cast<std::uint32_t>(i), object);
  }
  Napi::Object result = Napi::Object::New(env);
  result.Set("driver", fact_to_js(env, list.driver));
  result.Set("devices", devices);
  return result;
}

// Starting a driver takes up to seconds, so the list is made on a worker thread.
Napi::Value devices(const Napi::CallbackInfo& info) {
  return AsyncJob<cuda::DeviceList>::start(
      info.Env(), info[0], {}, [](const JobControl&) -> Result<cuda::DeviceList> { return cuda::list_devices(); },
      [](Napi::Env env, cuda::DeviceList& list) { return list_to_js(env, list); });
}

Napi::Object times_to_js(Napi::Env env, const cuda::CompetitorTimes& times) {
  Napi::Float64Array samples = Napi::Float64Array::New(env, times.samples.size());
  std::copy(times.samples.begin(), times.samples.end(), samples.Data());
  Napi::Object object = Napi::Object::New(env);
  object.Set("name", times.name);
  object.Set("samples", samples);
  object.Set("callsPerSample", times.calls_per_sample);
  object.Set("failure", times.failure.empty() ? env.Null() : Napi::Value(Napi::String::New(env, times.failure)));
  return object;
}

Napi::Value moment_to_js(Napi::Env env, const cuda::DeviceMoment& moment) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("smClockMhz", fact_to_js(env, moment.sm_clock));
  object.Set("memoryClockMhz", fact_to_js(env, moment.memory_clock));
  object.Set("temperatureC", fact_to_js(env, moment.temperature));
  object.Set("powerWatts", fact_to_js(env, moment.power));
  object.Set("energyJoules", fact_to_js(env, moment.energy));
  object.Set("throttle", fact_to_js(env, moment.throttle_reasons));
  return object;
}

Napi::Value measurement_to_js(Napi::Env env, const cuda::GpuMeasurement& measured) {
  Napi::Array dense = Napi::Array::New(env), absent = Napi::Array::New(env);
  for (const cuda::CompetitorTimes& times : measured.dense) dense.Set(dense.Length(), times_to_js(env, times));
  for (const cuda::AbsentBaseline& baseline : measured.absent) {
    Napi::Object entry = Napi::Object::New(env);
    entry.Set("name", baseline.name);
    entry.Set("reason", baseline.reason);
    absent.Set(absent.Length(), entry);
  }
  Napi::Object object = Napi::Object::New(env);
  object.Set("kernel", measured.kernel);
  object.Set("weightBytes", static_cast<double>(measured.weight_bytes));
  object.Set("relativeError", measured.error);
  object.Set("tolerance", measured.tolerance);
  object.Set("passed", measured.passed);
  object.Set("tuningSeconds", measured.tuning_seconds);
  object.Set("sparse", times_to_js(env, measured.sparse));
  object.Set("dense", dense);
  object.Set("absent", absent);
  object.Set("stopped", measured.stopped);
  object.Set("before", measured.has_moments ? moment_to_js(env, measured.before) : env.Null());
  object.Set("after", measured.has_moments ? moment_to_js(env, measured.after) : env.Null());
  return object;
}

/// Opens the device for this one measurement: after a fault of a kernel an open one could not be used again.
Result<cuda::GpuMeasurement> measure(int ordinal, const kernels::PackedMatrix& packed, const std::vector<float>& weights, const cuda::GpuMeasurementRequest& request,
                                     const JobControl& control) {
  Result<cuda::SparseTiles> tiles = cuda::tiles_of(packed);
  if (!tiles.ok()) return tiles.error();
  Result<std::unique_ptr<cuda::Gpu>> gpu = cuda::Gpu::open(ordinal);
  if (!gpu.ok()) return gpu.error();
  const Result<std::shared_ptr<const cuda::ManagementLibrary>> management = cuda::ManagementLibrary::open();
  return cuda::measure_product(*gpu.value(), tiles.value(), weights, request, management.ok() ? management.value().get() : nullptr, control);
}

Napi::Value time_gpu_product(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto asked = info[0].As<Napi::Object>();
  const std::shared_ptr<const kernels::PackedMatrix> packed = packed_matrix_of(env, asked.Get("packed"));
  const auto data = typed_array_argument<Napi::Float32Array>(env, asked.Get("weights"), napi_float32_array, "weights");
  const auto weights = matrix_argument(env, data, packed->rows, packed->cols, "weights");
  cuda::GpuMeasurementRequest request;
  request.n = static_cast<std::int32_t>(integer_argument(env, asked.Get("columns"), "columns", 1));
  request.seed = static_cast<std::uint64_t>(integer_argument(env, asked.Get("seed"), "seed", 0));
  request.type = asked.Get("type").ToString().Utf8Value() == "f16" ? cuda::ValueType::f16 : cuda::ValueType::bf16;
  request.limits.seconds = asked.Get("limitSeconds").ToNumber().DoubleValue();
  const int ordinal = static_cast<int>(integer_argument(env, asked.Get("device"), "device", 0));
  return AsyncJob<cuda::GpuMeasurement>::start(
      env, info[1], {data},
      [=](const JobControl& control) { return measure(ordinal, *packed, {weights.data, weights.data + weights.size()}, request, control); },
      [](Napi::Env to, cuda::GpuMeasurement& measured) { return measurement_to_js(to, measured); });
}

}  // namespace

void register_device(Napi::Env env, Napi::Object exports) {
  exports.Set("devices", Napi::Function::New(env, devices, "devices"));
  exports.Set("timeGpuProduct", Napi::Function::New(env, time_gpu_product, "timeGpuProduct"));
}

}  // namespace hinm::binding
