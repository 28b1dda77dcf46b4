#include "kernels/cpu/machine_peaks.h"

#include <doctest/doctest.h>

#include <cmath>

#include "kernels/cpu/product_kernel.h"

using namespace hinm::kernels;

TEST_CASE("the multiply-adds that are timed are really computed, each chain from its own start") {
  const ProductKernel& kernel = best_product_kernel();
  constexpr int rounds = 100;
  double expected = 0;
  for (int chain = 0; chain < multiply_adds_a_round; ++chain) {
    for (int lane = 0; lane < kernel.lanes; ++lane) {
      double value = 0.5 + 0.001 * (16 * chain + lane);
      for (int round = 0; round < rounds; ++round) value = value * 0.999 + 0.001;
      expected += value;
    }
  }
  // 100 roundings of float32 in each chain.
  CHECK(std::abs(kernel.multiply_adds(rounds) / expected - 1) < 1e-5);
}

TEST_CASE("peaks are positive and name the instruction set") {
  const MachinePeaks peaks = measure_peaks(1);
  CHECK(peaks.multiply_add > 1e8);
  CHECK(peaks.bandwidth > 1e8);
  CHECK(peaks.instruction_set == best_product_kernel().name);
}
