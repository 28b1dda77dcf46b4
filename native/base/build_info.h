// What this binary was built from; every result carries it.
#pragma once

#include <string>

namespace hinm {

struct BuildInfo {
  std::string type;      ///< CMake build type, e.g. "Release"
  std::string compiler;  ///< e.g. "GNU 12.2.0"
  std::string flags;     ///< optimisation flags in force
  std::string cuda;      ///< "embedded (nvcc 13.0)" or "not built: nvcc was not found"
};

BuildInfo build_info();

}  // namespace hinm
