#include "permutation/assignment.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "sparsity/test_support.h"

using namespace hinm;

namespace {

double total(const Matrix<float>& benefit, const std::vector<std::int32_t>& assignment) {
  double sum = 0;
  for (std::int64_t i = 0; i < benefit.rows; ++i)
    sum += static_cast<double>(benefit.at(i, assignment[static_cast<std::size_t>(i)]));
  return sum;
}

bool is_permutation(std::vector<std::int32_t> assignment) {
  std::sort(assignment.begin(), assignment.end());
  for (std::size_t i = 0; i < assignment.size(); ++i) {
    if (assignment[i] != static_cast<std::int32_t>(i)) return false;
  }
  return true;
}

double best_of_all(const Matrix<float>& benefit) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(benefit.rows));
  std::iota(order.begin(), order.end(), 0);
  double best = -std::numeric_limits<double>::infinity();
  do best = std::max(best, total(benefit, order));
  while (std::next_permutation(order.begin(), order.end()));
  return best;
}

}  // namespace

TEST_CASE("the exact assignment equals the best of all permutations") {
  constexpr std::uint64_t seed = 41;
  INFO("seed ", seed);
  for (std::uint32_t trial = 0; trial < 1000; ++trial) {
    RandomStream random(seed, trial);
    const std::int64_t n = 1 + random.below(6);
    const Matrix<float> square = test::random_matrix(n, n, random, random.below(2) * 4);
    const auto exact = assign_exactly(square.view());
    REQUIRE(is_permutation(exact));
    CHECK(total(square, exact) == doctest::Approx(best_of_all(square)).epsilon(1e-9));
  }
}

TEST_CASE("the auction stays within its stated distance of the exact optimum") {
  constexpr std::uint64_t seed = 42;
  INFO("seed ", seed);
  for (std::uint32_t trial = 0; trial < 1000; ++trial) {
    RandomStream random(seed, trial);
    const std::int64_t n = 1 + random.below(24);
    Matrix<float> benefit(n, n);
    std::vector<double> row(static_cast<std::size_t>(n)), column(static_cast<std::size_t>(n));
    for (double& x : row) x = random.uniform();
    for (double& x : column) x = random.uniform();
    const bool correlated = random.below(2) == 1;
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const double noise = random.uniform();
        benefit.at(i, j) = static_cast<float>(
            correlated ? row[static_cast<std::size_t>(i)] * column[static_cast<std::size_t>(j)] + 0.02 * noise : noise);
      }
    }
    const auto [least, most] = std::minmax_element(benefit.data.begin(), benefit.data.end());
    const auto found = assign(benefit.view());
    REQUIRE(is_permutation(found));
    // n·ε with ε = range/(64·n).
    CHECK(total(benefit, found) >= total(benefit, assign_exactly(benefit.view())) - (*most - *least) / 64.0 - 1e-9);
  }
}

TEST_CASE("the auction ends on all equal, huge, tiny and tied benefits") {
  RandomStream random(43);
  for (const std::int64_t n : {1, 2, 5, 64}) {
    CHECK(is_permutation(assign(Matrix<float>(n, n, 7.0f).view())));
    Matrix<float> huge(n, n), tied = test::random_matrix(n, n, random, 2);
    for (float& x : huge.data) x = random.below(2) == 0 ? 3e38f : -3e38f;
    Matrix<float> mixed(n, n);
    for (std::size_t i = 0; i < mixed.data.size(); ++i)
      mixed.data[i] = i % 3 == 0 ? 1e30f : 1e-30f * static_cast<float>(i);
    Matrix<float> contested(n, n);
    for (std::int64_t i = 0; i < n; ++i) contested.at(i, 0) = 1;
    for (const Matrix<float>& benefit : {huge, tied, mixed, contested}) CHECK(is_permutation(assign(benefit.view())));
  }
}
