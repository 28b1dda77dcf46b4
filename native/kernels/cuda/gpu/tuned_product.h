// The fastest right plan of a product, and its measurement beside the baselines.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/job_control.h"
#include "device/cuda/management_library.h"
#include "kernels/cuda/gpu/gpu_product.h"
#include "kernels/cuda/gpu/interleaved_timing.h"

namespace hinm::cuda {

struct TuningOptions {
  double sample_milliseconds = 0.2;
  int samples = 5;
  int most_plans = 64;  ///< the likeliest so many are tried
  int most_sets = 64;   ///< operand sets to rotate through
};

struct TunedProduct {
  GpuProduct product;
  int sets = 1;          ///< operand sets that make it miss the L2 cache
  double error = 0;      ///< relative, against the float64 kernel
  bool passed = false;
  double seconds = 0;    ///< that packing and tuning took: one-time costs
};

/// Times every plan on operand sets in turn and keeps the fastest; then poisons the outputs, runs it and compares with the
/// correctness-first kernel. `passed` false means a wrong answer: show it, do not rank it. Uses sets 0 and 1 of `activations`.
Result<TunedProduct> tune_product(Gpu& gpu, const SparseTiles& tiles, const Activations& activations, const TuningOptions& options = {});

struct GpuMeasurementRequest {
  std::int32_t n = 1;
  ValueType type = ValueType::bf16;
  std::uint64_t seed = 0;
  TimingLimits limits;
  TuningOptions tuning;
};

struct AbsentBaseline {
  std::string name;
  std::string reason;
};

/// What a GPU figure has to carry.
struct GpuMeasurement {
  std::string kernel;
  std::int64_t weight_bytes = 0;
  double error = 0;
  double tolerance = 0;
  bool passed = false;
  double tuning_seconds = 0;
  CompetitorTimes sparse;              ///< empty when it did not pass
  std::vector<CompetitorTimes> dense;  ///< of the same shapes and types, in the same run
  std::vector<AbsentBaseline> absent;
  std::string stopped;
  bool has_moments = false;
  DeviceMoment before, after;
};

/// One product on random activations with 16-bit output, beside cuBLASLt on `dense_weights` (rows×cols, row-major).
/// `management` may be null: then clocks and power are not known.
Result<GpuMeasurement> measure_product(Gpu& gpu, const SparseTiles& tiles, const std::vector<float>& dense_weights, const GpuMeasurementRequest& request,
                                       const ManagementLibrary* management, const JobControl& control);

}  // namespace hinm::cuda
