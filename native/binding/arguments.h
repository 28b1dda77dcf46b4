// Checked arguments of the kernel room's bindings.
#pragma once

#include <napi.h>

#include <cstdint>
#include <string>

#include "base/matrix.h"
#include "binding/async_job.h"

namespace hinm::binding {

[[noreturn]] inline void refuse(Napi::Env env, const std::string& sentence) { throw to_js_error(env, invalid_argument(sentence)); }

template <class Array>
Array typed_array_argument(Napi::Env env, const Napi::Value& value, napi_typedarray_type type, const std::string& name) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type)
    refuse(env, "\"" + name + "\" has the wrong type; pass the typed array that the TypeScript face declares.");
  return value.As<Array>();
}

inline std::int64_t integer_argument(Napi::Env env, const Napi::Value& value, const std::string& name, std::int64_t least) {
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(number >= static_cast<double>(least)) || number > 9007199254740991.0 || number != static_cast<double>(static_cast<std::int64_t>(number)))
    refuse(env, "\"" + name + "\" must be a whole number of at least " + std::to_string(least) + ".");
  return static_cast<std::int64_t>(number);
}

inline MatrixView<const float> matrix_argument(Napi::Env env, const Napi::Float32Array& data, std::int64_t rows, std::int64_t cols, const std::string& name) {
  if (static_cast<double>(data.ElementLength()) != static_cast<double>(rows) * static_cast<double>(cols))
    refuse(env, "\"" + name + "\" holds " + std::to_string(data.ElementLength()) + " values, but " + std::to_string(rows) + " × " + std::to_string(cols) +
                    " are needed.");
  return contiguous<const float>(data.Data(), rows, cols);
}

}  // namespace hinm::binding
