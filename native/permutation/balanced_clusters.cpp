#include "permutation/balanced_clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/parallel.h"
#include "permutation/loops.h"

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
    // No path is shorter than the nearest cluster with room while no move into a cluster with room pays.
    const auto nearest = std::min_element(distance_.begin(), distance_.end()) - distance_.begin();
    if (free_[static_cast<std::size_t>(nearest)] == 0) {
      for (std::int64_t round = 1; round < clusters_; ++round) {
        if (!relax()) break;
      }
    }
    std::int64_t end = free_[static_cast<std::size_t>(nearest)] > 0 ? nearest : -1;
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

/// cost[p][k] = |centre k|² − 2·row p·centre k: the squared distance without |row p|², which is the same for every k.
void fill_distances(MatrixView<const float> scores, const std::vector<std::uint32_t>& rows,
                    const Matrix<float>& centres, Matrix<float>& cost, int threads, const JobControl& control) {
  std::vector<float> lengths(static_cast<std::size_t>(centres.rows));
  for (std::int64_t k = 0; k < centres.rows; ++k) {
    loops().dot_products(centres.view().row(k), centres.view().row(k), 1, centres.cols,
                         &lengths[static_cast<std::size_t>(k)]);
  }
  parallel_for(cost.rows, threads, [&](std::int64_t p, int) {
    if (control.stop_requested()) return;
    float* distances = cost.view().row(p);
    loops().dot_products(scores.row(rows[static_cast<std::size_t>(p)]), centres.data.data(), centres.rows, centres.cols,
                         distances);
    for (std::int64_t k = 0; k < centres.rows; ++k)
      distances[k] = lengths[static_cast<std::size_t>(k)] - 2 * distances[k];
  });
}

float dot(const float* a, const float* b, std::int64_t padded) {
  float product = 0;
  loops().dot_products(a, b, 1, padded, &product);
  return product;
}

/// k-means++ (Arthur and Vassilvitskii, SODA 2007): each centre is a row drawn in proportion to its squared distance
/// from the centres so far.
Matrix<float> first_centres(MatrixView<const float> scores, const std::vector<std::uint32_t>& rows,
                            std::int64_t clusters, RandomStream& random) {
  Matrix<float> centres(clusters, scores.cols);
  std::vector<double> nearest(rows.size(), std::numeric_limits<double>::infinity());
  std::vector<double> length(rows.size());
  for (std::size_t p = 0; p < rows.size(); ++p) length[p] = dot(scores.row(rows[p]), scores.row(rows[p]), scores.cols);
  std::size_t chosen = random.below(static_cast<std::uint32_t>(rows.size()));
  for (std::int64_t k = 0; k < clusters; ++k) {
    const float* row = scores.row(rows[chosen]);
    std::copy(row, row + scores.cols, centres.view().row(k));
    const double centre_length = length[chosen];
    double total = 0;
    for (std::size_t p = 0; p < rows.size(); ++p) {
      const double product = dot(scores.row(rows[p]), row, scores.cols);
      nearest[p] = std::min(nearest[p], std::max(0.0, length[p] + centre_length - 2 * product));
      total += nearest[p];
    }
    chosen = random.below(static_cast<std::uint32_t>(rows.size()));
    if (total > 0) {
      double target = random.uniform() * total;
      chosen = 0;
      while (chosen + 1 < rows.size() && target >= nearest[chosen]) target -= nearest[chosen++];
    }
  }
  return centres;
}

void move_centres(MatrixView<const float> scores, const std::vector<std::uint32_t>& rows,
                  const std::vector<std::int32_t>& cluster, Matrix<float>& centres) {
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

Clustering balanced_clusters(MatrixView<const float> scores, const std::vector<std::uint32_t>& rows,
                             const std::vector<std::int64_t>& capacity, int iterations, RandomStream& random,
                             int threads, const JobControl& control) {
  const auto clusters = static_cast<std::int64_t>(capacity.size());
  Matrix<float> centres = first_centres(scores, rows, clusters, random);
  Matrix<float> cost(static_cast<std::int64_t>(rows.size()), clusters);
  Clustering result;
  while (result.rounds < iterations) {
    fill_distances(scores, rows, centres, cost, threads, control);
    std::vector<std::int32_t> next = assign_balanced(cost.view(), capacity);
    ++result.rounds;
    const bool settled = next == result.cluster;
    result.cluster = std::move(next);
    if (settled || control.stop_requested()) break;
    move_centres(scores, rows, result.cluster, centres);
  }
  return result;
}

}  // namespace hinm
