#include "device/shared_library.h"

#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace hinm::device {
namespace {

#if defined(_WIN32)
void* open_one(const std::string& name) { return reinterpret_cast<void*>(LoadLibraryExA(name.c_str(), nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS)); }
std::string last_reason() { return "Windows error " + std::to_string(GetLastError()); }
#else
void* open_one(const std::string& name) { return dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); }
std::string last_reason() {
  const char* reason = dlerror();
  return reason == nullptr ? "no reason given" : reason;
}
#endif

}  // namespace

Result<SharedLibrary> SharedLibrary::open(const std::vector<std::string>& names) {
  std::string reason;
  for (const std::string& name : names) {
    if (void* handle = open_one(name)) return SharedLibrary(handle, name);
    if (reason.empty()) reason = last_reason();
  }
  return Error{"LIBRARY_NOT_FOUND", "not installed (" + reason + ")"};
}

void* SharedLibrary::symbol(const char* name) const {
#if defined(_WIN32)
  return reinterpret_cast<void*>(GetProcAddress(reinterpret_cast<HMODULE>(handle_), name));
#else
  return dlsym(handle_, name);
#endif
}

}  // namespace hinm::device
