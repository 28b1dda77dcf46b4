// The inner loops of the searches. One body, compiled for each instruction set through Highway and once
// without it: sums run in sixteen lanes of fixed order and nothing is fused, so every instruction set gives the same
// bits. Arrays whose length is called `padded` are multiples of 16 long; the padding holds zeros.
#pragma once

#include <cstdint>

namespace hinm {

constexpr std::int64_t lane_count = 16;
constexpr std::int64_t padded_to_lanes(std::int64_t count) {
  return (count + lane_count - 1) / lane_count * lane_count;
}

/// What the largest values of a list add up to, and the value of the last one that counts.
struct TopSum {
  double sum = 0;
  float threshold = 0;
};

/// Σ max(0, s − θ) over the column sums s of two tiles after they exchanged a row.
struct ExchangeExcess {
  float first = 0;
  float second = 0;
};

/// The best and second best column of one bidder.
struct Bid {
  float best = 0;
  float second = 0;
  std::int32_t column = 0;
};

struct Loops {
  /// Sum of the `keep` largest of `values` (all >= 0). `hint` is a guess of the threshold; it changes the time only.
  TopSum (*top_sum)(const float* values, std::int64_t padded, std::int64_t keep, float hint);
  /// First tile: sums_a + (row_b − row_a) against θ_a; second tile: sums_b − (row_b − row_a) against θ_b.
  ExchangeExcess (*exchange_excess)(const float* sums_a, const float* sums_b, const float* row_a, const float* row_b,
                                    std::int64_t padded, float threshold_a, float threshold_b);
  /// result = max(0, sums + (in − out)): rounding may not make a sum negative.
  void (*exchanged_sums)(const float* sums, const float* out, const float* in, std::int64_t padded, float* result);
  /// products[k] = Σ_c row[c]·others[k·padded + c] for k in [0, count).
  void (*dot_products)(const float* row, const float* others, std::int64_t count, std::int64_t padded, float* products);
  /// result[g·stride + j] = Σ_r max(least[g·rows + r], values[r·stride + j]) for g in [0, groups), j in [0, stride);
  /// stride is padded.
  void (*max_plus)(const float* least, const float* values, std::int64_t groups, std::int64_t rows, std::int64_t stride,
                   float* result);
  /// What two slots gain when they exchange their columns: Σ_r max(least_a, b) − max(least_a, a) + max(least_b, a) −
  /// max(least_b, b).
  float (*column_exchange)(const float* least_a, const float* least_b, const float* column_a, const float* column_b,
                           std::int64_t padded);
  /// Best and second best of row[j] − price[j]; at equal value the lowest column. All values above −1e38.
  Bid (*best_two)(const float* row, const float* price, std::int64_t padded);
};

/// The loops for this machine.
const Loops& loops();
/// The same without vector instructions: the oracle of the tests.
const Loops& plain_loops();
/// The loops of one instruction set; nullptr where they are not built. The processor may not be able to run them.
const Loops* avx512_loops();
const Loops* avx2_loops();
const Loops* neon_loops();

}  // namespace hinm
