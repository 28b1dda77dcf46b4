// Every kernel of the device build, by name, ready to run in the emulator.
#pragma once

#include <functional>
#include <string>

#include "kernels/cuda/emulator/machine.h"

namespace hinm::simt {

/// Given what a driver launch takes (an array of pointers to the arguments), the body that each emulated thread runs.
using EmulatedKernel = std::function<void()> (*)(const void* const* parameters);

/// Null when no kernel has this name.
EmulatedKernel find_emulated_kernel(const std::string& name);

}  // namespace hinm::simt
