// Parallel loops over independent items. Results may not depend on the thread count: give every item its own
// output slot and its own random stream, and reduce in index order afterwards.
#pragma once

#include <cstdint>
#include <functional>

namespace hinm {

/// Calls body(index, worker) for every index in [0, count) on up to `threads` threads (the caller is one of
/// them); items are handed out dynamically, `worker` is in [0, threads). Returns when all are done. The threads
/// come from one persistent pool that stays awake for 50 µs after a loop, for a loop that follows at once, and then
/// sleeps, so that it does not spin beside another timed kernel. A body must not throw. Calls from inside a body run
/// serially on that worker.
void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t index, int worker)>& body);

/// Logical processors of this machine, at least 1.
int hardware_threads();

}  // namespace hinm
