// The GPUs of this machine as a person asks for them: every field a value or a reason.
#pragma once

#include <string>
#include <vector>

#include "device/cuda/driver.h"
#include "device/cuda/fact.h"

namespace hinm::cuda {

struct DeviceInfo {
  int ordinal = 0;
  Facts facts;
  bool usable = false;
  std::string reason;  ///< why it is not usable, one sentence
};

struct DeviceList {
  std::vector<DeviceInfo> devices;
  Fact driver;         ///< CUDA version of the driver, or why there is none
};

/// What a device can do, for planning launches.
struct DeviceLimits {
  int capability = 0;          ///< 10·major + minor
  int multiprocessors = 0;
  int shared_per_block = 0;    ///< bytes, opted in
  int l2_bytes = 0;
  std::size_t memory_bytes = 0;
};

/// Never fails: a machine without a driver has an empty list and the reason.
DeviceList list_devices(const std::string& driver_library = {}, const std::string& management_library = {});

Result<DeviceLimits> device_limits(const Driver& driver, int ordinal);

/// "GPU-…" as NVML and nvidia-smi write it.
Result<std::string> device_uuid(const Driver& driver, int ordinal);

/// Why the kernels of this build cannot run on a device of this capability; empty when they can.
std::string why_unusable(const DeviceLimits& limits);

}  // namespace hinm::cuda
