// Operands and products on a device, ready to be launched again and again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/cuda/gpu.h"
#include "kernels/cuda/gpu/launch_plan.h"
#include "kernels/cuda/product/product_arguments.h"

namespace hinm::cuda {

/// Sets of operands that are used in turn, so that no call finds its own operands in the L2 cache.
/// Enough for twice the L2, at least three, at most 64.
int rotating_sets(std::size_t bytes_of_one_call, const DeviceLimits& limits);

/// K×N activations and M×N outputs on the device, in a few sets.
struct Activations {
  std::int32_t cols = 0;   ///< K
  std::int32_t rows = 0;   ///< M
  std::int32_t n = 0;
  std::int32_t ldx = 0;    ///< multiple of 8
  std::int32_t ldy = 0;    ///< multiple of 8
  ValueType type = ValueType::bf16;
  bool output_16bit = false;
  std::vector<DeviceBuffer> x;
  std::vector<DeviceBuffer> y;

  std::size_t bytes_of_one_call() const;
};

/// Rounds x (cols×n, row-major) to `type` and uploads it `sets` times.
Result<Activations> upload_activations(const Gpu& gpu, const std::vector<float>& x, std::int32_t cols, std::int32_t rows, std::int32_t n, ValueType type,
                                       bool output_16bit, int sets);

/// Y of one set as floats, row-major M×N.
Result<std::vector<float>> download_output(const Gpu& gpu, const Activations& activations, int set);
/// Every byte of Y becomes 0xff, NaN in all types, so that what is not written cannot pass.
Status poison_output(const Gpu& gpu, const Activations& activations, int set);

struct EpilogueOptions {
  Activation activation = Activation::none;
  std::vector<float> bias;  ///< M values, or empty
};

/// Weights packed for one device tile height, in a few sets; shared by every plan of that height.
class GpuWeights {
 public:
  static Result<std::shared_ptr<const GpuWeights>> make(const Gpu& gpu, const SparseTiles& tiles, ValueType type, std::int32_t tile_rows, int sets);

  std::int32_t tile_rows() const { return tile_rows_; }
  /// Bytes of one set: values, metadata, columns, rows.
  std::int64_t bytes() const { return bytes_; }

 private:
  friend class GpuProduct;
  struct Set {
    DeviceBuffer values;
    DeviceBuffer metadata;
    DeviceBuffer columns;
  };

  std::int32_t tile_rows_ = 0;
  std::int64_t bytes_ = 0;
  std::vector<Set> sets_;
  DeviceBuffer rows_;
};

/// One plan, ready to be launched.
class GpuProduct {
 public:
  /// Fails with INVALID_ARGUMENT when the weights are packed for another tile height than the plan's.
  static Result<GpuProduct> make(const Gpu& gpu, std::shared_ptr<const GpuWeights> weights, const LaunchPlan& plan, const EpilogueOptions& epilogue = {});

  /// Enqueues Y = activation(W·X + bias) on set `set` of the activations and weights.
  Status enqueue(Gpu& gpu, const Activations& activations, int set) const;
  const LaunchPlan& plan() const { return plan_; }
  const GpuWeights& weights() const { return *weights_; }

 private:
  std::shared_ptr<const GpuWeights> weights_;
  LaunchPlan plan_;
  EpilogueOptions epilogue_;
  DeviceBuffer bias_;
  DeviceBuffer parts_;
  DeviceBuffer arrivals_;
};

/// The same product by the correctness-first kernel, summed in float64 on the device.
Status run_reference(Gpu& gpu, const SparseTiles& tiles, const Activations& activations, int set, const EpilogueOptions& epilogue = {});

/// ‖got − want‖ / ‖want‖; infinite when anything is not finite, so that NaN never passes.
double relative_error(const std::vector<float>& got, const std::vector<float>& want);

/// Largest relative error that a product on inputs already rounded to 16 bits may show. float32 accumulation over up
/// to 2^14 terms in tensor-core order stays below 1e-4; a 16-bit output adds half a unit of bf16, 2^-9 relative.
double tolerance(bool output_16bit);

}  // namespace hinm::cuda
