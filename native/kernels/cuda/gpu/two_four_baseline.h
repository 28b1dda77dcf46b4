// The 2:4 product by cuSPARSELt, opened at run time. The library's own search picks the algorithm, outside the measurement.
#pragma once

#include <memory>
#include <string>

#include "device/shared_library.h"
#include "kernels/cuda/gpu/gpu_product.h"

namespace hinm::cuda {

class TwoFourBaseline {
 public:
  /// Y = W·X with float32 accumulation and 16-bit output; `weights` is row-major rows×cols and 2:4 already (the library
  /// compresses, it does not prune). M and K must be multiples of 16. LIBRARY_NOT_FOUND where it is not installed.
  static Result<std::unique_ptr<TwoFourBaseline>> make(Gpu& gpu, const std::vector<float>& weights, const Activations& activations, int sets);
  ~TwoFourBaseline();
  TwoFourBaseline(const TwoFourBaseline&) = delete;
  TwoFourBaseline& operator=(const TwoFourBaseline&) = delete;

  Status enqueue(Gpu& gpu, const Activations& activations, int set) const;
  const std::string& description() const { return description_; }

 private:
  struct Library;
  struct Plan;
  TwoFourBaseline();
  Status prepare(Gpu& gpu, const std::vector<float>& weights, const Activations& activations, int sets);

  std::unique_ptr<Library> library_;
  std::unique_ptr<Plan> plan_;
  std::vector<DeviceBuffer> compressed_;
  DeviceBuffer workspace_;
  std::string description_;
};

}  // namespace hinm::cuda
