#include "kernels/cuda/gpu/tuned_product.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>

#include "device/cuda/device_list.h"
#include "kernels/cuda/gpu/dense_baseline.h"
#include "kernels/cuda/random_tiles.h"

namespace hinm::cuda {
namespace {

double tuning_time(Gpu& gpu, const GpuProduct& product, const Activations& activations, int sets, const TuningOptions& options) {
  TimingLimits limits;
  limits.sample_milliseconds = options.sample_milliseconds;
  limits.least_samples = limits.most_samples = options.samples;
  const CompetitorTimes times = time_interleaved(gpu, {{"", sets, [&](int set) { return product.enqueue(gpu, activations, set); }}}, limits).competitors.front();
  return times.samples.empty() ? std::numeric_limits<double>::infinity() : median(times.samples);
}

/// Sets 0 and 1 of the outputs get the product and the float64 answer.
Result<double> error_of(Gpu& gpu, const GpuProduct& product, const SparseTiles& tiles, const Activations& activations) {
  for (int set = 0; set < 2; ++set) {
    if (Status status = poison_output(gpu, activations, set); !status.ok()) return status.error();
  }
  if (Status status = product.enqueue(gpu, activations, 0); !status.ok()) return status.error();
  if (Status status = gpu.synchronize(); !status.ok()) return status.error();
  if (Status status = run_reference(gpu, tiles, activations, 1); !status.ok()) return status.error();
  Result<std::vector<float>> got = download_output(gpu, activations, 0), want = download_output(gpu, activations, 1);
  if (!got.ok() || !want.ok()) return got.ok() ? want.error() : got.error();
  return relative_error(got.value(), want.value());
}

}  // namespace

Result<TunedProduct> tune_product(Gpu& gpu, const SparseTiles& tiles, const Activations& activations, const TuningOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t weight_bytes = tiles.values.size() * 2 + tiles.selection.size() / 4 + tiles.columns.size() * 4;
  const int sets = std::min(options.most_sets, rotating_sets(weight_bytes + activations.bytes_of_one_call(), gpu.limits()));
  std::map<int, std::shared_ptr<const GpuWeights>> packed;
  std::vector<std::pair<double, GpuProduct>> timed;
  std::vector<LaunchPlan> plans = launch_plans(tiles, activations.type, activations.n, gpu.limits());
  if (plans.size() > static_cast<std::size_t>(options.most_plans)) plans.resize(static_cast<std::size_t>(options.most_plans));
  for (const LaunchPlan& plan : plans) {
    auto& weights = packed[plan.variant->tile_rows];
    if (!weights) {
      Result<std::shared_ptr<const GpuWeights>> made = GpuWeights::make(gpu, tiles, activations.type, plan.variant->tile_rows, sets);
      if (!made.ok()) return made.error();
      weights = made.value();
    }
    Result<GpuProduct> product = GpuProduct::make(gpu, weights, plan);
    if (!product.ok()) return product.error();
    const double took = tuning_time(gpu, product.value(), activations, sets, options);
    if (took < std::numeric_limits<double>::infinity()) timed.emplace_back(took, std::move(product).value());
  }
  if (timed.empty()) return Error{"DEVICE_FAILED", "No kernel of this build multiplies this product on this GPU."};
  const auto best = std::min_element(timed.begin(), timed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const Result<double> error = error_of(gpu, best->second, tiles, activations);
  if (!error.ok()) return error.error();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return TunedProduct{std::move(best->second), sets, error.value(), error.value() <= tolerance(activations.output_16bit), seconds};
}

Result<GpuMeasurement> measure_product(Gpu& gpu, const SparseTiles& tiles, const std::vector<float>& dense_weights, const GpuMeasurementRequest& request,
                                       const ManagementLibrary* management, const JobControl& control) {
  if (Status bound = gpu.bind(); !bound.ok()) return bound.error();
  if (dense_weights.size() != static_cast<std::size_t>(tiles.rows) * static_cast<std::size_t>(tiles.cols)) {
    return invalid_argument("The dense weights have " + std::to_string(dense_weights.size()) + " values; the packed matrix has " + std::to_string(tiles.rows) + "×" +
                            std::to_string(tiles.cols) + ".");
  }
  const std::vector<float> x = random_activations(tiles.cols, request.n, false, request.seed);
  const std::size_t operand_bytes = static_cast<std::size_t>(tiles.rows + tiles.cols) * static_cast<std::size_t>(request.n) * 2;
  const int sets = std::min(request.tuning.most_sets, rotating_sets(operand_bytes, gpu.limits()));
  Result<Activations> activations = upload_activations(gpu, x, tiles.cols, tiles.rows, request.n, request.type, true, std::max(sets, 2));
  if (!activations.ok()) return activations.error();
  Result<TunedProduct> tuned = tune_product(gpu, tiles, activations.value(), request.tuning);
  if (!tuned.ok()) return tuned.error();
  if (control.stop_requested()) return cancelled();

  GpuMeasurement measured;
  measured.kernel = tuned.value().product.plan().name();
  measured.weight_bytes = tuned.value().product.weights().bytes();
  measured.error = tuned.value().error;
  measured.tolerance = tolerance(true);
  measured.passed = tuned.value().passed;
  measured.tuning_seconds = tuned.value().seconds;
  const int dense_sets = std::min(request.tuning.most_sets, rotating_sets(dense_weights.size() * 2 + activations.value().bytes_of_one_call(), gpu.limits()));
  Result<std::unique_ptr<DenseBaseline>> dense = DenseBaseline::make(gpu, dense_weights, activations.value(), dense_sets);
  std::vector<Competitor> competitors;
  const auto rotation = [&](int own) { return std::max(own, static_cast<int>(activations.value().x.size())); };
  if (measured.passed) {
    competitors.push_back({measured.kernel, rotation(tuned.value().sets), [&](int set) { return tuned.value().product.enqueue(gpu, activations.value(), set); }});
  }
  if (dense.ok()) {
    competitors.push_back({dense.value()->description(), rotation(dense_sets), [&](int set) { return dense.value()->enqueue(gpu, activations.value(), set); }});
  } else {
    measured.absent.push_back({"cuBLASLt", dense.error().message});
  }
  const Result<std::string> uuid = device_uuid(gpu.driver(), gpu.ordinal());
  measured.has_moments = management != nullptr && uuid.ok();
  if (measured.has_moments) measured.before = management->moment(uuid.value());
  InterleavedTimes times = time_interleaved(gpu, competitors, request.limits, control);
  if (measured.has_moments) measured.after = management->moment(uuid.value());
  if (control.stop_requested()) return cancelled();
  measured.stopped = times.stopped;
  for (std::size_t i = 0; i < times.competitors.size(); ++i) {
    if (measured.passed && i == 0) measured.sparse = std::move(times.competitors[i]);
    else measured.dense.push_back(std::move(times.competitors[i]));
  }
  return measured;
}

}  // namespace hinm::cuda
