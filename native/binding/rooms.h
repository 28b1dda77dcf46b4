// One registration function a room; addon.cpp calls them.
#pragma once

#include <napi.h>

namespace hinm::binding {

void register_sparsity(Napi::Env env, Napi::Object exports);
void register_permutation(Napi::Env env, Napi::Object exports);
void register_kernels(Napi::Env env, Napi::Object exports);
void register_measuring(Napi::Env env, Napi::Object exports);
void register_training(Napi::Env env, Napi::Object exports);
void register_device(Napi::Env env, Napi::Object exports);

}  // namespace hinm::binding
