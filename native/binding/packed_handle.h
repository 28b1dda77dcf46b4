// The packed matrix behind a JavaScript handle, for the rooms that multiply it on other devices.
#pragma once

#include <napi.h>

#include <memory>

#include "kernels/format/packed_matrix.h"

namespace hinm::binding {

/// Throws a JavaScript error for anything that `pack` of this process has not made.
std::shared_ptr<const kernels::PackedMatrix> packed_matrix_of(Napi::Env env, const Napi::Value& value);

}  // namespace hinm::binding
