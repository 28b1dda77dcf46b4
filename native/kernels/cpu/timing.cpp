#include "kernels/cpu/timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>

#include "kernels/cpu/check.h"

namespace hinm::kernels {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

struct Contestant {
  std::function<void()> call;
  std::vector<double> samples;

  void sample(std::int64_t calls) {
    // This program's own threads stay awake for 50 µs after a call; they must not take time from the next contestant.
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    const Clock::time_point start = Clock::now();
    for (std::int64_t i = 0; i < calls; ++i) call();
    samples.push_back(milliseconds_since(start) / static_cast<double>(calls));
  }
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

bool is_steady(const std::vector<double>& samples) {
  const double centre = median(samples);
  std::vector<double> deviations;
  for (const double sample : samples) deviations.push_back(std::abs(sample - centre));
  return median(deviations) < 0.01 * centre;
}

/// Enough calls that one sample lasts a millisecond, far above the clock's resolution.
std::int64_t calls_for_a_millisecond(Contestant& contestant) {
  const Clock::time_point start = Clock::now();
  contestant.call();
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(1.0 / std::max(milliseconds_since(start), 1e-3))), 1, 1000);
}

std::string sample_until_steady(std::vector<Contestant>& contestants, std::int64_t calls, double limit_seconds, const JobControl& control) {
  constexpr std::size_t enough = 30, most = 500;
  const Clock::time_point start = Clock::now();
  for (std::size_t round = 1; round <= most; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      if (control.stop_requested()) return {};
      contestants[round % 2 == 0 ? i : contestants.size() - 1 - i].sample(calls);
    }
    control.report(std::min(milliseconds_since(start) / 1000, limit_seconds), limit_seconds);
    const bool steady = std::all_of(contestants.begin(), contestants.end(), [](const Contestant& c) { return is_steady(c.samples); });
    if (round >= enough && steady) return "the spread fell below 1 % after " + std::to_string(round) + " rounds";
    if (milliseconds_since(start) > limit_seconds * 1000) return "the time limit was reached after " + std::to_string(round) + " rounds";
  }
  return "the limit of " + std::to_string(most) + " rounds was reached";
}

/// Baselines that compute something else must not be timed. The tolerance is wider than that of the product check: the
/// libraries sum all K terms in an order of their own.
void drop_wrong_baselines(DenseBaselines& baselines, MatrixView<const float> activations, std::int64_t rows) {
  constexpr double tolerance = 1e-5;
  Matrix<float> expected(rows, activations.cols), output(rows, activations.cols);
  baselines.present.back().run(activations, expected.view());
  Matrix<double> reference(rows, activations.cols);
  std::copy(expected.data.begin(), expected.data.end(), reference.data.begin());
  std::erase_if(baselines.present, [&](const DenseBaseline& baseline) {
    std::fill(output.data.begin(), output.data.end(), std::nanf(""));
    baseline.run(activations, output.view());
    if (product_error(output.view(), reference).relative <= tolerance) return false;
    baselines.absent.push_back({baseline.name, "its result differs from this program's dense product"});
    return true;
  });
}

}  // namespace

Result<ProductTiming> time_product(const RowStream& stream, MatrixView<const float> weights, const TimingPlan& plan, const JobControl& control) {
  if (plan.columns < 1 || plan.threads < 1 || !(plan.limit_seconds > 0))
    return invalid_argument("A product cannot be timed with " + std::to_string(plan.columns) + " columns on " + std::to_string(plan.threads) +
                            " threads; give at least one of each and a time limit above 0.");
  const Matrix<float> activations = random_activations(stream.cols, plan.columns, plan.seed);
  Matrix<float> output(stream.rows, plan.columns);
  DenseBaselines baselines = dense_baselines(weights, plan.threads);
  drop_wrong_baselines(baselines, activations.view(), stream.rows);

  Status status = success();
  std::vector<Contestant> contestants;
  contestants.push_back({[&] {
                           if (Status call = multiply(stream, activations.view(), output.view(), plan.threads); !call.ok()) status = call;
                         },
                         {}});
  for (const DenseBaseline& baseline : baselines.present)
    contestants.push_back({[&] { baseline.run(activations.view(), output.view()); }, {}});
  for (Contestant& contestant : contestants) contestant.call();

  ProductTiming timing;
  timing.calls_per_sample = calls_for_a_millisecond(contestants.front());
  timing.stopped = sample_until_steady(contestants, timing.calls_per_sample, plan.limit_seconds, control);
  if (!status.ok()) return status.error();
  if (control.stop_requested()) return cancelled();
  timing.sparse = std::move(contestants.front().samples);
  for (std::size_t i = 0; i < baselines.present.size(); ++i) timing.dense.push_back({baselines.present[i].name, std::move(contestants[i + 1].samples)});
  timing.absent = std::move(baselines.absent);
  return timing;
}

}  // namespace hinm::kernels
