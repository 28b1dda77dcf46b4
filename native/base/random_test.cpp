#include "base/random.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

using hinm::RandomStream;

TEST_CASE("Philox4x32-10 reproduces the known answers of its authors") {
  // Random123's kat_vectors: all-zero and all-one inputs.
  CHECK(hinm::philox({0, 0, 0, 0}, {0, 0}) == std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(hinm::philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}) ==
        std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
}

TEST_CASE("a stream depends on all of its keys and on nothing else") {
  RandomStream first(7, 1, 2, 3), again(7, 1, 2, 3), other(7, 1, 2, 4);
  bool differs = false;
  for (int i = 0; i < 64; ++i) {
    const auto value = first();
    CHECK(value == again());
    differs = differs || value != other();
  }
  CHECK(differs);
}

TEST_CASE("below stays in range and is even") {
  RandomStream random(1);
  std::vector<int> counts(6);
  for (int i = 0; i < 60000; ++i) ++counts[random.below(6)];
  // Binomial with mean 10,000 and sd 91: six standard deviations.
  for (const int count : counts) CHECK(std::abs(count - 10000) < 550);
}

TEST_CASE("shuffle is a bijection") {
  std::vector<int> order(257);
  std::iota(order.begin(), order.end(), 0);
  RandomStream random(3);
  hinm::shuffle(order.data(), 257u, random);
  std::vector<bool> seen(257);
  for (const int i : order) seen[static_cast<std::size_t>(i)] = true;
  for (const bool was : seen) CHECK(was);
}

TEST_CASE("normal has mean 0 and variance 1") {
  RandomStream random(11);
  double sum = 0, squares = 0;
  constexpr int count = 200000;
  for (int i = 0; i < count; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
  }
  // Standard errors: 1/√n = 0.0022 and √(2/n) = 0.0032; five of each.
  CHECK(std::abs(sum / count) < 0.0112);
  CHECK(std::abs(squares / count - 1) < 0.016);
}
