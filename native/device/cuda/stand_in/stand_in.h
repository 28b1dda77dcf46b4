// What the parts of the stand-in share.
#pragma once

#include <functional>
#include <string>

#include "device/cuda/driver_api.h"

#if defined(_WIN32)
#define STAND_IN extern "C" __declspec(dllexport)
#else
#define STAND_IN extern "C" __attribute__((visibility("default")))
#endif

namespace hinm::stand_in {

using Work = std::function<cuda::DriverStatus()>;

/// The value of HINM_STAND_IN_FAULT, or empty.
std::string fault();

/// Does the work now, or records it while the stream is being captured.
cuda::DriverStatus enqueue(cuda::StreamHandle stream, Work work);

}  // namespace hinm::stand_in
