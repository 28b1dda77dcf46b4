// Interleaved wall-clock samples of the packed product and of the dense baselines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/job_control.h"
#include "base/result.h"
#include "kernels/cpu/cpu_product.h"
#include "kernels/cpu/dense_baseline.h"

namespace hinm::kernels {

struct TimingPlan {
  std::int64_t columns = 1;  ///< N
  int threads = 1;
  std::uint64_t seed = 0;
  double limit_seconds = 2;  ///< wall time at most, set-up left out
};

struct BaselineSamples {
  std::string name;
  std::vector<double> milliseconds;
};

struct ProductTiming {
  std::vector<double> sparse;  ///< milliseconds of one call, every sample in the order taken
  std::vector<BaselineSamples> dense;
  std::vector<AbsentBaseline> absent;
  std::int64_t calls_per_sample = 1;
  std::string stopped;
};

/// Times warm: the same operands each call. Every round takes one sample of each contestant, in alternating direction.
/// Sampling stops after 30 rounds once the median absolute deviation of every contestant is below 1 % of its median, at
/// the time limit, or after 500 rounds. A baseline whose result differs from the others is listed as absent.
Result<ProductTiming> time_product(const RowStream& stream, MatrixView<const float> weights, const TimingPlan& plan, const JobControl& control);

}  // namespace hinm::kernels
