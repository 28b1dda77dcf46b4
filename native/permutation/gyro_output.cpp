#include "permutation/gyro_output.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "permutation/assignment.h"
#include "permutation/balanced_clusters.h"
#include "permutation/loops.h"
#include "permutation/streams.h"
#include "sparsity/columns.h"
#include "sparsity/ranking.h"

namespace hinm {
namespace {

/// Rows drawn from every tile in each stage; for tiles of 16 rows and more.
constexpr std::array<std::int64_t, 7> schedule{8, 1, 4, 1, 2, 1, 1};
constexpr int cluster_rounds = 10;

/// Small tiles give up at most half of their rows.
std::int64_t samples_a_tile(std::int64_t scheduled, std::int64_t tile_rows) {
  return std::max<std::int64_t>(1, tile_rows >= 16 ? scheduled : std::min(scheduled, scheduled * tile_rows / 16));
}

class OutputSearch {
 public:
  OutputSearch(SearchContext& context, const GyroOutputRule& rule, Arrangement& arrangement)
      : context_(context),
        geometry_(context.geometry()),
        arrangement_(arrangement),
        kept_(rule.published_sum ? geometry_.cols - geometry_.kept_columns : geometry_.kept_columns),
        value_(static_cast<std::size_t>(geometry_.tiles)),
        sums_(geometry_.tiles, context.padded_scores().cols) {
    parallel_for(geometry_.tiles, context_.threads(), [this](std::int64_t tile, int) {
      double* sums = sums_.view().row(tile);
      column_sums(context_.scores(), arrangement_.rows.data() + geometry_.first_row(tile), geometry_.rows_of(tile),
                  sums);
      std::vector<double> scratch;
      value_[static_cast<std::size_t>(tile)] = sum_of_largest(sums, geometry_.cols, kept_, scratch);
    });
  }

  /// One try of a stage; whether the objective grew.
  bool try_samples(std::int64_t samples, std::int64_t iteration) {
    draw(samples, iteration);
    if (participants_.size() < 2) return false;
    cluster(samples, iteration);
    fill_costs();
    context_.spend(benefit_.rows * benefit_.cols * context_.output_weight());
    if (context_.stop_requested()) return false;
    return accept(assign(benefit_.view()));
  }

  std::int64_t participants(std::int64_t samples) const {
    return geometry_.tiles - (geometry_.rows_of(geometry_.tiles - 1) < samples ? 1 : 0);
  }

 private:
  /// Splits every tile that has enough rows into drawn and remaining rows.
  void draw(std::int64_t samples, std::int64_t iteration) {
    participants_.clear();
    drawn_.clear();
    remaining_.clear();
    for (std::int64_t tile = 0; tile < geometry_.tiles; ++tile) {
      const std::int64_t count = geometry_.rows_of(tile);
      if (count < samples) continue;
      participants_.push_back(tile);
      std::vector<std::uint32_t> rows(arrangement_.rows.begin() + geometry_.first_row(tile),
                                      arrangement_.rows.begin() + geometry_.first_row(tile) + count);
      RandomStream random = stream_of(context_, Purpose::output_rows, tile, iteration);
      for (std::int64_t i = 0; i < samples; ++i) {
        std::swap(rows[static_cast<std::size_t>(i)],
                  rows[static_cast<std::size_t>(i) + random.below(static_cast<std::uint32_t>(count - i))]);
      }
      drawn_.insert(drawn_.end(), rows.begin(), rows.begin() + samples);
      remaining_.emplace_back(rows.begin() + samples, rows.end());
    }
  }

  void cluster(std::int64_t samples, std::int64_t iteration) {
    clusters_.assign(participants_.size(), {});
    if (samples == 1) {
      for (std::size_t i = 0; i < drawn_.size(); ++i) clusters_[i] = {drawn_[i]};
      return;
    }
    RandomStream random = stream_of(context_, Purpose::clusters, 0, iteration);
    const std::vector<std::int64_t> capacity(participants_.size(), samples);
    const auto cluster = balanced_clusters(context_.padded_scores(), drawn_, capacity, cluster_rounds, random,
                                           context_.threads(), context_.control())
                             .cluster;
    for (std::size_t i = 0; i < drawn_.size(); ++i)
      clusters_[static_cast<std::size_t>(cluster[i])].push_back(drawn_[i]);
  }

  /// benefit[i][j] = Σ of the K' largest entries of R_i + E_j; HiNM minimises the complement, the same assignment.
  void fill_costs() {
    const auto count = static_cast<std::int64_t>(participants_.size());
    sum_moving_rows();
    benefit_ = Matrix<float>(count, count);
    parallel_for(count, context_.threads(), [&](std::int64_t i, int) {
      const std::vector<float> left = rounded(left_.view().row(i)), nothing(left.size());
      std::vector<float> sums(left.size());
      float threshold = 0;
      for (std::int64_t j = 0; j < count && !context_.stop_requested(); ++j) {
        loops().exchanged_sums(left.data(), nothing.data(), moved_rounded_.view().row(j), left_.cols, sums.data());
        const TopSum top = loops().top_sum(sums.data(), left_.cols, kept_, threshold);
        threshold = top.threshold;
        benefit_.at(i, j) = static_cast<float>(top.sum);
      }
    });
  }

  /// left_[i] = column sums of the rows that stay in tile i, moved_[j] = those of cluster j; float64, padded.
  void sum_moving_rows() {
    const auto count = static_cast<std::int64_t>(participants_.size());
    const std::int64_t samples = static_cast<std::int64_t>(drawn_.size()) / count;
    left_ = Matrix<double>(count, sums_.cols);
    moved_ = Matrix<double>(count, sums_.cols);
    moved_rounded_ = Matrix<float>(count, sums_.cols);
    parallel_for(count, context_.threads(), [&](std::int64_t i, int) {
      const auto& cluster = clusters_[static_cast<std::size_t>(i)];
      column_sums(context_.scores(), cluster.data(), static_cast<std::int64_t>(cluster.size()), moved_.view().row(i));
      const std::vector<float> moved = rounded(moved_.view().row(i));
      std::copy(moved.begin(), moved.end(), moved_rounded_.view().row(i));
      double* left = left_.view().row(i);
      column_sums(context_.scores(), drawn_.data() + i * samples, samples, left);
      const double* all = sums_.view().row(participants_[static_cast<std::size_t>(i)]);
      for (std::int64_t c = 0; c < sums_.cols; ++c) left[c] = std::max(0.0, all[c] - left[c]);
    });
  }

  std::vector<float> rounded(const double* sums) const {
    std::vector<float> result(static_cast<std::size_t>(sums_.cols));
    std::transform(sums, sums + sums_.cols, result.begin(), [](double x) { return static_cast<float>(x); });
    return result;
  }

  /// Moves every cluster to the tile it was assigned to when the float64 objective grows strictly.
  bool accept(const std::vector<std::int32_t>& assignment) {
    const auto count = static_cast<std::int64_t>(participants_.size());
    if (!may_gain(assignment)) return false;
    std::vector<double> value(participants_.size());
    parallel_for(count, context_.threads(), [&](std::int64_t i, int) {
      double* sums = left_.view().row(i);
      const double* moved = moved_.view().row(assignment[static_cast<std::size_t>(i)]);
      for (std::int64_t c = 0; c < sums_.cols; ++c) sums[c] += moved[c];
      std::vector<double> scratch;
      value[static_cast<std::size_t>(i)] = sum_of_largest(sums, geometry_.cols, kept_, scratch);
    });
    double gain = 0;
    for (std::size_t i = 0; i < value.size(); ++i)
      gain += value[i] - value_[static_cast<std::size_t>(participants_[i])];
    if (!(gain > 0)) return false;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::int64_t tile = participants_[i];
      value_[static_cast<std::size_t>(tile)] = value[i];
      const double* sums = left_.view().row(static_cast<std::int64_t>(i));
      std::copy(sums, sums + sums_.cols, sums_.view().row(tile));
      const auto& cluster = clusters_[static_cast<std::size_t>(assignment[i])];
      const auto end =
          std::copy(remaining_[i].begin(), remaining_[i].end(), arrangement_.rows.begin() + geometry_.first_row(tile));
      std::copy(cluster.begin(), cluster.end(), end);
    }
    return true;
  }

  /// Whether the float32 costs leave a gain possible; their rounding is below this share.
  bool may_gain(const std::vector<std::int32_t>& assignment) const {
    constexpr double rounding = 1e-5;
    double before = 0, after = 0;
    for (std::size_t i = 0; i < participants_.size(); ++i) {
      before += value_[static_cast<std::size_t>(participants_[i])];
      after += static_cast<double>(benefit_.at(static_cast<std::int64_t>(i), assignment[i]));
    }
    return after > before * (1 - rounding);
  }

  SearchContext& context_;
  const Geometry& geometry_;
  Arrangement& arrangement_;
  std::int64_t kept_;
  std::vector<double> value_;  ///< Σ of the K' largest column sums of each tile
  Matrix<double> sums_;        ///< column sums of each tile, padded
  Matrix<double> left_, moved_;
  Matrix<float> moved_rounded_;
  std::vector<std::int64_t> participants_;
  std::vector<std::uint32_t> drawn_;
  std::vector<std::vector<std::uint32_t>> remaining_, clusters_;
  Matrix<float> benefit_;
};

}  // namespace

void gyro_output(SearchContext& context, const GyroOutputRule& rule, Arrangement& arrangement) {
  const Geometry& geometry = context.geometry();
  if (!geometry.chooses_columns || geometry.tiles < 2 || geometry.kept_columns == geometry.cols) return;
  OutputSearch search(context, rule, arrangement);
  const std::int64_t limit = std::min(rule.evaluations, context.remaining());
  const std::int64_t start = context.spent();
  constexpr std::int64_t most_tries = 4096;
  std::int64_t iteration = rule.repetition * most_tries;
  for (const std::int64_t scheduled : schedule) {
    const std::int64_t samples = samples_a_tile(scheduled, geometry.tile_rows);
    const std::int64_t cost = search.participants(samples) * search.participants(samples) * context.output_weight();
    for (int failed = 0; failed < rule.patience;) {
      if (context.stop_requested() || context.spent() - start + cost > limit) break;
      failed = search.try_samples(samples, iteration++) ? 0 : failed + 1;
    }
  }
  for (std::int64_t tile = 0; tile < geometry.tiles; ++tile) {
    std::sort(arrangement.rows.begin() + geometry.first_row(tile),
              arrangement.rows.begin() + geometry.first_row(tile) + geometry.rows_of(tile));
  }
  context.choose_columns_of(arrangement);
  if (!context.stop_requested()) context.offer(arrangement);
}

}  // namespace hinm
