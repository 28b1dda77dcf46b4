#include "training/step_cost.h"

#include <chrono>

#include "base/random.h"
#include "training/engine/network.h"
#include "training/engine/optimizer.h"
#include "training/methods/compressed_groups.h"

namespace hinm::training {
namespace {

class Stopwatch {
 public:
  double lap() {
    const auto before = last_;
    last_ = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(last_ - before).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

Result<StepCost> measure_step_cost(const StepCostSpec& spec, const JobControl& control) {
  if (spec.rows < 4 || spec.cols < 4 || spec.tokens < 4 || spec.rows * spec.cols > (std::int64_t{1} << 28) || spec.repeats < 1) {
    return invalid_argument("A step of " + std::to_string(spec.rows) + " × " + std::to_string(spec.cols) + " with " + std::to_string(spec.tokens) +
                            " tokens cannot be measured; each must be at least 4, and the layer at most 2^28 weights.");
  }
  auto method = make_method<float>(spec.method);
  if (!method.ok()) return method.error();
  if (const Status fits = check_shape(spec.method, "measured", spec.rows, spec.cols); !fits.ok()) return fits.error();
  Linear<float> layer("measured", spec.cols, spec.rows, true, 0);
  layer.numerics = spec.method.numerics;
  initialise_uniform(layer, 1);
  SparseWeight<float> weight;
  weight.layer = &layer;
  method.value()->begin({}, weight);
  Matrix<float> x(spec.tokens, spec.cols), z(spec.tokens, spec.rows), dx(spec.tokens, spec.cols);
  RandomStream random(2);
  for (float& value : x.data) value = static_cast<float>(random.normal());
  CompressedGroups<float> compressed;
  StepCost cost;
  for (int repeat = 0; repeat <= spec.repeats; ++repeat) {
    if (control.stop_requested()) return cancelled();
    StepInfo info;
    info.step = repeat;
    info.total = spec.repeats + 1;
    Stopwatch watch;
    method.value()->project(info, weight);
    const Mask mask = method.value()->counted_mask(weight);
    const double project = watch.lap();
    if (!mask.empty()) compress(MatrixView<const float>(layer.effective.view()), mask, compressed);
    const double compress_time = watch.lap();
    layer.forward(x.view(), z.view(), spec.compute);
    layer.backward(x.view(), z.view(), dx.view(), {}, spec.compute);
    const double products = watch.lap();
    method.value()->hook_gradient(info, weight);
    for (Parameter<float>* parameter : {&layer.weight, &layer.bias}) adam_step(*parameter, {}, 1e-6, {repeat, repeat}, false, spec.compute.threads);
    const double update = watch.lap();
    // The first repeat fills caches and grows buffers.
    if (repeat == 0) continue;
    cost.project.push_back(project);
    cost.compress.push_back(compress_time);
    cost.products.push_back(products);
    cost.update.push_back(update);
    control.report(repeat, spec.repeats);
  }
  return cost;
}

}  // namespace hinm::training
