// Times several products in turns, A B C A B C, so that none of them has a cooler chip than another.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/job_control.h"
#include "device/cuda/gpu.h"

namespace hinm::cuda {

struct Competitor {
  std::string name;
  int sets = 1;                              ///< operand sets that the calls rotate through
  std::function<Status(int set)> enqueue;
};

struct TimingLimits {
  double sample_milliseconds = 1;   ///< one sample lasts at least so long: it replays as many calls as that takes
  int least_samples = 30;
  int most_samples = 300;
  double seconds = 2;               ///< wall time for all competitors together
  double steady = 0.01;             ///< enough when the median absolute deviation is below this share of the median
};

struct CompetitorTimes {
  std::string name;
  std::vector<double> samples;  ///< milliseconds of one call, in the order they were taken
  int calls_per_sample = 0;
  std::string failure;          ///< why there are no samples, empty when there are
};

struct InterleavedTimes {
  std::vector<CompetitorTimes> competitors;
  std::string stopped;          ///< why sampling ended
};

/// Launches are recorded once and replayed, so that their cost on the host is not in the numbers. A competitor that
/// fails is left out with its reason; the others go on, unless the device itself was lost.
InterleavedTimes time_interleaved(Gpu& gpu, const std::vector<Competitor>& competitors, const TimingLimits& limits, const JobControl& control = {});

double median(std::vector<double> values);
/// Median absolute deviation over the median; 0 for fewer than two samples.
double relative_spread(const std::vector<double>& values);

}  // namespace hinm::cuda
