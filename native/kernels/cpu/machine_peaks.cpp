#include "kernels/cpu/machine_peaks.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/parallel.h"
#include "kernels/cpu/product_kernel.h"
#include "kernels/cpu/product_runner.h"

namespace hinm::kernels {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::uint64_t sum_of(const std::uint64_t* data, std::size_t count) {
  std::uint64_t sums[8] = {};
  for (std::size_t i = 0; i + 8 <= count; i += 8)
    for (std::size_t j = 0; j < 8; ++j) sums[j] += data[i + j];
  std::uint64_t total = 0;
  for (const std::uint64_t sum : sums) total += sum;
  return total;
}

}  // namespace

double measure_multiply_adds(int threads) {
  constexpr int repeats = 5;
  constexpr std::int64_t rounds = 200000;
  const ProductKernel& kernel = best_product_kernel();
  std::vector<double> sink(static_cast<std::size_t>(threads));
  double best = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Clock::time_point start = Clock::now();
    parallel_for(threads, threads, [&](std::int64_t i, int) { sink[static_cast<std::size_t>(i)] = kernel.multiply_adds(rounds); });
    const double operations = static_cast<double>(threads) * rounds * multiply_adds_a_round * kernel.lanes * 2;
    best = std::max(best, operations / seconds_since(start));
  }
  return best;
}

MachinePeaks measure_peaks(int threads) {
  constexpr int repeats = 3;
  MachinePeaks peaks{measure_multiply_adds(threads), 0, best_product_kernel().name};
  const std::vector<std::uint64_t> buffer(static_cast<std::size_t>(last_level_cache_bytes() / 2), 1);
  const std::size_t share = buffer.size() / static_cast<std::size_t>(threads);
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(threads));
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Clock::time_point start = Clock::now();
    parallel_for(threads, threads, [&](std::int64_t i, int) {
      sums[static_cast<std::size_t>(i)] = sum_of(buffer.data() + static_cast<std::size_t>(i) * share, share);
    });
    // The sums are compared, so that the reading cannot be left out.
    const bool read = std::all_of(sums.begin(), sums.end(), [&](std::uint64_t sum) { return sum == share / 8 * 8; });
    if (read) peaks.bandwidth = std::max(peaks.bandwidth, static_cast<double>(share * sizeof(std::uint64_t)) * threads / seconds_since(start));
  }
  return peaks;
}

}  // namespace hinm::kernels
