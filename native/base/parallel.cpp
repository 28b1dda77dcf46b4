#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace hinm {
namespace {

thread_local bool inside_loop = false;

/// Waking a sleeping thread costs about 30 µs, as much as a twentieth of a small product. Loops that follow each other at
/// once find their threads still awake; then they sleep.
constexpr auto awake_time = std::chrono::microseconds(50);

/// Whether `condition` came true while staying awake for it.
template <class Condition>
bool came_soon(const Condition& condition) {
  const auto until = std::chrono::steady_clock::now() + awake_time;
  do {
    for (int i = 0; i < 64; ++i) {
      if (condition()) return true;
#if defined(__x86_64__) && defined(__GNUC__)
      __builtin_ia32_pause();
#endif
    }
  } while (std::chrono::steady_clock::now() < until);
  return false;
}

/// One loop in flight. Workers that wake late find no index left and go back to sleep.
struct Loop {
  const std::function<void(std::int64_t, int)>* body;
  std::int64_t count;
  int helpers;
  std::atomic<std::int64_t> next{0};
  std::atomic<int> joined{0};
  std::atomic<std::int64_t> finished{0};

  void work(int worker) {
    inside_loop = true;
    for (std::int64_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      (*body)(i, worker);
      finished.fetch_add(1, std::memory_order_acq_rel);
    }
    inside_loop = false;
  }
};

class Pool {
 public:
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void run(const std::shared_ptr<Loop>& loop) {
    const std::lock_guard one_at_a_time(run_mutex_);
    {
      const std::lock_guard lock(mutex_);
      while (static_cast<int>(threads_.size()) < loop->helpers) threads_.emplace_back([this] { serve(); });
      loop_ = loop;
      ++generation_;
    }
    wake_.notify_all();
    loop->work(0);
    const auto all_finished = [&] { return loop->finished.load(std::memory_order_acquire) == loop->count; };
    const bool finished = came_soon(all_finished);
    std::unique_lock lock(mutex_);
    if (!finished) done_.wait(lock, all_finished);
    loop_.reset();
  }

 private:
  void serve() {
    std::uint64_t seen = 0;
    for (;;) {
      came_soon([&] { return generation_.load(std::memory_order_relaxed) != seen; });
      std::shared_ptr<Loop> loop;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return ending_ || generation_ != seen; });
        if (ending_) return;
        seen = generation_;
        loop = loop_;
      }
      if (!loop) continue;
      const int slot = loop->joined.fetch_add(1);
      if (slot >= loop->helpers) continue;
      loop->work(slot + 1);
      const std::lock_guard lock(mutex_);
      done_.notify_all();
    }
  }

  std::mutex run_mutex_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<std::thread> threads_;
  std::shared_ptr<Loop> loop_;
  std::atomic<std::uint64_t> generation_{0};
  bool ending_ = false;
};

Pool& pool() {
  static Pool instance;
  return instance;
}

}  // namespace

void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t, int)>& body) {
  const int helpers = static_cast<int>(std::min<std::int64_t>(threads, count)) - 1;
  if (helpers < 1 || inside_loop) {
    for (std::int64_t i = 0; i < count; ++i) body(i, 0);
    return;
  }
  const auto loop = std::make_shared<Loop>();
  loop->body = &body;
  loop->count = count;
  loop->helpers = helpers;
  pool().run(loop);
}

int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace hinm
