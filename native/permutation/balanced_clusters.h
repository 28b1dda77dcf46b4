// Balanced k-means: clusters of exactly equal size.
#pragma once

#include <cstdint>
#include <vector>

#include "base/job_control.h"
#include "base/matrix.h"
#include "base/random.h"

namespace hinm {

/// Puts every point into one of `capacity.size()` clusters such that cluster k holds exactly capacity[k] points and
/// Σ cost[p][cluster(p)] is least: minimum-cost flow by successive shortest paths over the clusters, exact,
/// O(points · clusters²). Σ capacity = cost.rows, cost.cols = capacity.size().
std::vector<std::int32_t> assign_balanced(MatrixView<const float> cost, const std::vector<std::int64_t>& capacity);

/// Clusters the listed rows of `scores` (padded to lanes; Euclidean distance on the rows) into capacity.size() clusters
/// of exactly capacity[k] rows; Σ capacity = rows.size(). Starts from k-means++ centres drawn from `random`, at most
/// `iterations` (>= 1) rounds, stops when nothing moves. After a cancel some balanced clustering.
struct Clustering {
  std::vector<std::int32_t> cluster;  ///< of each listed row
  int rounds = 0;
};
Clustering balanced_clusters(MatrixView<const float> scores, const std::vector<std::uint32_t>& rows,
                             const std::vector<std::int64_t>& capacity, int iterations, RandomStream& random,
                             int threads, const JobControl& control);

}  // namespace hinm
