// The body of loops.h for one instruction set: included once for each, inside a namespace that defines `Lanes` (sixteen
// floats) and `best_two`. No include guard on purpose.

/// Adds the lanes in a fixed tree.
inline float lane_sum(const Lanes& lanes) {
  float values[lane_count];
  lanes.store(values);
  for (std::int64_t width = lane_count / 2; width > 0; width /= 2) {
    for (std::int64_t i = 0; i < width; ++i) values[i] += values[i + width];
  }
  return values[0];
}

inline std::int64_t count_above(const float* values, std::int64_t padded, float threshold) {
  const Lanes limit = Lanes::broadcast(threshold);
  std::int64_t count = 0;
  for (std::int64_t c = 0; c < padded; c += lane_count) count += Lanes::count_greater(Lanes::load(values + c), limit);
  return count;
}

inline TopSum sum_above(const float* values, std::int64_t padded, std::int64_t keep, float threshold) {
  const Lanes limit = Lanes::broadcast(threshold);
  Lanes sum = Lanes::broadcast(0.0f);
  std::int64_t count = 0;
  for (std::int64_t c = 0; c < padded; c += lane_count) {
    const Lanes x = Lanes::load(values + c);
    count += Lanes::count_greater(x, limit);
    sum = sum + Lanes::where_greater(x, limit);
  }
  return {static_cast<double>(lane_sum(sum)) + static_cast<double>(keep - count) * static_cast<double>(threshold),
          threshold};
}

/// The float half way between two non-negative ones in the order of representable numbers.
inline float middle(float low, float high) {
  std::uint32_t a, b;
  std::memcpy(&a, &low, sizeof a);
  std::memcpy(&b, &high, sizeof b);
  const std::uint32_t between = a + (b - a) / 2;
  float result;
  std::memcpy(&result, &between, sizeof result);
  return result;
}

/// Brackets the keep-th largest between low (more than `keep` above, or as many) and high (fewer), first by
/// interpolating the counts, then by halving the representable numbers, which ends after at most 31 steps.
inline TopSum top_sum(const float* values, std::int64_t padded, std::int64_t keep, float hint) {
  float low = 0;
  std::int64_t above_low = -1;
  float high = hint > 0 ? hint : 1.0f;
  for (;;) {
    const std::int64_t count = count_above(values, padded, high);
    if (count == keep) return sum_above(values, padded, keep, high);
    if (count < keep) {
      std::int64_t above_high = count;
      if (above_low < 0) {
        // Values near the hint are likely; look just below it before looking at all of them.
        float near = high * 0.98f;
        std::int64_t above_near = count_above(values, padded, near);
        for (float step = 0.9f; above_near < keep && step > 0.5f; step -= 0.2f) {
          high = near;
          above_high = above_near;
          near *= step;
          above_near = count_above(values, padded, near);
        }
        if (above_near >= keep) {
          low = near;
          above_low = above_near;
        } else {
          high = near;
          above_high = above_near;
          above_low = count_above(values, padded, 0.0f);
          if (above_low <= keep) return sum_above(values, padded, keep, 0.0f);
        }
      }
      if (above_low == keep) return sum_above(values, padded, keep, low);
      for (int step = 0;; ++step) {
        const double share = static_cast<double>(above_low - keep) / static_cast<double>(above_low - above_high);
        float next = low + (high - low) * static_cast<float>(share < 0.03 ? 0.03 : share > 0.97 ? 0.97 : share);
        if (step >= 8 || !(next > low && next < high)) next = middle(low, high);
        if (next == low) return sum_above(values, padded, keep, high);
        const std::int64_t between = count_above(values, padded, next);
        if (between == keep) return sum_above(values, padded, keep, next);
        if (between > keep) {
          low = next;
          above_low = between;
        } else {
          high = next;
          above_high = between;
        }
      }
    }
    low = high;
    above_low = count;
    high = high < 1e30f ? high * 1.02f + 1e-30f : 3.4e38f;
    if (above_low > 2 * keep) high = high < 1e30f ? high * 1.5f : 3.4e38f;
  }
}

inline ExchangeExcess exchange_excess(const float* sums_a, const float* sums_b, const float* row_a, const float* row_b,
                                      std::int64_t padded, float threshold_a, float threshold_b) {
  const Lanes zero = Lanes::broadcast(0.0f), limit_a = Lanes::broadcast(threshold_a),
              limit_b = Lanes::broadcast(threshold_b);
  Lanes first = zero, second = zero;
  for (std::int64_t c = 0; c < padded; c += lane_count) {
    const Lanes moved = Lanes::load(row_b + c) - Lanes::load(row_a + c);
    first = first + Lanes::larger((Lanes::load(sums_a + c) + moved) - limit_a, zero);
    second = second + Lanes::larger((Lanes::load(sums_b + c) - moved) - limit_b, zero);
  }
  return {lane_sum(first), lane_sum(second)};
}

inline void exchanged_sums(const float* sums, const float* out, const float* in, std::int64_t padded, float* result) {
  const Lanes zero = Lanes::broadcast(0.0f);
  for (std::int64_t c = 0; c < padded; c += lane_count) {
    Lanes::larger(Lanes::load(sums + c) + (Lanes::load(in + c) - Lanes::load(out + c)), zero).store(result + c);
  }
}

inline void dot_products(const float* row, const float* others, std::int64_t count, std::int64_t padded,
                         float* products) {
  std::int64_t k = 0;
  for (; k + 4 <= count; k += 4) {
    const float* other = others + k * padded;
    Lanes sum0 = Lanes::broadcast(0.0f), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    for (std::int64_t c = 0; c < padded; c += lane_count) {
      const Lanes x = Lanes::load(row + c);
      sum0 = sum0 + x * Lanes::load(other + c);
      sum1 = sum1 + x * Lanes::load(other + padded + c);
      sum2 = sum2 + x * Lanes::load(other + 2 * padded + c);
      sum3 = sum3 + x * Lanes::load(other + 3 * padded + c);
    }
    products[k] = lane_sum(sum0);
    products[k + 1] = lane_sum(sum1);
    products[k + 2] = lane_sum(sum2);
    products[k + 3] = lane_sum(sum3);
  }
  for (; k < count; ++k) {
    Lanes sum = Lanes::broadcast(0.0f);
    for (std::int64_t c = 0; c < padded; c += lane_count)
      sum = sum + Lanes::load(row + c) * Lanes::load(others + k * padded + c);
    products[k] = lane_sum(sum);
  }
}

/// Four groups by sixteen columns stay in registers over all rows.
inline void max_plus(const float* least, const float* values, std::int64_t groups, std::int64_t rows,
                     std::int64_t stride, float* result) {
  std::int64_t g = 0;
  for (; g + 4 <= groups; g += 4) {
    const float* l = least + g * rows;
    for (std::int64_t j = 0; j < stride; j += lane_count) {
      Lanes sum0 = Lanes::broadcast(0.0f), sum1 = sum0, sum2 = sum0, sum3 = sum0;
      for (std::int64_t r = 0; r < rows; ++r) {
        const Lanes x = Lanes::load(values + r * stride + j);
        sum0 = sum0 + Lanes::larger(x, Lanes::broadcast(l[r]));
        sum1 = sum1 + Lanes::larger(x, Lanes::broadcast(l[rows + r]));
        sum2 = sum2 + Lanes::larger(x, Lanes::broadcast(l[2 * rows + r]));
        sum3 = sum3 + Lanes::larger(x, Lanes::broadcast(l[3 * rows + r]));
      }
      sum0.store(result + g * stride + j);
      sum1.store(result + (g + 1) * stride + j);
      sum2.store(result + (g + 2) * stride + j);
      sum3.store(result + (g + 3) * stride + j);
    }
  }
  for (; g < groups; ++g) {
    for (std::int64_t j = 0; j < stride; j += lane_count) {
      Lanes sum = Lanes::broadcast(0.0f);
      for (std::int64_t r = 0; r < rows; ++r)
        sum = sum + Lanes::larger(Lanes::load(values + r * stride + j), Lanes::broadcast(least[g * rows + r]));
      sum.store(result + g * stride + j);
    }
  }
}

inline float column_exchange(const float* least_a, const float* least_b, const float* column_a, const float* column_b,
                             std::int64_t padded) {
  Lanes gain = Lanes::broadcast(0.0f);
  for (std::int64_t r = 0; r < padded; r += lane_count) {
    const Lanes la = Lanes::load(least_a + r), lb = Lanes::load(least_b + r);
    const Lanes a = Lanes::load(column_a + r), b = Lanes::load(column_b + r);
    gain = gain + ((Lanes::larger(la, b) - Lanes::larger(la, a)) + (Lanes::larger(lb, a) - Lanes::larger(lb, b)));
  }
  return lane_sum(gain);
}

inline const Loops& table() {
  static const Loops all{top_sum, exchange_excess, exchanged_sums, dot_products, max_plus, column_exchange, best_two};
  return all;
}
