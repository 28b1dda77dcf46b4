#include "permutation/balanced_clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/parallel.h"

namespace hinm {
namespace {

/// The residual graph contracted to clusters: the edge a → b is the cheapest move of one point of a to b.
class ClusterFlow {
 public:
  ClusterFlow(MatrixView<const float> cost, const std::vector<std::int64_t>& capacity)
      : cost_(cost),
        clusters_(cost.cols),
        free_(capacity),
        members_(capacity.size()),
        cluster_(static_cast<std::size_t>(cost.rows), -1),
        edge_(cost.cols, cost.cols, infinite),
        mover_(cost.cols, cost.cols, -1),
        distance_(capacity.size()),
        from_(capacity.size()) {}

  std::vector<std::int32_t> run() {
    for (std::int64_t point = 0; point < cost_.rows; ++point) insert(point);
    return std::move(cluster_);
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  double at(std::int64_t point, std::int64_t cluster) const { return static_cast<double>(cost_.at(point, cluster)); }

  /// Shortest path from the point to any cluster with room (Bellman–Ford: edges may be negative, cycles are not).
  void insert(std::int64_t point) {
    for (std::int64_t k = 0; k < clusters_; ++k) {
      distance_[static_cast<std::size_t>(k)] = at(point, k);
      from_[static_cast<std::size_t>(k)] = -1;
    }
    for (std::int64_t round = 1; round < clusters_; ++round) {
      if (!relax()) break;
    }
    std::int64_t end = -1;
    for (std::int64_t k = 0; k < clusters_; ++k) {
      const auto slot = static_cast<std::size_t>(k);
      if (free_[slot] > 0 && (end < 0 || distance_[slot] < distance_[static_cast<std::size_t>(end)])) end = k;
    }
    --free_[static_cast<std::size_t>(end)];
    move_along(point, end);
  }

  bool relax() {
    // Rounding may make a zero cycle look negative by an ulp; a path must be shorter by more than that.
    bool shorter = false;
    for (std::int64_t a = 0; a < clusters_; ++a) {
      if (members_[static_cast<std::size_t>(a)].empty()) continue;
      const double reach = distance_[static_cast<std::size_t>(a)];
      for (std::int64_t b = 0; b < clusters_; ++b) {
        const double through = reach + edge_.at(a, b);
        const double now = distance_[static_cast<std::size_t>(b)];
        if (through < now - 1e-12 * (std::abs(now) + std::abs(through))) {
          if (on_path(b, a)) continue;
          distance_[static_cast<std::size_t>(b)] = through;
          from_[static_cast<std::size_t>(b)] = a;
          shorter = true;
        }
      }
    }
    return shorter;
  }

  bool on_path(std::int64_t wanted, std::int64_t end) const {
    for (std::int64_t k = end; k >= 0; k = from_[static_cast<std::size_t>(k)]) {
      if (k == wanted) return true;
    }
    return false;
  }

  void move_along(std::int64_t point, std::int64_t end) {
    std::vector<std::int64_t> path;
    for (std::int64_t k = end; k >= 0; k = from_[static_cast<std::size_t>(k)]) path.push_back(k);
    std::reverse(path.begin(), path.end());
    std::int64_t carried = point;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const std::int64_t a = path[i];
      const std::int64_t leaving = i + 1 < path.size() ? mover_.at(a, path[i + 1]) : -1;
      auto& members = members_[static_cast<std::size_t>(a)];
      if (leaving >= 0) members.erase(std::find(members.begin(), members.end(), leaving));
      members.push_back(carried);
      cluster_[static_cast<std::size_t>(carried)] = static_cast<std::int32_t>(a);
      carried = leaving;
    }
    for (const std::int64_t a : path) refresh(a);
  }

  void refresh(std::int64_t a) {
    for (std::int64_t b = 0; b < clusters_; ++b) edge_.at(a, b) = infinite;
    for (const std::int64_t point : members_[static_cast<std::size_t>(a)]) {
      const double here = at(point, a);
      for (std::int64_t b = 0; b < clusters_; ++b) {
        const double moved = at(point, b) - here;
        if (b != a && moved < edge_.at(a, b)) {
          edge_.at(a, b) = moved;
          mover_.at(a, b) = point;
        }
      }
    }
  }

  MatrixView<const float> cost_;
  std::int64_t clusters_;
  std::vector<std::int64_t> free_;
  std::vector<std::vector<std::int64_t>> members_;
  std::vector<std::int32_t> cluster_;
  Matrix<double> edge_;
  Matrix<std::int64_t> mover_;
  std::vector<double> distance_;
  std::vector<std::int64_t> from_;
};

/// Squared distance; four partial sums in fixed order.
float squared_distance(const float* a, const float* b, std::int64_t count) {
  float sums[16] = {};
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    for (int lane = 0; lane < 16; ++lane) {
      const float difference = a[i + lane] - b[i + lane];
      sums[lane] += difference * difference;
    }
  }
  for (; i < count; ++i) sums[i & 15] += (a[i] - b[i]) * (a[i] - b[i]);
  for (int width = 8; width > 0; width /= 2) {
    for (int lane = 0; lane < width; ++lane) sums[lane] += sums[lane + width];
  }
  return sums[0];
}

/// k-means++ (Arthur and Vassilvitskii, SODA 2007): each centre is a row drawn in proportion to its squared distance
/// from the centres so far.
Matrix<float> first_centres(MatrixView<const float> scores, const std::vector<std::uint32_t>& rows, std::int64_t clusters, RandomStream& random) {
  Matrix<float> centres(clusters, scores.cols);
  std::vector<double> nearest(rows.size(), std::numeric_limits<double>::infinity());
  std::size_t chosen = random.below(static_cast<std::uint32_t>(rows.size()));
  for (std::int64_t k = 0; k < clusters; ++k) {
    const float* row = scores.row(rows[chosen]);
    std::copy(row, row + scores.cols, centres.view().row(k));
    double total = 0;
    for (std::size_t p = 0; p < rows.size(); ++p) {
      nearest[p] = std::min(nearest[p], static_cast<double>(squared_distance(scores.row(rows[p]), row, scores.cols)));
      total += nearest[p];
    }
    if (total > 0) {
      double target = random.uniform() * total;
      chosen = 0;
      while (chosen + 1 < rows.size() && target >= nearest[chosen]) target -= nearest[chosen++];
    } else {
      chosen = random.below(static_cast<std::uint32_t>(rows.size()));
    }
  }
  return centres;
}

void move_centres(MatrixView<const float> scores, const std::vector<std::uint32_t>& rows, const std::vector<std::int32_t>& cluster,
                  Matrix<float>& centres) {
  std::fill(centres.data.begin(), centres.data.end(), 0.0f);
  std::vector<std::int64_t> size(static_cast<std::size_t>(centres.rows));
  for (std::size_t p = 0; p < rows.size(); ++p) {
    float* centre = centres.view().row(cluster[p]);
    const float* row = scores.row(rows[p]);
    for (std::int64_t c = 0; c < scores.cols; ++c) centre[c] += row[c];
    ++size[static_cast<std::size_t>(cluster[p])];
  }
  for (std::int64_t k = 0; k < centres.rows; ++k) {
    const float scale = 1.0f / static_cast<float>(std::max<std::int64_t>(1, size[static_cast<std::size_t>(k)]));
    for (std::int64_t c = 0; c < centres.cols; ++c) centres.at(k, c) *= scale;
  }
}

}  // namespace

std::vector<std::int32_t> assign_balanced(MatrixView<const float> cost, const std::vector<std::int64_t>& capacity) {
  return ClusterFlow(cost, capacity).run();
}

std::vector<std::int32_t> balanced_clusters(MatrixView<const float> scores, const std::vector<std::uint32_t>& rows,
                                            const std::vector<std::int64_t>& capacity, int iterations, RandomStream& random, int threads,
                                            const JobControl& control) {
  const auto clusters = static_cast<std::int64_t>(capacity.size());
  Matrix<float> centres = first_centres(scores, rows, clusters, random);
  Matrix<float> cost(static_cast<std::int64_t>(rows.size()), clusters);
  std::vector<std::int32_t> cluster;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    parallel_for(cost.rows, threads, [&](std::int64_t p, int) {
      if (control.stop_requested()) return;
      const float* row = scores.row(rows[static_cast<std::size_t>(p)]);
      for (std::int64_t k = 0; k < clusters; ++k) cost.at(p, k) = squared_distance(row, centres.view().row(k), scores.cols);
    });
    std::vector<std::int32_t> next = assign_balanced(cost.view(), capacity);
    if (next == cluster || control.stop_requested()) return next;
    cluster = std::move(next);
    move_centres(scores, rows, cluster, centres);
  }
  return cluster;
}

}  // namespace hinm
