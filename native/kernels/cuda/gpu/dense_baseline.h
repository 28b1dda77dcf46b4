// The dense product by cuBLASLt, opened at run time. Tuned: the library's best guesses are all timed, outside the
// measurement, and the fastest is kept.
#pragma once

#include <memory>
#include <string>

#include "device/shared_library.h"
#include "kernels/cuda/gpu/gpu_product.h"

namespace hinm::cuda {

class DenseBaseline {
 public:
  /// Y = W·X with float32 accumulation, W row-major rows×cols rounded to the activations' type. The error is one sentence;
  /// its code is LIBRARY_NOT_FOUND where cuBLASLt is not installed.
  static Result<std::unique_ptr<DenseBaseline>> make(Gpu& gpu, const std::vector<float>& weights, const Activations& activations, int sets);
  ~DenseBaseline();
  DenseBaseline(const DenseBaseline&) = delete;
  DenseBaseline& operator=(const DenseBaseline&) = delete;

  Status enqueue(Gpu& gpu, const Activations& activations, int set) const;
  /// Library version, algorithm rank among how many, accumulation: to stand beside every number.
  const std::string& description() const { return description_; }

 private:
  struct Library;
  struct Plan;
  DenseBaseline();
  Status tune(Gpu& gpu, const Activations& activations);

  std::unique_ptr<Library> library_;
  std::unique_ptr<Plan> plan_;
  std::vector<DeviceBuffer> weights_;
  DeviceBuffer workspace_;
  std::string description_;
};

}  // namespace hinm::cuda
