// Registers, stack and spills of every kernel on every machine, as ptxas reported them while the fatbins were built.
#pragma once

#include <string>
#include <vector>

namespace hinm::cuda {

struct KernelResources {
  std::string kernel;
  std::string machine;  ///< e.g. "sm_90a"
  int registers = 0;
  int stack_bytes = 0;
  int spill_bytes = 0;  ///< stores and loads together
};

/// Reads what `ptxas -v` wrote; entries in order of kernel and machine.
std::vector<KernelResources> parse_ptxas(const std::string& text);

/// The report as it is kept in the repository: one line a kernel and machine, with threads and shared memory of a block.
std::string format_resources(const std::vector<KernelResources>& resources, const std::string& nvcc_version);

}  // namespace hinm::cuda
