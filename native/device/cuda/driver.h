// The CUDA driver of this machine, if there is one that will do.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "device/cuda/driver_api.h"
#include "device/shared_library.h"

namespace hinm::cuda {

class Driver {
 public:
  /// Opens and initialises the driver. `library` empty takes the environment variable HINM_CUDA_DRIVER, or the
  /// system's own. Fails with DEVICE_UNAVAILABLE and a sentence: no driver, too old, no device, or what cuInit said.
  static Result<std::shared_ptr<const Driver>> open(const std::string& library = {});

  const DriverApi& api() const { return api_; }
  /// CUDA version that the driver supports, e.g. 13000.
  int version() const { return version_; }
  std::string version_text() const { return std::to_string(version_ / 1000) + "." + std::to_string(version_ % 1000 / 10); }
  int device_count() const { return device_count_; }
  const std::string& library_name() const { return library_name_; }

  /// Success, or DEVICE_FAILED with `doing` and the driver's words; OUT_OF_MEMORY where that is what it was.
  Status check(DriverStatus status, const std::string& doing) const;

 private:
  explicit Driver(const device::SharedLibrary& library) : library_name_(library.name()) {}

  DriverApi api_;
  std::string library_name_;
  int version_ = 0;
  int device_count_ = 0;
};

}  // namespace hinm::cuda
