// Plain data of the sparsity and permutation rooms to and from JavaScript.
#pragma once

#include <napi.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "base/matrix.h"
#include "base/result.h"
#include "sparsity/mask.h"
#include "sparsity/order.h"
#include "sparsity/pattern.h"

namespace hinm::binding {

template <class T>
Napi::TypedArrayOf<T> typed_array(Napi::Env env, const std::vector<T>& values) {
  Napi::TypedArrayOf<T> array = Napi::TypedArrayOf<T>::New(env, values.size());
  if (!values.empty()) std::memcpy(array.Data(), values.data(), values.size() * sizeof(T));
  return array;
}

inline std::int64_t integer(const Napi::Object& object, const char* key) {
  return object.Get(key).ToNumber().Int64Value();
}
inline double number(const Napi::Object& object, const char* key) { return object.Get(key).ToNumber().DoubleValue(); }
inline std::string string(const Napi::Object& object, const char* key) {
  const Napi::Value value = object.Get(key);
  return value.IsString() ? value.As<Napi::String>().Utf8Value() : std::string();
}

/// A Float32Array argument; throws a TypeError for anything else.
inline Napi::Float32Array float_array(const Napi::Value& value, const char* what) {
  if (value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == napi_float32_array)
    return value.As<Napi::Float32Array>();
  throw Napi::TypeError::New(value.Env(), std::string(what) + " must be a Float32Array.");
}

/// { data, rows, cols }; the memory stays JavaScript's, so the caller keeps the array alive.
inline MatrixView<const float> matrix_view(const Napi::Object& object, const char* what) {
  const Napi::Float32Array data = float_array(object.Get("data"), what);
  const std::int64_t rows = integer(object, "rows"), cols = integer(object, "cols");
  if (rows < 1 || cols < 1 || static_cast<std::int64_t>(data.ElementLength()) != rows * cols) {
    throw Napi::TypeError::New(object.Env(), std::string(what) + " has " + std::to_string(data.ElementLength()) +
                                                 " values, but " + std::to_string(rows) + " x " + std::to_string(cols) +
                                                 " were announced.");
  }
  return contiguous<const float>(data.Data(), rows, cols);
}

inline Pattern to_pattern(const Napi::Object& object) {
  const std::string name = string(object, "kind");
  const auto kind = pattern_kind(name);
  if (!kind) throw Napi::TypeError::New(object.Env(), "The pattern kind \"" + name + "\" is not known.");
  Pattern pattern;
  pattern.kind = *kind;
  pattern.vector = integer(object, "vector");
  pattern.vector_sparsity = number(object, "vectorSparsity");
  pattern.n = integer(object, "n");
  pattern.m = integer(object, "m");
  pattern.block = integer(object, "block");
  pattern.sparsity = number(object, "sparsity");
  return pattern;
}

inline Napi::Object from_pattern(Napi::Env env, const Pattern& pattern) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("kind", std::string(pattern_name(pattern.kind)));
  object.Set("vector", Napi::Number::New(env, static_cast<double>(pattern.vector)));
  object.Set("vectorSparsity", pattern.vector_sparsity);
  object.Set("n", Napi::Number::New(env, static_cast<double>(pattern.n)));
  object.Set("m", Napi::Number::New(env, static_cast<double>(pattern.m)));
  object.Set("block", Napi::Number::New(env, static_cast<double>(pattern.block)));
  object.Set("sparsity", pattern.sparsity);
  return object;
}

inline std::vector<std::uint32_t> index_list(const Napi::Object& object, const char* key) {
  const Napi::Value value = object.Get(key);
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint32_array) {
    throw Napi::TypeError::New(object.Env(), std::string("The order's ") + key + " must be a Uint32Array.");
  }
  const auto array = value.As<Napi::Uint32Array>();
  return {array.Data(), array.Data() + array.ElementLength()};
}

/// What a mask or a product needs of an order; its history stays behind.
inline Order to_order(const Napi::Object& object) {
  Order order;
  order.rows = integer(object, "rows");
  order.cols = integer(object, "cols");
  order.strategy = string(object, "strategy");
  order.tile_rows = integer(object, "vector");
  order.kept_columns = integer(object, "keptColumns");
  order.dense_columns = integer(object, "denseColumns");
  order.output_order = index_list(object, "outputOrder");
  order.columns = index_list(object, "columns");
  return order;
}

inline Napi::Object from_order(Napi::Env env, const Order& order) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("rows", Napi::Number::New(env, static_cast<double>(order.rows)));
  object.Set("cols", Napi::Number::New(env, static_cast<double>(order.cols)));
  object.Set("strategy", order.strategy);
  object.Set("reason", order.reason.empty() ? env.Null() : Napi::String::New(env, order.reason).As<Napi::Value>());
  object.Set("outputOrder", typed_array(env, order.output_order));
  object.Set("vector", Napi::Number::New(env, static_cast<double>(order.tile_rows)));
  object.Set("keptColumns", Napi::Number::New(env, static_cast<double>(order.kept_columns)));
  object.Set("denseColumns", Napi::Number::New(env, static_cast<double>(order.dense_columns)));
  object.Set("columns", typed_array(env, order.columns));
  object.Set("evaluations", Napi::Number::New(env, static_cast<double>(order.evaluations)));
  object.Set("seconds", order.seconds);
  Napi::Object trace = Napi::Object::New(env);
  trace.Set("evaluations", typed_array(env, order.trace.evaluations));
  trace.Set("kept", typed_array(env, order.trace.kept));
  trace.Set("seconds", typed_array(env, order.trace.seconds));
  object.Set("trace", trace);
  return object;
}

inline Mask to_mask(const Napi::Object& object) {
  Mask mask(integer(object, "rows"), integer(object, "cols"));
  const Napi::Value bits = object.Get("bits");
  if (!bits.IsTypedArray() || bits.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array ||
      bits.As<Napi::Uint8Array>().ElementLength() != mask.bits.size()) {
    throw Napi::TypeError::New(
        object.Env(), "The mask's bits must be a Uint8Array of " + std::to_string(mask.bits.size()) + " bytes.");
  }
  const auto array = bits.As<Napi::Uint8Array>();
  std::copy(array.Data(), array.Data() + array.ElementLength(), mask.bits.begin());
  return mask;
}

inline Napi::Object from_mask(Napi::Env env, const Mask& mask) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("rows", Napi::Number::New(env, static_cast<double>(mask.rows)));
  object.Set("cols", Napi::Number::New(env, static_cast<double>(mask.cols)));
  object.Set("bits", typed_array(env, mask.bits));
  object.Set("kept", Napi::Number::New(env, static_cast<double>(mask.count())));
  return object;
}

}  // namespace hinm::binding
