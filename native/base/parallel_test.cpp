#include "base/parallel.h"

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

TEST_CASE("every index is visited once, whatever the thread count") {
  for (const int threads : {1, 2, 7}) {
    for (const std::int64_t count : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
      std::atomic<bool> worker_in_range{true};
      hinm::parallel_for(count, threads, [&](std::int64_t i, int worker) {
        ++visits[static_cast<std::size_t>(i)];
        if (worker < 0 || worker >= threads) worker_in_range = false;
      });
      for (const auto& visited : visits) CHECK(visited == 1);
      CHECK(worker_in_range);
    }
  }
}

TEST_CASE("a loop inside a loop finishes") {
  std::atomic<int> total{0};
  hinm::parallel_for(8, 3, [&](std::int64_t, int) { hinm::parallel_for(8, 3, [&](std::int64_t, int) { ++total; }); });
  CHECK(total == 64);
}

TEST_CASE("many short loops in a row neither hang nor lose items") {
  std::atomic<std::int64_t> total{0};
  for (int round = 0; round < 2000; ++round) hinm::parallel_for(3, 3, [&](std::int64_t i, int) { total += i; });
  CHECK(total == 2000 * 3);
}
