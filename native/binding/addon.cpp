// The module's entry: each room registers its own functions.
#include <napi.h>

#include "base/build_info.h"
#include "base/parallel.h"
#include "binding/rooms.h"

namespace hinm::binding {
namespace {

Napi::Value build_info_to_js(const Napi::CallbackInfo& info) {
  const BuildInfo build = build_info();
  Napi::Object object = Napi::Object::New(info.Env());
  object.Set("type", build.type);
  object.Set("compiler", build.compiler);
  object.Set("flags", build.flags);
  object.Set("cuda", build.cuda);
  object.Set("threads", hardware_threads());
  return object;
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  exports.Set("buildInfo", Napi::Function::New(env, build_info_to_js, "buildInfo"));
  register_sparsity(env, exports);
  register_permutation(env, exports);
  register_kernels(env, exports);
  register_measuring(env, exports);
  register_training(env, exports);
  register_device(env, exports);
  return exports;
}

}  // namespace
}  // namespace hinm::binding

static Napi::Object init_module(Napi::Env env, Napi::Object exports) { return hinm::binding::init(env, exports); }
NODE_API_MODULE(hinm, init_module)
