// NVML, NVIDIA's management library: clocks, power, heat. Opened at run time; each field stands on its own.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "device/cuda/fact.h"
#include "device/shared_library.h"

namespace hinm::cuda {

/// A look at a device while it works. A field that cannot be read says why.
struct DeviceMoment {
  Fact sm_clock;         ///< MHz
  Fact memory_clock;     ///< MHz
  Fact temperature;      ///< °C
  Fact power;            ///< W
  Fact energy;           ///< J since the driver was loaded
  Fact throttle_reasons; ///< words, "none" when there are none
};

class ManagementLibrary {
 public:
  /// `library` empty takes HINM_NVML, or the system's own.
  static Result<std::shared_ptr<const ManagementLibrary>> open(const std::string& library = {});

  /// What does not change while the program runs, for the device with this UUID ("GPU-…").
  Facts facts(const std::string& uuid) const;
  DeviceMoment moment(const std::string& uuid) const;

 private:
  using Handle = struct NvmlDeviceTag*;

  explicit ManagementLibrary(device::SharedLibrary library) : library_(std::move(library)) {}
  Fact number(const std::string& uuid, const char* function, double scale) const;
  Fact clock(const std::string& uuid, const char* function, unsigned domain) const;
  Fact temperature(const std::string& uuid) const;
  Fact energy(const std::string& uuid) const;
  Fact throttle(const std::string& uuid) const;
  Fact mode(const std::string& uuid, const char* function) const;
  Fact pair_mode(const std::string& uuid, const char* function) const;
  Fact driver_version() const;
  /// Calls `call` with the device's handle; a failure becomes a fact that says why.
  template <class Call>
  Fact read(const std::string& uuid, const char* function, Call call) const;
  std::string words(int status) const;

  device::SharedLibrary library_;
};

}  // namespace hinm::cuda
