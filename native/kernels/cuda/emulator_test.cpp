// The emulator on kernels of a few lines, each with one mistake that a device would leave undefined.
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "kernels/cuda/simt/simt.h"

using namespace hinm;
using namespace hinm::simt;

namespace {

alignas(256) const std::uint32_t source[256] = {};

std::string run(int threads, std::size_t shared_bytes, const std::function<void()>& body) {
  Launch launch;
  launch.threads = threads;
  launch.shared_bytes = shared_bytes;
  launch.memory = {{source, sizeof source, false}};
  const Result<Counters> ran = Machine::current().run(launch, body);
  return ran.ok() ? "" : ran.error().message;
}

bool says(const std::string& sentence, const char* words) { return sentence.find(words) != std::string::npos; }

char* at(int offset) { return dynamic_shared_memory() + offset; }

}  // namespace

TEST_CASE("a value passed between warps needs a barrier") {
  const auto pass_on = [](bool with_barrier) {
    return run(64, 256, [=] {
      if (thread_index() == 0) store_shared(at(0), 7u);
      if (with_barrier) block_barrier();
      if (thread_index() == 40 && load_shared(at(0)) != 7u && with_barrier) Machine::current().fail("the value did not come over");
    });
  };
  CHECK(pass_on(true) == "");
  CHECK(says(pass_on(false), "without a barrier since another"));
}

TEST_CASE("lanes of one warp are ordered by __syncwarp only") {
  const auto pass_on = [](bool with_barrier) {
    return run(32, 256, [=] {
      if (thread_index() == 0) store_shared(at(0), 7u);
      if (with_barrier) warp_barrier();
      if (thread_index() == 1) load_shared(at(0));
    });
  };
  CHECK(pass_on(true) == "");
  CHECK(says(pass_on(false), "reads shared memory without a barrier since another thread wrote it"));
}

TEST_CASE("neighbouring words may be written at the same time, the same word may not") {
  CHECK(run(64, 256, [] { store_shared(at(thread_index() * 4), 1u); }) == "");
  CHECK(says(run(64, 256, [] { store_shared(at(0), 1u); }), "overwrites shared memory without a barrier since another thread wrote it"));
}

TEST_CASE("an asynchronous copy is there after its wait, not before") {
  CHECK(run(32, 512, [] {
          copy_async(at(thread_index() * 16), source, true);
          copy_async_commit();
          copy_async_wait<0>();
          std::uint32_t r[4];
          load_shared(r, at(thread_index() * 16));
        }) == "");
  CHECK(says(run(32, 512, [] {
          copy_async(at(thread_index() * 16), source, true);
          copy_async_commit();
          std::uint32_t r[4];
          load_shared(r, at(thread_index() * 16));
        }),
        "reads shared memory that an asynchronous copy still fills"));
  CHECK(says(run(32, 512, [] { copy_async(at(thread_index() * 16), source, true); }), "copies that were not waited for"));
  CHECK(says(run(32, 512, [] { copy_async(at(thread_index() * 16 + 4), source, true); }), "not aligned to 16 bytes"));
}

TEST_CASE("memory has ends, on the device and on the multiprocessor") {
  CHECK(says(run(32, 64, [] { load_shared(at(64)); }), "outside shared memory"));
  CHECK(says(run(32, 64, [] { load_global(source + 256); }), "outside the buffers of the launch"));
  CHECK(says(run(32, 64, [] { store_global(const_cast<std::uint32_t*>(source), 1u); }), "read-only"));
}

TEST_CASE("lanes that go different ways, and threads that never come, are a deadlock with its place") {
  // Which of the two is seen first depends on which warp runs first.
  const std::string one_warp = run(64, 64, [] {
    if (thread_index() < 32) block_barrier();
  });
  const bool named = says(one_warp, "__syncthreads after some threads of the block have ended") || says(one_warp, "deadlock: 32 threads wait at a barrier");
  CHECK(named);
  CHECK(says(run(32, 64, [] {
          if (thread_index() != 3) shuffle(1, 0);
        }),
        "deadlock: 0 threads wait at a barrier, 31 for the rest of their warp"));
  CHECK(says(run(32, 64, [] {
          if (thread_index() < 16) shuffle(1, 0);
          else warp_barrier();
        }),
        "while others of the same warp run"));
  CHECK(says(run(32, 64, [] {
          auto* barrier = reinterpret_cast<std::uint64_t*>(at(0));
          if (thread_index() == 0) phase_barrier_start(barrier, 33);
          block_barrier();
          phase_barrier_arrive(barrier);
          phase_barrier_wait(barrier, 0);
        }),
        "32 on an mbarrier"));
}

TEST_CASE("an mbarrier hands on what was written before the arrival, bulk copies included") {
  CHECK(run(64, 1024, [] {
          auto* barrier = reinterpret_cast<std::uint64_t*>(at(512));
          if (thread_index() == 0) phase_barrier_start(barrier, 32);
          block_barrier();
          if (thread_index() < 32) {
            if (thread_index() == 0) {
              phase_barrier_expect(barrier, 256);
              bulk_copy(at(0), source, 256, barrier);
            }
            store_shared(at(256 + thread_index() * 4), 1u);
            phase_barrier_arrive(barrier);
          } else {
            phase_barrier_wait(barrier, 0);
            load_shared(at((thread_index() - 32) * 4));
            load_shared(at(256 + (thread_index() - 32) * 4));
          }
        }) == "");
  CHECK(says(run(64, 1024, [] {
          auto* barrier = reinterpret_cast<std::uint64_t*>(at(512));
          if (thread_index() == 0) phase_barrier_start(barrier, 32);
          block_barrier();
          if (thread_index() < 32) {
            phase_barrier_arrive(barrier);
            store_shared(at(256), 1u);
          } else {
            phase_barrier_wait(barrier, 0);
            load_shared(at(256));
          }
        }),
        "without a barrier"));
}

TEST_CASE("results of other blocks are read behind a fence") {
  alignas(8) float partial[2] = {1, 2};
  std::uint32_t counter = 0;
  const auto sum = [&](bool fenced) {
    Launch launch;
    launch.threads = 32;
    launch.shared_bytes = 64;
    launch.memory = {{partial, sizeof partial, true}, {&counter, sizeof counter, true}};
    const Result<Counters> ran = Machine::current().run(launch, [&, fenced] {
      if (thread_index() != 0) return;
      if (fenced) device_fence();
      atomic_increment(&counter);
      if (fenced) device_fence();
      float pair[2];
      load_other_block(pair, partial);
    });
    return ran.ok() ? std::string() : ran.error().message;
  };
  CHECK(sum(true) == "");
  CHECK(says(sum(false), "published without a device-wide fence"));
}

TEST_CASE("a block of an impossible size is refused") {
  CHECK(says(run(33, 64, [] {}), "it runs multiples of 32 up to 512"));
  CHECK(says(run(0, 64, [] {}), "a block of 0 threads"));
}
