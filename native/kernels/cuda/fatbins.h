// The device code in this binary.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hinm::cuda {

struct Fatbin {
  std::string name;
  const unsigned char* bytes;
  std::size_t size;
  bool hopper_only;  ///< loads on compute capability 9.0 alone
};

/// Empty when the build had no nvcc; build_info().cuda says why.
const std::vector<Fatbin>& fatbins();

}  // namespace hinm::cuda
