// The GPUs of this machine, for JavaScript.
#include <napi.h>

#include "binding/async_job.h"
#include "binding/rooms.h"
#include "device/cuda/device_list.h"

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

}  // namespace

void register_device(Napi::Env env, Napi::Object exports) { exports.Set("devices", Napi::Function::New(env, devices, "devices")); }

}  // namespace hinm::binding
