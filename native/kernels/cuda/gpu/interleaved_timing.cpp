#include "kernels/cuda/gpu/interleaved_timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace hinm::cuda {
namespace {

constexpr int kMostCalls = 2048;

struct Recorded {
  const Competitor* competitor;
  CompetitorTimes* times;
  LaunchGraph graph;
};

Result<LaunchGraph> record_calls(Gpu& gpu, const Competitor& competitor, int calls) {
  return gpu.record([&]() -> Status {
    for (int call = 0; call < calls; ++call) {
      if (Status status = competitor.enqueue(call % competitor.sets); !status.ok()) return status;
    }
    return success();
  });
}

/// Finds how many calls make one sample long enough, then records them.
Result<LaunchGraph> prepare(Gpu& gpu, const Competitor& competitor, CompetitorTimes& times, const TimingLimits& limits) {
  // Libraries load their kernels at the first call, which must not fall into a recording.
  if (Status first = competitor.enqueue(0); !first.ok()) return first.error();
  if (Status ran = gpu.synchronize(); !ran.ok()) return ran.error();
  Result<LaunchGraph> once = record_calls(gpu, competitor, competitor.sets);
  if (!once.ok()) return once;
  double milliseconds = 0;
  for (int warm = 0; warm < 2; ++warm) {
    const Result<double> took = gpu.time(once.value());
    if (!took.ok()) return took.error();
    milliseconds = took.value();
  }
  const double per_call = std::max(milliseconds / competitor.sets, 1e-6);
  const int wanted = static_cast<int>(std::min(std::ceil(limits.sample_milliseconds / per_call), static_cast<double>(kMostCalls)));
  times.calls_per_sample = (std::max(wanted, 1) + competitor.sets - 1) / competitor.sets * competitor.sets;
  if (times.calls_per_sample == competitor.sets) return once;
  return record_calls(gpu, competitor, times.calls_per_sample);
}

bool steady(const std::vector<Recorded>& running, double share) {
  return std::all_of(running.begin(), running.end(), [&](const Recorded& each) { return relative_spread(each.times->samples) <= share; });
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double relative_spread(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double center = median(values);
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::fabs(value - center));
  return center > 0 ? median(deviations) / center : 0;
}

InterleavedTimes time_interleaved(Gpu& gpu, const std::vector<Competitor>& competitors, const TimingLimits& limits, const JobControl& control) {
  InterleavedTimes result;
  result.competitors.resize(competitors.size());
  std::vector<Recorded> running;
  for (std::size_t i = 0; i < competitors.size(); ++i) {
    CompetitorTimes& times = result.competitors[i];
    times.name = competitors[i].name;
    Result<LaunchGraph> graph = prepare(gpu, competitors[i], times, limits);
    if (graph.ok()) {
      running.push_back({&competitors[i], &times, std::move(graph).value()});
    } else {
      times.failure = graph.error().message;
    }
  }
  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; !running.empty(); ++round) {
    for (auto each = running.begin(); each != running.end();) {
      const Result<double> took = gpu.time(each->graph);
      if (took.ok()) {
        each->times->samples.push_back(took.value() / each->times->calls_per_sample);
        ++each;
        continue;
      }
      each->times->failure = took.error().message;
      each->times->samples.clear();
      each = running.erase(each);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    control.report(round + 1, limits.most_samples);
    if (control.stop_requested()) result.stopped = "cancelled";
    else if (round + 1 >= limits.least_samples && steady(running, limits.steady)) result.stopped = "every median absolute deviation is below " + std::to_string(limits.steady * 100).substr(0, 3) + " % of its median";
    else if (seconds >= limits.seconds) result.stopped = "the time limit of " + std::to_string(limits.seconds).substr(0, 4) + " s";
    else if (round + 1 >= limits.most_samples) result.stopped = std::to_string(limits.most_samples) + " samples";
    if (!result.stopped.empty()) break;
  }
  if (running.empty()) result.stopped = "nothing ran";
  return result;
}

}  // namespace hinm::cuda
