// mbarriers and the bulk copies that report to them.
#include "kernels/cuda/simt/simt_emulated.h"

namespace hinm::simt {
namespace {

PhaseBarrier* find(Machine& machine, const std::uint64_t* barrier, const char* operation) {
  const auto found = machine.phase_barriers().find(barrier);
  if (found != machine.phase_barriers().end()) return &found->second;
  machine.fail(std::string(operation) + " uses an mbarrier that was not initialised");
  return nullptr;
}

void arrive_once(Machine& machine, PhaseBarrier& barrier) {
  if (barrier.pending == 0) return machine.fail("more threads arrive at an mbarrier than it counts");
  --barrier.pending;
  barrier.gathering.join(machine.clock(machine.warp()));
  ++machine.clock(machine.warp()).time[machine.warp()];
  machine.note_progress();
  machine.complete_phase_if_due(barrier);
}

}  // namespace

void phase_barrier_start(std::uint64_t* barrier, int count) {
  Machine& machine = Machine::current();
  machine.fail(machine.shared().write(barrier, 8, machine.accessor(), "mbarrier.init"));
  PhaseBarrier& started = machine.phase_barriers()[barrier];
  started = PhaseBarrier{};
  started.count = started.pending = count;
}

void phase_barrier_arrive(std::uint64_t* barrier) {
  Machine& machine = Machine::current();
  PhaseBarrier* found = find(machine, barrier, "mbarrier.arrive");
  if (!found) return;
  machine.fail(machine.shared().read(barrier, 8, machine.accessor(), "mbarrier.arrive"));
  arrive_once(machine, *found);
  if (machine.fault() == Fault::arrive_twice && machine.thread() % 128 == 0) arrive_once(machine, *found);
  // A thread may be held up at any point after it has signalled.
  if (machine.chance(4)) machine.yield(FiberState::polling);
}

void phase_barrier_expect(std::uint64_t* barrier, int bytes) {
  Machine& machine = Machine::current();
  PhaseBarrier* found = find(machine, barrier, "mbarrier.expect_tx");
  if (found && machine.fault() != Fault::drop_expected_bytes) found->pending_bytes += bytes;
}

void phase_barrier_wait(std::uint64_t* barrier, int parity) {
  Machine& machine = Machine::current();
  PhaseBarrier* found = find(machine, barrier, "mbarrier.try_wait");
  if (!found) return;
  machine.fail(machine.shared().read(barrier, 8, machine.accessor(), "mbarrier.try_wait"));
  if (machine.fault() == Fault::wrong_parity) parity ^= 1;
  if (machine.fault() == Fault::skip_phase_wait && ++machine.fiber().phase_waits % 3 == 0) return;
  while (found->phase == parity) machine.yield(FiberState::polling);
  machine.clock(machine.warp()).join(found->released);
}

void bulk_copy(void* destination, const void* source, int bytes, std::uint64_t* barrier) {
  Machine& machine = Machine::current();
  ++machine.counters().bulk_copies;
  PhaseBarrier* found = find(machine, barrier, "cp.async.bulk");
  if (!found) return;
  if (bytes % 16 != 0 || machine.shared().offset(destination) % 16 != 0) return machine.fail("cp.async.bulk is not in units of 16 bytes");
  const auto size = static_cast<std::size_t>(bytes);
  if (!machine.check_global(source, size, 16, false, "cp.async.bulk")) return;
  machine.fail(machine.shared().begin_copy(destination, size, machine.accessor(), "cp.async.bulk"));
  machine.bulk_copies().push_back({static_cast<char*>(destination), static_cast<const char*>(source), size, barrier});
  machine.note_progress();
}

}  // namespace hinm::simt
