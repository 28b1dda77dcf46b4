// What one honest training step of a single sparse layer costs, part by part.
#pragma once

#include <vector>

#include "base/job_control.h"
#include "base/result.h"
#include "training/methods/sparse_method.h"

namespace hinm::training {

struct StepCostSpec {
  std::int64_t rows = 1024;   ///< outputs
  std::int64_t cols = 4096;   ///< inputs
  std::int64_t tokens = 512;  ///< rows of activations
  MethodSettings method;
  Compute compute;
  int repeats = 5;
};

/// Milliseconds of every repeat, all parts of one repeat after one another.
struct StepCost {
  std::vector<double> project;   ///< mask and projection
  std::vector<double> compress;  ///< values and positions of the 2:4 weight
  std::vector<double> products;  ///< Z, ∇X and ∇W with the sampler and quantisation of the method
  std::vector<double> update;    ///< gradient hook and Adam
};

Result<StepCost> measure_step_cost(const StepCostSpec& spec, const JobControl& control);

}  // namespace hinm::training
