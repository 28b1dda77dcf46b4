// What a running strategy works on: the matrix, its budget, the best order so far and its trace.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "base/job_control.h"
#include "permutation/search.h"

namespace hinm {

/// Rows and columns of an order without its history. Rows of a tile are kept in ascending order: their order inside a
/// tile changes nothing, and float64 sums over them then do not depend on how the tile was found.
struct Arrangement {
  std::vector<std::uint32_t> rows;     ///< σ_o
  std::vector<std::uint32_t> columns;  ///< tiles × K'
};

class SearchContext {
 public:
  SearchContext(const SearchRequest& request, const Geometry& geometry, const JobControl& control);

  MatrixView<const float> scores() const { return request_.scores; }
  /// The scores with a row stride that is a multiple of 16 and zeros beyond the columns; the caller's own memory where
  /// the columns are a multiple of 16 already.
  MatrixView<const float> padded_scores() const { return padded_; }
  const Geometry& geometry() const { return geometry_; }
  std::uint64_t seed() const { return request_.seed; }
  std::uint32_t layer() const { return request_.layer; }
  int threads() const { return request_.threads; }
  const JobControl& control() const { return control_; }
  bool stop_requested() const { return control_.stop_requested(); }

  /// What one candidate of the output side counts (search.h).
  std::int64_t output_weight() const { return 1 + geometry_.cols / 16; }
  /// Evaluations that may still be spent; a very large number without a budget.
  std::int64_t remaining() const;
  void spend(std::int64_t evaluations) { spent_ += evaluations; }
  std::int64_t spent() const { return spent_; }

  /// Chooses the columns of `arrangement` for its rows, ascending.
  void choose_columns_of(Arrangement& arrangement) const;
  /// Takes `arrangement` as the best so far when it keeps more after the whole pattern.
  void offer(const Arrangement& arrangement);
  /// The best so far; before the first offer the original order.
  const Arrangement& best() const { return best_; }
  double best_kept() const { return best_kept_; }

  Order finish() &&;

 private:
  double elapsed() const;
  void record();

  const SearchRequest& request_;
  const Geometry& geometry_;
  const JobControl& control_;
  Matrix<float> padded_copy_;
  MatrixView<const float> padded_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::int64_t spent_ = 0;
  Arrangement best_;
  double best_kept_ = 0;
  SearchTrace trace_;
};

/// Saliency kept after the whole pattern, float64, summed tile by tile in order.
double kept_saliency(MatrixView<const float> scores, const Geometry& geometry, const Arrangement& arrangement,
                     int threads);

}  // namespace hinm
