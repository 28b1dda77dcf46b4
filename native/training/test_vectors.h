// Expected values that were made outside this project, read from ../shared/vectors. Only tests include this.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/matrix.h"
#include "training/methods/magnitude_mask.h"

namespace hinm::training::vectors {

using nlohmann::json;

inline std::string folder() {
  const char* set = std::getenv("HINM_SHARED");
  const std::string shared = set != nullptr ? set : std::strlen(HINM_SHARED) > 0 ? HINM_SHARED : "../shared";
  return shared + "/vectors/";
}

/// For `doctest::skip`: a run without the folder counts these tests as skipped.
inline bool absent() { return !std::ifstream(folder() + "hard_mask_24.json"); }

inline json open(const char* name) {
  std::ifstream file(folder() + name);
  REQUIRE(file);
  return json::parse(file);
}

inline double number(const json& value) {
  if (value.is_number()) return value.get<double>();
  const std::string text = value.get<std::string>();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  REQUIRE(text == "-0.0");
  return -0.0;
}

inline std::vector<double> numbers(const json& list) {
  std::vector<double> values;
  for (const json& entry : list) {
    if (entry.is_array()) {
      const auto inner = numbers(entry);
      values.insert(values.end(), inner.begin(), inner.end());
    } else {
      values.push_back(number(entry));
    }
  }
  return values;
}

inline Mask bits(const json& list) {
  Mask mask;
  for (const double value : numbers(list)) mask.push_back(static_cast<std::uint8_t>(value));
  return mask;
}

inline Mask bits(const std::string& text) {
  Mask mask;
  for (const char c : text) mask.push_back(c == '1');
  return mask;
}

inline MatrixView<const double> row_view(const std::vector<double>& values) {
  return {values.data(), 1, static_cast<std::int64_t>(values.size()), static_cast<std::int64_t>(values.size())};
}

inline bool close(double actual, double expected, double tolerance = 1e-12) {
  if (std::isnan(expected)) return std::isnan(actual);
  if (actual == expected) return true;
  return std::abs(actual - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

inline void check_all(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance = 1e-12) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    CAPTURE(i);
    CAPTURE(actual[i]);
    CAPTURE(expected[i]);
    CHECK(close(actual[i], expected[i], tolerance));
  }
}

}  // namespace hinm::training::vectors
