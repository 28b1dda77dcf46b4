#include "permutation/balanced_clusters.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "sparsity/test_support.h"

using namespace hinm;

namespace {

/// The least cost over all ways to give every point a cluster with room.
double best_cost(const Matrix<float>& cost, std::vector<std::int64_t> room, std::int64_t point = 0) {
  if (point == cost.rows) return 0;
  double best = std::numeric_limits<double>::infinity();
  for (std::int64_t k = 0; k < cost.cols; ++k) {
    auto& left = room[static_cast<std::size_t>(k)];
    if (left == 0) continue;
    --left;
    best = std::min(best, static_cast<double>(cost.at(point, k)) + best_cost(cost, room, point + 1));
    ++left;
  }
  return best;
}

}  // namespace

TEST_CASE("the balanced assignment is the cheapest one and fills every cluster exactly") {
  constexpr std::uint64_t seed = 51;
  INFO("seed ", seed);
  for (std::uint32_t trial = 0; trial < 1000; ++trial) {
    RandomStream random(seed, trial);
    const std::int64_t clusters = 1 + random.below(3);
    std::vector<std::int64_t> capacity(static_cast<std::size_t>(clusters));
    for (auto& room : capacity) room = 1 + random.below(3);
    const std::int64_t points = std::accumulate(capacity.begin(), capacity.end(), std::int64_t{0});
    const Matrix<float> cost = test::random_matrix(points, clusters, random, random.below(2) * 4);
    const auto cluster = assign_balanced(cost.view(), capacity);
    std::vector<std::int64_t> size(static_cast<std::size_t>(clusters));
    double sum = 0;
    for (std::int64_t p = 0; p < points; ++p) {
      ++size[static_cast<std::size_t>(cluster[static_cast<std::size_t>(p)])];
      sum += static_cast<double>(cost.at(p, cluster[static_cast<std::size_t>(p)]));
    }
    CHECK(size == capacity);
    CHECK(sum == doctest::Approx(best_cost(cost, capacity)).epsilon(1e-9));
  }
}

TEST_CASE("clearly separated rows are clustered together") {
  // Rows 0, 2, 4 … are near 0 and rows 1, 3, 5 … near 10.
  RandomStream random(52);
  Matrix<float> scores(12, 16);
  for (std::int64_t r = 0; r < 12; ++r) {
    for (std::int64_t c = 0; c < 5; ++c) scores.at(r, c) = static_cast<float>(10 * (r % 2) + random.uniform());
  }
  std::vector<std::uint32_t> rows(12);
  std::iota(rows.begin(), rows.end(), 0u);
  const auto cluster = balanced_clusters(scores.view(), rows, {6, 6}, 20, random, 2, {}).cluster;
  for (std::size_t r = 0; r < 12; ++r) CHECK(cluster[r] == cluster[r % 2]);
  CHECK(cluster[0] != cluster[1]);
}
