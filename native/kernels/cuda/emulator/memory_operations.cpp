// Loads, stores, shuffles and ldmatrix.
#include <algorithm>
#include <cstring>

#include "kernels/cuda/simt/simt_emulated.h"

namespace hinm::simt {
namespace {

/// Cycles beyond the first that eight 16-byte rows need, because 32 banks of 4 bytes serve one word each a cycle.
int extra_cycles(Machine& machine, const void* const* rows) {
  int words_in_bank[32] = {};
  const void* seen[32][8];
  int most = 0;
  for (int row = 0; row < 8; ++row) {
    const std::size_t first = machine.shared().offset(rows[row]) / 4;
    for (std::size_t word = first; word < first + 4; ++word) {
      const std::size_t bank = word % 32;
      const void* address = machine.shared().base() + word * 4;
      if (std::find(seen[bank], seen[bank] + words_in_bank[bank], address) != seen[bank] + words_in_bank[bank]) continue;
      seen[bank][words_in_bank[bank]++] = address;
      most = std::max(most, words_in_bank[bank]);
    }
  }
  return most - 1;
}

void load_four_matrices(Machine& machine, int, const void* const* inputs, void* const* outputs) {
  ++machine.counters().matrix_loads;
  for (int matrix = 0; matrix < 4; ++matrix) {
    const void* const* rows = inputs + matrix * 8;
    machine.counters().bank_conflicts += static_cast<std::uint64_t>(extra_cycles(machine, rows));
    for (int lane = 0; lane < kWarpSize; ++lane) {
      const int column = lane / 4;
      const int row = lane % 4 * 2;
      std::uint16_t low, high;
      std::memcpy(&low, static_cast<const char*>(rows[row]) + column * 2, 2);
      std::memcpy(&high, static_cast<const char*>(rows[row + 1]) + column * 2, 2);
      static_cast<std::uint32_t*>(outputs[lane])[matrix] = low | static_cast<std::uint32_t>(high) << 16;
    }
  }
}

struct ShuffleInput {
  int value;
  int lane;
};

void exchange(Machine&, int, const void* const* inputs, void* const* outputs) {
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const auto* asked = static_cast<const ShuffleInput*>(inputs[lane]);
    *static_cast<int*>(outputs[lane]) = static_cast<const ShuffleInput*>(inputs[asked->lane & 31])->value;
  }
}

/// True when `bytes` may be read at `source`; notes the fault otherwise.
bool may_read(const void* source, std::size_t bytes, const char* operation) {
  Machine& machine = Machine::current();
  if (machine.shared().offset(source) % bytes != 0) {
    machine.fail(std::string(operation) + " is not aligned to " + std::to_string(bytes) + " bytes");
    return false;
  }
  std::string fault = machine.shared().read(source, bytes, machine.accessor(), operation);
  machine.fail(fault);
  return fault.empty();
}

bool may_write(const void* destination, std::size_t bytes) {
  Machine& machine = Machine::current();
  std::string fault = machine.shared().write(destination, bytes, machine.accessor(), "a store");
  machine.fail(fault);
  return fault.empty();
}

}  // namespace

void load_matrix_transposed(std::uint32_t (&r)[4], const void* row) {
  if (!may_read(row, 16, "ldmatrix")) return Machine::current().yield(FiberState::meeting);
  Machine::current().meet(kWarpSize, "ldmatrix", row, r, load_four_matrices);
}

void load_shared(std::uint32_t (&r)[4], const void* source) {
  if (may_read(source, 16, "a 16-byte load from shared memory")) std::memcpy(r, source, 16);
}

std::uint32_t load_shared(const void* source) {
  std::uint32_t value = 0;
  if (may_read(source, 4, "a 4-byte load from shared memory")) std::memcpy(&value, source, 4);
  return value;
}

void load_shared(float (&pair)[2], const float* source) {
  if (may_read(source, 8, "an 8-byte load from shared memory")) std::memcpy(pair, source, 8);
}

void store_shared(void* destination, std::uint32_t value) {
  if (may_write(destination, 4)) std::memcpy(destination, &value, 4);
}

void store_shared(float* destination, float first, float second) {
  if (!may_write(destination, 8)) return;
  destination[0] = first;
  destination[1] = second;
}

int shuffle(int value, int lane) {
  const ShuffleInput input{value, lane};
  int result = 0;
  Machine::current().meet(kWarpSize, "shfl", &input, &result, exchange);
  return result;
}

std::uint32_t atomic_increment(std::uint32_t* counter) {
  Machine& machine = Machine::current();
  machine.publish();
  if (!machine.check_global(counter, 4, 4, true, "an atomic")) return 0;
  return (*counter)++;
}

void load_other_block(float (&pair)[2], const float* source) {
  Machine& machine = Machine::current();
  if (!machine.may_read_other_blocks()) machine.fail("sums of other blocks are read without a device-wide fence after the atomic");
  if (!machine.check_global(source, 8, 8, false, "a load of two floats")) return;
  pair[0] = source[0];
  pair[1] = source[1];
}

}  // namespace hinm::simt
