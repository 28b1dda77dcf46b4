#include "kernels/cuda/emulator/machine.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace hinm::simt {
namespace {

// Unrolled kernels keep accumulators on the stack; the address sanitizer puts red zones between them.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kStackBytes = 512 << 10;
#else
constexpr std::size_t kStackBytes = 64 << 10;
#endif

}  // namespace

Machine& Machine::current() {
  static thread_local Machine machine;
  return machine;
}

void Machine::fail(std::string sentence) {
  if (error_.empty() && !sentence.empty()) error_ = std::move(sentence);
}

bool Machine::check_global(const void* address, std::size_t bytes, std::size_t alignment, bool write, const char* operation) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (begin % alignment != 0) {
    fail(std::string(operation) + " uses a global address that is not aligned to " + std::to_string(alignment) + " bytes");
    return false;
  }
  const std::vector<GlobalSpan>& spans = launch_->memory;
  // Most accesses fall into the span of the one before.
  for (std::size_t tried = 0; tried < spans.size(); ++tried, last_span_ = (last_span_ + 1) % spans.size()) {
    const GlobalSpan& span = spans[last_span_];
    const auto first = reinterpret_cast<std::uintptr_t>(span.data);
    if (begin < first || begin + bytes > first + span.bytes) continue;
    if (!write || span.writable) return true;
    fail(std::string(operation) + " writes to read-only global memory");
    return false;
  }
  fail(std::string(operation) + (write ? " writes" : " reads") + " outside the buffers of the launch");
  return false;
}

void Machine::yield(FiberState state) {
  Fiber& self = fiber();
  self.state = state;
  switch_context(self.context, host_);
}

void Machine::enter_fiber() {
  Machine& machine = current();
  entered(machine.host_);
  (*machine.body_)();
  Fiber& self = machine.fiber();
  if (!self.copies.empty()) machine.fail("the kernel ends with asynchronous copies that were not waited for");
  self.state = FiberState::finished;
  ++machine.finished_;
  switch_context(self.context, machine.host_, true);
  std::abort();  // a finished fiber is never taken up again
}

void Machine::start_block() {
  const int threads = launch_->threads;
  shared_.reset(launch_->shared_bytes);
  clocks_.assign(kAgents, Clock{});
  for (int agent = 0; agent < kAgents; ++agent) clocks_[static_cast<std::size_t>(agent)].time[agent] = 1;
  warp_meetings_.assign(static_cast<std::size_t>(threads / kWarpSize), Meeting{});
  group_meetings_.assign(static_cast<std::size_t>(threads / 128 + 1), Meeting{});
  warpgroups_.assign(static_cast<std::size_t>(threads / 128 + 1), WarpgroupState{});
  phase_barriers_.clear();
  named_barriers_.clear();
  bulk_copies_.clear();
  at_block_barrier_ = 0;
  finished_ = 0;
  published_ = acquired_ = false;
  if (fibers_.size() < static_cast<std::size_t>(threads)) fibers_.resize(static_cast<std::size_t>(threads));
  for (int thread = 0; thread < threads; ++thread) {
    Fiber& starting = fiber(thread);
    if (!starting.stack) starting.stack = std::make_unique_for_overwrite<char[]>(kStackBytes);
    starting.state = FiberState::ready;
    starting.copies.clear();
    starting.groups.clear();
    starting.unfenced.clear();
    starting.device_fenced = false;
    starting.block_barriers_passed = starting.commits = starting.phase_waits = 0;
    prepare(starting.context, starting.stack.get(), kStackBytes, enter_fiber);
  }
}

bool Machine::run_ready_lanes(int warp) {
  bool ran = false;
  for (bool again = true; again && error_.empty();) {
    again = false;
    for (int lane = 0; lane < kWarpSize && error_.empty(); ++lane) {
      thread_ = warp * kWarpSize + lane;
      if (fiber().state != FiberState::ready) continue;
      switch_context(host_, fiber().context);
      ran = again = true;
    }
  }
  return ran;
}

std::string Machine::stuck_sentence() const {
  int waiting_at_barrier = 0, meeting = 0, polling = 0;
  for (int thread = 0; thread < launch_->threads; ++thread) {
    const FiberState state = fibers_[static_cast<std::size_t>(thread)].state;
    waiting_at_barrier += state == FiberState::block_barrier || state == FiberState::named_barrier;
    meeting += state == FiberState::meeting;
    polling += state == FiberState::polling;
  }
  return "deadlock: " + std::to_string(waiting_at_barrier) + " threads wait at a barrier, " + std::to_string(meeting) +
         " for the rest of their warp, " + std::to_string(polling) + " on an mbarrier and " + std::to_string(finished_) + " have ended";
}

std::string Machine::run_block() {
  start_block();
  const int warps = launch_->threads / kWarpSize;
  std::vector<int> order(static_cast<std::size_t>(warps));
  for (int warp = 0; warp < warps; ++warp) order[static_cast<std::size_t>(warp)] = warp;
  int idle_passes = 0;
  while (finished_ < launch_->threads) {
    for (int thread = 0; thread < launch_->threads; ++thread) {
      if (fiber(thread).state == FiberState::polling) fiber(thread).state = FiberState::ready;
    }
    // A random order shows what a fixed one would hide: a warp that runs far ahead of its neighbours.
    std::shuffle(order.begin(), order.end(), random_);
    const std::uint64_t before = progress_;
    bool ran = false;
    for (const int warp : order) {
      ran |= run_ready_lanes(warp);
      if (!error_.empty()) {
        return "block (" + std::to_string(block_.x) + ", " + std::to_string(block_.y) + ", " + std::to_string(block_.z) + ") thread " +
               std::to_string(thread_) + ": " + error_;
      }
    }
    if (!bulk_copies_.empty() && (!ran || chance(2))) {
      complete_bulk_copy(random_() % bulk_copies_.size());
      continue;
    }
    idle_passes = progress_ == before ? idle_passes + 1 : 0;
    if (finished_ < launch_->threads && (!ran || idle_passes > 2) && bulk_copies_.empty()) return stuck_sentence();
  }
  for (const WarpgroupState& group : warpgroups_) {
    if (!group.open.empty() || !group.groups.empty()) return "the kernel ends with warpgroup multiplications that were not waited for";
  }
  if (!bulk_copies_.empty()) return "the kernel ends with bulk copies that were not waited for";
  return {};
}

Result<Counters> Machine::run(const Launch& launch, const std::function<void()>& body) {
  if (launch.threads <= 0 || launch.threads % kWarpSize != 0 || launch.threads > kMaxWarps * kWarpSize) {
    return invalid_argument("The emulator was asked for a block of " + std::to_string(launch.threads) +
                            " threads; it runs multiples of 32 up to " + std::to_string(kMaxWarps * kWarpSize) + ".");
  }
  launch_ = &launch;
  body_ = &body;
  random_.seed(launch.seed);
  counters_ = Counters{};
  last_span_ = 0;
  error_.clear();
  std::vector<Dim3> blocks;
  for (unsigned z = 0; z < launch.grid.z; ++z)
    for (unsigned y = 0; y < launch.grid.y; ++y)
      for (unsigned x = 0; x < launch.grid.x; ++x) blocks.push_back({x, y, z});
  std::shuffle(blocks.begin(), blocks.end(), random_);
  for (const Dim3& block : blocks) {
    block_ = block;
    if (std::string sentence = run_block(); !sentence.empty()) return Error{"UNDEFINED_BEHAVIOUR", "The emulated kernel stopped: " + sentence + "."};
  }
  return counters_;
}

void Machine::release_barrier(const std::vector<int>& threads) {
  Clock joined;
  for (const int thread : threads) joined.join(clock(thread / kWarpSize));
  for (const int thread : threads) {
    const int agent = thread / kWarpSize;
    const std::uint32_t own = clock(agent).time[agent];
    clock(agent).join(joined);
    clock(agent).time[agent] = std::max(own, joined.time[agent] + 1);
    fiber(thread).state = FiberState::ready;
    fiber(thread).device_fenced = false;
  }
  ++counters_.barriers;
  note_progress();
}

void Machine::publish() {
  if (!fiber().device_fenced) fail("partial sums are published without a device-wide fence after the barrier");
  published_ = true;
}

void Machine::device_fence() {
  if (fault() == Fault::skip_device_fence) return;
  fiber().device_fenced = true;
  acquired_ = published_;
}

void Machine::block_barrier() {
  Fiber& self = fiber();
  ++self.block_barriers_passed;
  if (fault() == Fault::skip_block_barrier) return;
  if (fault() == Fault::divergent_barrier && warp() == 0 && self.block_barriers_passed == 2) return;
  if (finished_ > 0) return fail("__syncthreads after some threads of the block have ended");
  self.state = FiberState::block_barrier;
  if (++at_block_barrier_ == launch_->threads) {
    at_block_barrier_ = 0;
    std::vector<int> everyone(static_cast<std::size_t>(launch_->threads));
    for (int thread = 0; thread < launch_->threads; ++thread) everyone[static_cast<std::size_t>(thread)] = thread;
    release_barrier(everyone);
  }
  yield(self.state);
}

void Machine::named_barrier(int id, int threads) {
  if (fault() == Fault::skip_named_barrier) return;
  std::vector<int>& waiting = named_barriers_[id];
  waiting.push_back(thread_);
  fiber().state = FiberState::named_barrier;
  if (static_cast<int>(waiting.size()) == threads) {
    release_barrier(waiting);
    waiting.clear();
  }
  yield(fiber().state);
}

void Machine::warp_barrier() {
  meet(kWarpSize, "__syncwarp", nullptr, nullptr, [](Machine& machine, int first_thread, const void* const*, void* const*) {
    const int warp = first_thread / kWarpSize;
    ++machine.clock(warp).time[warp];
  });
}

void Machine::meet(int size, const char* operation_name, const void* input, void* output, MeetingOperation operation) {
  const int first = thread_ / size * size;
  Meeting& meeting = size == kWarpSize ? warp_meetings_[static_cast<std::size_t>(thread_ / size)] : group_meetings_[static_cast<std::size_t>(thread_ / size)];
  if (meeting.arrived > 0 && std::strcmp(meeting.operation, operation_name) != 0) {
    fail(std::string("some lanes run ") + meeting.operation + " while others of the same warp run " + operation_name);
    return yield(FiberState::meeting);
  }
  meeting.operation = operation_name;
  Fiber& self = fiber();
  self.input = input;
  self.output = output;
  if (++meeting.arrived < size) return yield(FiberState::meeting);
  meeting.arrived = 0;
  const void* inputs[128];
  void* outputs[128];
  for (int lane = 0; lane < size; ++lane) {
    inputs[lane] = fiber(first + lane).input;
    outputs[lane] = fiber(first + lane).output;
  }
  operation(*this, first, inputs, outputs);
  for (int lane = 0; lane < size; ++lane) fiber(first + lane).state = FiberState::ready;
  note_progress();
}

void Machine::complete_phase_if_due(PhaseBarrier& barrier) {
  if (barrier.pending != 0 || barrier.pending_bytes != 0) return;
  barrier.phase ^= 1;
  barrier.pending = barrier.count;
  barrier.released = barrier.gathering;
  ++counters_.barriers;
  note_progress();
}

void Machine::complete_bulk_copy(std::size_t index) {
  const BulkCopy copy = bulk_copies_[index];
  bulk_copies_.erase(bulk_copies_.begin() + static_cast<std::ptrdiff_t>(index));
  Clock& engine = clock(kCopyEngine);
  ++engine.time[kCopyEngine];
  std::memcpy(copy.destination, copy.source, copy.bytes);
  shared_.end_copy(copy.destination, copy.bytes, {kCopyEngine, -1, &engine}, true);
  PhaseBarrier& barrier = phase_barriers_[copy.barrier];
  barrier.pending_bytes -= static_cast<std::int64_t>(copy.bytes);
  barrier.gathering.time[kCopyEngine] = std::max(barrier.gathering.time[kCopyEngine], engine.time[kCopyEngine]);
  note_progress();
  complete_phase_if_due(barrier);
}

}  // namespace hinm::simt
