#include "kernels/cpu/product_runner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>

#if defined(__linux__)
#include <unistd.h>
#endif

#include "base/parallel.h"
#include "kernels/cpu/check.h"

namespace hinm::kernels {
namespace {

using Clock = std::chrono::steady_clock;

double wall_milliseconds() { return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count(); }

#if defined(CLOCK_PROCESS_CPUTIME_ID)
double processor_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}
#else
double processor_milliseconds() { return static_cast<double>(std::clock()) * 1e3 / CLOCKS_PER_SEC; }
#endif

Status check_plan(const RunnerPlan& plan) {
  if (plan.columns >= 1 && plan.threads >= 1) return success();
  return invalid_argument("A product cannot run with " + std::to_string(plan.columns) + " columns on " + std::to_string(plan.threads) +
                          " threads; give at least one of each.");
}

}  // namespace

std::int64_t last_level_cache_bytes() {
  constexpr std::int64_t assumed = 32 << 20;
#if defined(__linux__) && defined(_SC_LEVEL3_CACHE_SIZE)
  const long stated = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return stated > 0 ? stated : assumed;
#else
  return assumed;
#endif
}

void ProductRunner::allocate(std::int64_t rows, std::int64_t cols, std::int64_t weight_bytes) {
  const std::int64_t set_bytes = weight_bytes + cols * plan_.columns * 4;
  const std::int64_t cache = last_level_cache_bytes();
  const std::int64_t sets = plan_.caches == CacheState::rotating ? std::clamp<std::int64_t>((2 * cache + set_bytes - 1) / set_bytes, 2, 64) : 1;
  for (std::int64_t set = 0; set < sets; ++set) activations_.push_back(random_activations(cols, plan_.columns, plan_.seed + static_cast<std::uint64_t>(set)));
  output_ = Matrix<float>(rows, plan_.columns);
  if (plan_.caches == CacheState::cold) flush_buffer_.resize(static_cast<std::size_t>(2 * cache));
}

Result<std::unique_ptr<ProductRunner>> ProductRunner::sparse(std::shared_ptr<const PackedWeights> packed, const RunnerPlan& plan) {
  if (const Status status = check_plan(plan); !status.ok()) return status.error();
  std::unique_ptr<ProductRunner> runner(new ProductRunner(plan));
  runner->name_ = packed->kernel;
  runner->allocate(packed->matrix.rows, packed->matrix.cols, packed->stream.bytes());
  for (const Matrix<float>& activations : runner->activations_) {
    const auto stream = runner->operands_.empty() ? std::shared_ptr<const RowStream>(packed, &packed->stream) : std::make_shared<const RowStream>(packed->stream);
    runner->operands_.push_back(stream);
    runner->calls_.push_back([stream, x = activations.view(), y = runner->output_.view(), threads = plan.threads] {
      static_cast<void>(multiply(*stream, x, y, threads).ok());
    });
  }
  return runner;
}

Result<std::unique_ptr<ProductRunner>> ProductRunner::dense(DenseLibrary library, MatrixView<const float> weights, const RunnerPlan& plan) {
  if (const Status status = check_plan(plan); !status.ok()) return status.error();
  std::unique_ptr<ProductRunner> runner(new ProductRunner(plan));
  runner->allocate(weights.rows, weights.cols, weights.size() * 4);
  for (const Matrix<float>& activations : runner->activations_) {
    auto copy = std::make_shared<Matrix<float>>(weights.rows, weights.cols);
    for (std::int64_t row = 0; row < weights.rows; ++row) std::copy_n(weights.row(row), weights.cols, copy->view().row(row));
    Result<DenseBaseline> baseline = dense_baseline(library, std::as_const(*copy).view(), plan.threads);
    if (!baseline.ok()) return baseline.error();
    runner->name_ = baseline.value().name;
    runner->operands_.push_back(copy);
    runner->calls_.push_back([run = baseline.value().run, x = activations.view(), y = runner->output_.view()] { run(x, y); });
  }
  return runner;
}

void ProductRunner::flush() {
  for (std::size_t i = 0; i < flush_buffer_.size(); i += 64) ++flush_buffer_[i];
}

Result<RunnerSamples> ProductRunner::sample(std::int64_t count, std::int64_t calls, const JobControl& control) {
  if (count < 1 || calls < 1)
    return invalid_argument("There is nothing to sample with " + std::to_string(count) + " samples of " + std::to_string(calls) + " calls; ask for at least one.");
  const std::int64_t calls_a_sample = plan_.caches == CacheState::cold ? 1 : calls;
  RunnerSamples samples;
  for (std::int64_t i = 0; i < count; ++i) {
    if (control.stop_requested()) return cancelled();
    flush();
    const double processor = processor_milliseconds(), wall = wall_milliseconds();
    for (std::int64_t call = 0; call < calls_a_sample; ++call) {
      calls_[next_]();
      next_ = (next_ + 1) % calls_.size();
    }
    samples.wall.push_back((wall_milliseconds() - wall) / static_cast<double>(calls_a_sample));
    samples.processor.push_back((processor_milliseconds() - processor) / static_cast<double>(calls_a_sample));
  }
  return samples;
}

ProductError ProductRunner::check(MatrixView<const float> weights, const MaskView& mask, ValueType stored) {
  Matrix<float> rounded(weights.rows, weights.cols);
  for (std::int64_t row = 0; row < weights.rows; ++row)
    for (std::int64_t col = 0; col < weights.cols; ++col) rounded.at(row, col) = rounded_to(stored, weights.at(row, col));
  ProductError worst;
  for (std::size_t set = 0; set < calls_.size(); ++set) {
    std::fill(output_.data.begin(), output_.data.end(), std::numeric_limits<float>::quiet_NaN());
    calls_[set]();
    const Matrix<double> reference = reference_product(rounded.view(), mask, activations_[set].view(), hardware_threads());
    const ProductError error = product_error(std::as_const(output_).view(), reference);
    // Written so that NaN, once there, stays.
    if (!(error.relative <= worst.relative)) worst.relative = std::isnan(worst.relative) ? worst.relative : error.relative;
    if (!(error.largest <= worst.largest)) worst.largest = std::isnan(worst.largest) ? worst.largest : error.largest;
  }
  return worst;
}

}  // namespace hinm::kernels
