// As many fused multiply-adds as an instruction set can do, all in registers.
#pragma once

#include "kernels/cpu/product_kernel.h"
#include "kernels/cpu/simd.h"

namespace hinm::kernels::HINM_SIMD_NAMESPACE {
namespace {

/// `rounds` rounds of multiply_adds_a_round vector operations that do not wait for each other; returns a sum that
/// depends on all of them.
double run_multiply_adds(std::int64_t rounds) {
  Vec sums[multiply_adds_a_round];
  // Different values, or the compiler would see that the sums are the same and compute one of them.
  alignas(64) float start[multiply_adds_a_round * 16], factor[16], addend[16];
  for (int i = 0; i < multiply_adds_a_round * 16; ++i) start[i] = 0.5f + 0.001f * static_cast<float>(i);
  for (int i = 0; i < 16; ++i) {
    factor[i] = 0.999f;
    addend[i] = 0.001f;
  }
  const Vec by = load(factor), plus = load(addend);
  HINM_UNROLL for (int i = 0; i < multiply_adds_a_round; ++i) sums[i] = load(start + 16 * i);
  for (std::int64_t round = 0; round < rounds; ++round) {
    HINM_UNROLL for (int i = 0; i < multiply_adds_a_round; ++i) sums[i] = mul_add(sums[i], by, plus);
  }
  double total = 0;
  for (int i = 0; i < multiply_adds_a_round; ++i) {
    store(sums[i], start);
    for (int lane = 0; lane < lanes; ++lane) total += start[lane];
  }
  return total;
}

}  // namespace
}  // namespace hinm::kernels::HINM_SIMD_NAMESPACE
