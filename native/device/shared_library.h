// A library that is opened at run time, where it is present.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hinm::device {

/// An open library; it stays open until the process ends, because its threads may outlive any owner.
class SharedLibrary {
 public:
  /// Opens the first of `names` that is there. The error's sentence names what was tried and the loader's reason.
  static Result<SharedLibrary> open(const std::vector<std::string>& names);

  const std::string& name() const { return name_; }
  /// Address of a symbol in the library or in what it depends on, or null.
  void* symbol(const char* name) const;
  template <class Function>
  Function* function(const char* symbol_name) const {
    return reinterpret_cast<Function*>(symbol(symbol_name));
  }

 private:
  SharedLibrary(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}
  void* handle_;
  std::string name_;
};

}  // namespace hinm::device
