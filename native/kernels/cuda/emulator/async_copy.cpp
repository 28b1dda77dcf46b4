// cp.async: the destination is poisoned at issue and filled at the wait, so that a forgotten wait is an error, not luck.
#include <cstring>

#include "kernels/cuda/simt/simt_emulated.h"

namespace hinm::simt {
namespace {
constexpr std::size_t kCopyBytes = 16;
}

void copy_async(void* destination, const void* source, bool valid) {
  Machine& machine = Machine::current();
  ++machine.counters().copies;
  if (machine.fault() == Fault::ignore_copy_guard) valid = true;
  if (machine.shared().offset(destination) % kCopyBytes != 0) return machine.fail("cp.async to shared memory that is not aligned to 16 bytes");
  if (valid && !machine.check_global(source, kCopyBytes, kCopyBytes, false, "cp.async")) return;
  machine.fail(machine.shared().begin_copy(destination, kCopyBytes, machine.accessor(), "cp.async"));
  machine.fiber().copies.push_back({static_cast<char*>(destination), static_cast<const char*>(source), valid});
}

void copy_async_commit() {
  Machine& machine = Machine::current();
  Fiber& fiber = machine.fiber();
  if (machine.fault() == Fault::drop_commit && ++fiber.commits % 2 == 0) return;
  fiber.groups.push_back(fiber.copies.size());
}

void wait_for_copies(int groups_left) {
  Machine& machine = Machine::current();
  Fiber& fiber = machine.fiber();
  if (machine.fault() == Fault::wait_one_group_short) ++groups_left;
  if (static_cast<int>(fiber.groups.size()) <= groups_left) return;
  const std::size_t ended_groups = fiber.groups.size() - static_cast<std::size_t>(groups_left);
  const std::size_t ended = fiber.groups[ended_groups - 1];
  for (std::size_t i = 0; i < ended; ++i) {
    const PendingCopy& copy = fiber.copies[i];
    if (copy.valid) {
      std::memcpy(copy.destination, copy.source, kCopyBytes);
    } else {
      std::memset(copy.destination, 0, kCopyBytes);
    }
    machine.shared().end_copy(copy.destination, kCopyBytes, machine.accessor(), false);
    fiber.unfenced.push_back(copy.destination);
  }
  fiber.copies.erase(fiber.copies.begin(), fiber.copies.begin() + static_cast<std::ptrdiff_t>(ended));
  fiber.groups.erase(fiber.groups.begin(), fiber.groups.begin() + static_cast<std::ptrdiff_t>(ended_groups));
  for (std::size_t& group : fiber.groups) group -= ended;
  machine.note_progress();
}

void fence_async_proxy() {
  Machine& machine = Machine::current();
  if (machine.fault() == Fault::skip_proxy_fence) return;
  for (const char* written : machine.fiber().unfenced) machine.shared().make_visible_to_tensor(written);
  machine.fiber().unfenced.clear();
}

}  // namespace hinm::simt
