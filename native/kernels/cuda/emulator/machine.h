// The emulated multiprocessor: runs the blocks of a grid one after the other, each CUDA thread as a fiber, warps in
// random order, and stops with a sentence at the first thing a real device would leave undefined.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "kernels/cuda/emulator/clock.h"
#include "kernels/cuda/emulator/fault.h"
#include "kernels/cuda/emulator/fiber.h"
#include "kernels/cuda/emulator/shared_memory.h"

namespace hinm::simt {

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
};

/// Global memory that a kernel may touch.
struct GlobalSpan {
  const void* data;
  std::size_t bytes;
  bool writable;
};

struct Launch {
  Dim3 grid;
  int threads = 0;               ///< a multiple of 32, at most 512
  std::size_t shared_bytes = 0;  ///< dynamic shared memory
  std::vector<GlobalSpan> memory;
  std::uint32_t seed = 1;        ///< orders of warps and blocks
  Fault fault = Fault::none;
};

/// What the kernel did, summed over all blocks: performance properties as numbers a test can assert.
struct Counters {
  std::uint64_t tensor_steps = 0;    ///< m16n8 multiplications (mma, or their equivalent in wgmma)
  std::uint64_t matrix_loads = 0;    ///< ldmatrix.x4
  std::uint64_t copies = 0;          ///< 16-byte cp.async
  std::uint64_t bulk_copies = 0;
  std::uint64_t barriers = 0;
  std::uint64_t bank_conflicts = 0;  ///< extra cycles of ldmatrix
};

enum class FiberState : std::uint8_t { ready, block_barrier, named_barrier, meeting, polling, finished };

struct PendingCopy {
  char* destination;
  const char* source;
  bool valid;
};

struct Fiber {
  Context context;
  FiberState state = FiberState::ready;
  int named_barrier = -1;
  const void* input = nullptr;
  void* output = nullptr;
  std::unique_ptr<char[]> stack;
  std::vector<PendingCopy> copies;
  std::vector<std::size_t> groups;      ///< for each committed group, how many of `copies` it closes
  std::vector<const char*> unfenced;    ///< generic writes since this thread's last fence.proxy.async
  bool device_fenced = false;           ///< threadfence since the last barrier
  int block_barriers_passed = 0;
  int commits = 0;
  int phase_waits = 0;
};

/// Lanes that have come together for an operation of their whole warp or warpgroup.
struct Meeting {
  const char* operation = nullptr;
  int arrived = 0;
};

struct PhaseBarrier {
  int count = 0;
  int pending = 0;
  std::int64_t pending_bytes = 0;
  int phase = 0;
  Clock gathering;  ///< clocks of those who arrived in the running phase
  Clock released;   ///< what a waiter learns from the last completed phase
};

struct BulkCopy {
  char* destination;
  const char* source;
  std::size_t bytes;
  const void* barrier;
};

/// One warpgroup multiplication between issue and wait.
struct WarpgroupStep {
  std::uint64_t descriptor;
  std::vector<const std::uint32_t*> a_registers;  ///< for each lane, to see that they are left alone until the wait
  std::vector<std::uint32_t> a;
  std::vector<std::uint32_t> metadata;
  int columns;
  int selector;
  bool sparse;
  bool bf16;
};

struct WarpgroupState {
  std::vector<WarpgroupStep> open;                 ///< issued, not committed
  std::vector<std::vector<WarpgroupStep>> groups;  ///< committed, not waited for
  std::vector<std::vector<float>> accumulators;    ///< kept here while the registers are undefined
  std::vector<float*> registers;
  bool fenced = false;
};

using MeetingOperation = void (*)(class Machine& machine, int first_thread, const void* const* inputs, void* const* outputs);

class Machine {
 public:
  /// The machine whose kernel is running on this operating-system thread.
  static Machine& current();

  /// Runs `body` once for each thread of each block. The error names block, thread and what was undefined.
  Result<Counters> run(const Launch& launch, const std::function<void()>& body);

  // ---- for the emulated instructions
  int thread() const { return thread_; }
  int warp() const { return thread_ / kWarpSize; }
  Dim3 block() const { return block_; }
  Dim3 grid() const { return launch_->grid; }
  Fault fault() const { return launch_->fault; }
  Fiber& fiber() { return fibers_[static_cast<std::size_t>(thread_)]; }
  Fiber& fiber(int thread) { return fibers_[static_cast<std::size_t>(thread)]; }
  SharedMemory& shared() { return shared_; }
  Counters& counters() { return counters_; }
  Accessor accessor() const { return {warp(), thread_, &clocks_[static_cast<std::size_t>(warp())]}; }
  Clock& clock(int agent) { return clocks_[static_cast<std::size_t>(agent)]; }
  const std::vector<Clock>& clocks() const { return clocks_; }
  WarpgroupState& warpgroup() { return warpgroups_[static_cast<std::size_t>(thread_ / 128)]; }
  std::unordered_map<const void*, PhaseBarrier>& phase_barriers() { return phase_barriers_; }
  std::vector<BulkCopy>& bulk_copies() { return bulk_copies_; }

  /// Notes the first fault; an empty sentence is none. The block stops at the next switch.
  void fail(std::string sentence);
  /// Checks that `bytes` at `address` lie in one span, aligned to `alignment`.
  bool check_global(const void* address, std::size_t bytes, std::size_t alignment, bool write, const char* operation);
  /// Gives the other threads a turn.
  void yield(FiberState state);
  bool chance(unsigned one_in) { return random_() % one_in == 0; }
  void note_progress() { ++progress_; }

  void block_barrier();
  void named_barrier(int id, int threads);
  /// Orders the lanes of a warp among each other.
  void warp_barrier();
  /// Brings the `size` threads around the caller together; the last one runs `operation` for all.
  void meet(int size, const char* operation_name, const void* input, void* output, MeetingOperation operation);
  void complete_phase_if_due(PhaseBarrier& barrier);
  /// The block tells other blocks of its partial sums through an atomic, and may then read theirs.
  void publish();
  void device_fence();
  bool may_read_other_blocks() const { return acquired_; }

 private:
  static void enter_fiber();
  std::string run_block();
  void start_block();
  bool run_ready_lanes(int warp);
  void release_barrier(const std::vector<int>& threads);
  void complete_bulk_copy(std::size_t index);
  std::string stuck_sentence() const;

  const Launch* launch_ = nullptr;
  const std::function<void()>* body_ = nullptr;
  Context host_;
  std::vector<Fiber> fibers_;
  std::vector<Clock> clocks_;
  std::vector<Meeting> warp_meetings_;
  std::vector<Meeting> group_meetings_;
  std::vector<WarpgroupState> warpgroups_;
  std::unordered_map<const void*, PhaseBarrier> phase_barriers_;
  std::unordered_map<int, std::vector<int>> named_barriers_;
  std::vector<BulkCopy> bulk_copies_;
  SharedMemory shared_;
  Counters counters_;
  std::mt19937 random_;
  Dim3 block_;
  int thread_ = 0;
  int at_block_barrier_ = 0;
  int finished_ = 0;
  bool published_ = false;
  bool acquired_ = false;
  std::uint64_t progress_ = 0;
  std::size_t last_span_ = 0;
  std::string error_;
};

}  // namespace hinm::simt
