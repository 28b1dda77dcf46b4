// A fact about the machine: its value, or one phrase that says why it is not known. Never 0 for unknown.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hinm::cuda {

struct Fact {
  std::variant<std::monostate, bool, double, std::string> value;
  std::string reason;

  static Fact known(bool value) { return {value, {}}; }
  static Fact known(double value) { return {value, {}}; }
  static Fact known(std::string value) { return {std::move(value), {}}; }
  static Fact unknown(std::string reason) { return {std::monostate{}, std::move(reason)}; }
  bool is_known() const { return value.index() != 0; }
};

using Facts = std::vector<std::pair<std::string, Fact>>;

}  // namespace hinm::cuda
