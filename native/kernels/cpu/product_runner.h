// One contestant of a benchmark, alone in its process: a product that is ready to be called again and again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/job_control.h"
#include "base/result.h"
#include "kernels/cpu/dense_baseline.h"
#include "kernels/cpu/packed_weights.h"
#include "kernels/cpu/reference.h"

namespace hinm::kernels {

/// What the caches hold when a call begins.
enum class CacheState {
  warm,      ///< the same operands each call
  rotating,  ///< operand sets in turn, together at least twice the last-level cache
  cold,      ///< a buffer of twice the last-level cache is written before each call, outside the timed part
};

struct RunnerPlan {
  std::int64_t columns = 1;  ///< N
  int threads = 1;
  std::uint64_t seed = 0;    ///< of the activations
  CacheState caches = CacheState::warm;
};

/// Milliseconds of one call, every sample in the order taken.
struct RunnerSamples {
  std::vector<double> wall;
  std::vector<double> processor;  ///< processor time of the whole process, all threads together
};

class ProductRunner {
 public:
  /// The packed product. `weights` and `mask` are what it was packed from.
  static Result<std::unique_ptr<ProductRunner>> sparse(std::shared_ptr<const PackedWeights> packed, const RunnerPlan& plan);
  /// A dense library on `weights`, which are copied.
  static Result<std::unique_ptr<ProductRunner>> dense(DenseLibrary library, MatrixView<const float> weights, const RunnerPlan& plan);

  const std::string& name() const { return name_; }
  /// Operand sets that the calls go through.
  std::int64_t sets() const { return static_cast<std::int64_t>(calls_.size()); }

  /// `count` samples of `calls` calls each; a cold run always takes one call a sample.
  Result<RunnerSamples> sample(std::int64_t count, std::int64_t calls, const JobControl& control);
  /// Poisons the output, runs every operand set once and returns the largest error against float64 (W∘mask)·X on the
  /// weights as stored. A dense runner is checked with a mask of ones.
  ProductError check(MatrixView<const float> weights, const MaskView& mask, ValueType stored);

 private:
  explicit ProductRunner(const RunnerPlan& plan) : plan_(plan) {}
  void allocate(std::int64_t rows, std::int64_t cols, std::int64_t weight_bytes);
  void flush();

  RunnerPlan plan_;
  std::string name_;
  std::vector<Matrix<float>> activations_;
  Matrix<float> output_;
  std::vector<std::shared_ptr<const void>> operands_;
  std::vector<std::function<void()>> calls_;
  std::vector<std::uint8_t> flush_buffer_;
  std::size_t next_ = 0;
};

/// Bytes of the last-level cache as the operating system states them; 32 MiB where it does not.
std::int64_t last_level_cache_bytes();

}  // namespace hinm::kernels
