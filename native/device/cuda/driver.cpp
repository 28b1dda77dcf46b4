#include "device/cuda/driver.h"

#include <cstdlib>

namespace hinm::cuda {
namespace {

/// CUDA 12.0: the oldest driver that has every function of driver_api.h.
constexpr int kOldestVersion = 12000;

Error unavailable(std::string sentence) { return {"DEVICE_UNAVAILABLE", std::move(sentence)}; }

std::vector<std::string> library_names(const std::string& asked) {
  if (!asked.empty()) return {asked};
  if (const char* environment = std::getenv("HINM_CUDA_DRIVER"); environment && *environment) return {environment};
#if defined(_WIN32)
  return {"nvcuda.dll"};
#else
  return {"libcuda.so.1", "libcuda.so"};
#endif
}

/// Fills the table; answers with the first symbol that is missing.
const char* resolve(const device::SharedLibrary& library, DriverApi& api) {
#define HINM_RESOLVE(field, symbol_name, parameters)                                    \
  api.field = reinterpret_cast<decltype(api.field)>(library.symbol(#symbol_name));      \
  if (!api.field) return #symbol_name;
  HINM_DRIVER_FUNCTIONS(HINM_RESOLVE)
#undef HINM_RESOLVE
  return nullptr;
}

}  // namespace

Status Driver::check(DriverStatus status, const std::string& doing) const {
  if (status == kDriverSuccess) return success();
  const char* text = nullptr;
  if (api_.error_text(status, &text) != kDriverSuccess || !text) text = "no explanation";
  const std::string words = std::string(text) + " (CUDA error " + std::to_string(status) + ")";
  if (status == kDriverOutOfMemory) return Error{"OUT_OF_MEMORY", "The GPU has not enough free memory for " + doing + ": " + words + "; close other programs or choose a smaller layer."};
  return Error{"DEVICE_FAILED", "The GPU failed at " + doing + ": " + words + "."};
}

Result<std::shared_ptr<const Driver>> Driver::open(const std::string& asked) {
  Result<device::SharedLibrary> library = device::SharedLibrary::open(library_names(asked));
  if (!library.ok()) return unavailable("No NVIDIA driver was found on this machine: " + library.error().message + "; install one to measure on a GPU.");
  std::shared_ptr<Driver> driver(new Driver(library.value()));
  if (const char* missing = resolve(library.value(), driver->api_)) {
    return unavailable("The NVIDIA driver is too old: it has no " + std::string(missing) + "; install a driver for CUDA 12 or later.");
  }
  // The version can be asked before cuInit, and says more than the error that cuInit of an old driver gives.
  if (driver->api_.driver_version(&driver->version_) != kDriverSuccess || driver->version_ < kOldestVersion) {
    return unavailable("The NVIDIA driver is too old: it supports CUDA " + driver->version_text() + "; install a driver for CUDA 12 or later.");
  }
  const DriverStatus started = driver->api_.init(0);
  if (started == kDriverNoDevice) return unavailable("The NVIDIA driver found no GPU on this machine.");
  if (Status status = driver->check(started, "starting the driver"); !status.ok()) return unavailable(status.error().message);
  if (Status status = driver->check(driver->api_.device_count(&driver->device_count_), "counting the GPUs"); !status.ok()) return unavailable(status.error().message);
  if (driver->device_count_ == 0) return unavailable("The NVIDIA driver found no GPU on this machine.");
  return std::shared_ptr<const Driver>(std::move(driver));
}

}  // namespace hinm::cuda
