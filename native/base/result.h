// Result<T>: how every fallible function of the native side answers. Nothing in here throws, prints or exits.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace hinm {

/// One failure: a stable code for programs and one full sentence for people.
/// The sentence says what was wrong, which value, what is allowed and what to do.
struct Error {
  std::string code;
  std::string message;
};

/// Value or Error. Ask ok() first; value() of a failed result is a programming error.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// Result of a function that only succeeds or fails.
using Status = Result<std::monostate>;
inline Status success() { return std::monostate{}; }

inline Error invalid_argument(std::string message) { return {"INVALID_ARGUMENT", std::move(message)}; }
inline Error not_finite(std::string message) { return {"NOT_FINITE", std::move(message)}; }
inline Error cancelled() { return {"CANCELLED", "The operation was cancelled."}; }

}  // namespace hinm
