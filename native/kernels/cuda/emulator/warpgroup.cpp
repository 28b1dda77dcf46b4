// wgmma: asynchronous multiplications of a warpgroup. Between issue and wait the accumulators read as NaN, the A registers
// must stay as they are, and the shared memory behind the descriptor must not be written.
#include <cstring>
#include <limits>

#include "kernels/cuda/emulator/tensor_core.h"
#include "kernels/cuda/simt/simt_emulated.h"

namespace hinm::simt {
namespace {

constexpr int kWarpgroup = 128;

struct WarpgroupInput {
  float* d;
  const std::uint32_t* a;
  std::uint64_t descriptor;
  std::uint32_t metadata;
  int registers;
  int selector;
  bool sparse;
  ValueType type;
};

/// Where element (k, n) of B lies: n contiguous, rows of 64 columns (128 bytes) whose 16-byte chunks are swizzled by
/// k % 8; bits 16–29 of the descriptor hold the distance of 64-column blocks, bits 32–45 that of 8-row groups, both / 16.
const char* element(Machine& machine, std::uint64_t descriptor, int k, int n) {
  const std::uint64_t start = (descriptor & 0x3fff) << 4;
  const std::uint64_t leading = ((descriptor >> 16) & 0x3fff) << 4;
  const std::uint64_t stride = ((descriptor >> 32) & 0x3fff) << 4;
  std::uint64_t offset = start + static_cast<std::uint64_t>(n % 64) * 2 + static_cast<std::uint64_t>(n / 64) * leading +
                         static_cast<std::uint64_t>(k % 8) * 128 + static_cast<std::uint64_t>(k / 8) * stride;
  offset ^= ((offset >> 7) & 7) << 4;
  return machine.shared().base() + offset;
}

int depth(const WarpgroupStep& step) { return step.sparse ? 32 : 16; }

void begin_reads(Machine& machine, const WarpgroupStep& step) {
  for (int warp = 0; warp < 4; ++warp) {
    const int agent = machine.warp() / 4 * 4 + warp;
    const Accessor who{agent, -1, &machine.clock(agent)};
    // One warp counts the pending reads; the others only have to have heard of the data.
    for (int k = 0; k < depth(step); ++k) {
      for (int n = 0; n < step.columns; n += 8) {
        const char* chunk = element(machine, step.descriptor, k, n);
        if (warp == 0) {
          machine.fail(machine.shared().begin_tensor_read(chunk, who));
        } else {
          machine.fail(machine.shared().read(chunk, 16, who, "wgmma"));
        }
      }
    }
  }
}

void end_reads(Machine& machine, const WarpgroupStep& step) {
  const int first_warp = machine.warp() / 4 * 4;
  for (int k = 0; k < depth(step); ++k) {
    for (int n = 0; n < step.columns; n += 8) {
      machine.shared().end_tensor_read(element(machine, step.descriptor, k, n), first_warp, 4, machine.clocks());
    }
  }
}

void execute(Machine& machine, WarpgroupState& group, const WarpgroupStep& step) {
  const ValueType type = step.bf16 ? ValueType::bf16 : ValueType::f16;
  std::vector<float> b(static_cast<std::size_t>(depth(step) * step.columns));
  for (int k = 0; k < depth(step); ++k) {
    for (int n = 0; n < step.columns; ++n) {
      std::uint16_t bits;
      std::memcpy(&bits, element(machine, step.descriptor, k, n), 2);
      b[static_cast<std::size_t>(k * step.columns + n)] = hinm::cuda::decode(type, bits);
    }
  }
  for (int warp = 0; warp < 4; ++warp) {
    const std::uint32_t* registers[kWarpSize];
    for (int lane = 0; lane < kWarpSize; ++lane) registers[lane] = &step.a[static_cast<std::size_t>((warp * kWarpSize + lane) * 4)];
    TensorRows rows;
    if (step.sparse) {
      machine.fail(decode_sparse_rows(rows, registers, &step.metadata[static_cast<std::size_t>(warp * kWarpSize)], step.selector, type));
    } else {
      decode_dense_rows(rows, registers, type);
    }
    for (int lane = 0; lane < kWarpSize; ++lane) {
      std::vector<float>& d = group.accumulators[static_cast<std::size_t>(warp * kWarpSize + lane)];
      for (int i = 0; i < step.columns / 2; ++i) {
        const float* row = rows.value[lane / 4 + ((i >> 1) & 1) * 8];
        const int n = i / 4 * 8 + lane % 4 * 2 + (i & 1);
        float sum = 0;
        for (int k = 0; k < depth(step); ++k) sum += row[k] * b[static_cast<std::size_t>(k * step.columns + n)];
        d[static_cast<std::size_t>(i)] += sum;
      }
    }
  }
}

/// The registers are undefined from the first issue on: their values move into the machine, NaN takes their place.
void take_accumulators(WarpgroupState& group, const void* const* inputs, int registers) {
  for (int lane = 0; lane < kWarpgroup; ++lane) {
    float* d = static_cast<const WarpgroupInput*>(inputs[lane])->d;
    group.accumulators.emplace_back(d, d + registers);
    group.registers.push_back(d);
    for (int i = 0; i < registers; ++i) d[i] = std::numeric_limits<float>::quiet_NaN();
  }
}

void issue(Machine& machine, int, const void* const* inputs, void* const*) {
  const auto& first = *static_cast<const WarpgroupInput*>(inputs[0]);
  WarpgroupState& group = machine.warpgroup();
  if (!group.fenced) machine.fail("wgmma without wgmma.fence since its registers were written");
  if (first.descriptor >> 62 != 1) machine.fail("wgmma: the descriptor does not ask for the 128-byte swizzle");
  WarpgroupStep step{first.descriptor, {}, {}, {}, first.registers * 2, first.selector, first.sparse, first.type == ValueType::bf16};
  for (int lane = 0; lane < kWarpgroup; ++lane) {
    const auto& input = *static_cast<const WarpgroupInput*>(inputs[lane]);
    if (input.descriptor != first.descriptor) machine.fail("wgmma: the descriptor differs between lanes");
    step.a_registers.push_back(input.a);
    step.a.insert(step.a.end(), input.a, input.a + 4);
    step.metadata.push_back(input.metadata);
  }
  if (group.accumulators.empty()) take_accumulators(group, inputs, first.registers);
  begin_reads(machine, step);
  machine.counters().tensor_steps += static_cast<std::uint64_t>(4 * step.columns / 8);
  group.open.push_back(std::move(step));
}

void check_a_registers(Machine& machine, const WarpgroupStep& step) {
  for (int lane = 0; lane < kWarpgroup; ++lane) {
    if (std::memcmp(step.a_registers[static_cast<std::size_t>(lane)], &step.a[static_cast<std::size_t>(lane * 4)], 16) != 0) {
      return machine.fail("the A registers of a wgmma were changed before it was waited for");
    }
  }
}

void finish_groups(Machine& machine, int groups_left) {
  WarpgroupState& group = machine.warpgroup();
  while (static_cast<int>(group.groups.size()) > groups_left) {
    for (const WarpgroupStep& step : group.groups.front()) {
      check_a_registers(machine, step);
      execute(machine, group, step);
      end_reads(machine, step);
    }
    group.groups.erase(group.groups.begin());
  }
  if (!group.groups.empty() || !group.open.empty()) return;
  for (std::size_t lane = 0; lane < group.accumulators.size(); ++lane) {
    const std::vector<float>& values = group.accumulators[lane];
    std::memcpy(group.registers[lane], values.data(), values.size() * sizeof(float));
  }
  group.accumulators.clear();
  group.registers.clear();
}

}  // namespace

void warpgroup_fence() {
  Machine& machine = Machine::current();
  machine.meet(kWarpgroup, "wgmma.fence", nullptr, nullptr, [](Machine& at, int, const void* const*, void* const*) {
    at.warpgroup().fenced = at.fault() != Fault::skip_wgmma_fence;
  });
}

void warpgroup_commit() {
  Machine::current().meet(kWarpgroup, "wgmma.commit_group", nullptr, nullptr, [](Machine& at, int, const void* const*, void* const*) {
    WarpgroupState& group = at.warpgroup();
    group.groups.push_back(std::move(group.open));
    group.open.clear();
    group.fenced = false;
  });
}

void wait_for_warpgroup(int groups_left, float*, int) {
  Machine& machine = Machine::current();
  if (machine.fault() == Fault::skip_wgmma_wait) return;
  const int asked = groups_left;
  machine.meet(kWarpgroup, "wgmma.wait_group", &asked, nullptr, [](Machine& at, int, const void* const* inputs, void* const*) {
    finish_groups(at, *static_cast<const int*>(inputs[0]));
  });
}

void warpgroup_multiply(float* d, int registers, const std::uint32_t* a, std::uint64_t descriptor, std::uint32_t metadata, int selector, bool sparse,
                        ValueType type) {
  Machine& machine = Machine::current();
  const std::uint64_t leading = (descriptor >> 16) & 0x3fff, stride = (descriptor >> 32) & 0x3fff;
  switch (machine.fault()) {
    case Fault::swap_selector: selector ^= 1; break;
    case Fault::wrong_leading_offset: descriptor = (descriptor & ~(std::uint64_t{0x3fff} << 16)) | ((leading * 2) & 0x3fff) << 16; break;
    case Fault::wrong_stride_offset: descriptor = (descriptor & ~(std::uint64_t{0x3fff} << 32)) | (stride / 2) << 32; break;
    case Fault::wrong_start: descriptor += 1024 >> 4; break;
    default: break;
  }
  const WarpgroupInput input{d, a, descriptor, metadata, registers, selector, sparse, type};
  machine.meet(kWarpgroup, sparse ? "wgmma.sp" : "wgmma", &input, nullptr, issue);
}

}  // namespace hinm::simt
