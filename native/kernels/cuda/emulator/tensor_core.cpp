#include "kernels/cuda/emulator/tensor_core.h"

#include <cstring>

#include "kernels/cuda/simt/simt_emulated.h"

namespace hinm::simt {

using hinm::cuda::decode;

std::string decode_sparse_rows(TensorRows& rows, const std::uint32_t* const* registers, const std::uint32_t* metadata, int selector, ValueType type) {
  std::memset(&rows, 0, sizeof rows);
  for (int g = 0; g < 8; ++g) {
    for (int t = 0; t < 4; ++t) {
      for (int reg = 0; reg < 4; ++reg) {
        const int row = g + (reg & 1) * 8;
        const int group = t + (reg >> 1) * 4;
        const std::uint32_t word = metadata[g * 4 + selector * 2 + (group >> 2)];
        const std::uint32_t pair = (word >> ((reg & 1) * 16 + (group & 3) * 4)) & 15u;
        const std::uint32_t first = pair & 3u, second = pair >> 2;
        if (first >= second) return "a sparse multiplication has metadata whose pair is not in order";
        const std::uint32_t values = registers[g * 4 + t][reg];
        rows.value[row][group * 4 + static_cast<int>(first)] = decode(type, static_cast<std::uint16_t>(values));
        rows.value[row][group * 4 + static_cast<int>(second)] = decode(type, static_cast<std::uint16_t>(values >> 16));
      }
    }
  }
  return {};
}

void decode_dense_rows(TensorRows& rows, const std::uint32_t* const* registers, ValueType type) {
  for (int g = 0; g < 8; ++g) {
    for (int t = 0; t < 4; ++t) {
      for (int reg = 0; reg < 4; ++reg) {
        const std::uint32_t values = registers[g * 4 + t][reg];
        float* first = &rows.value[g + (reg & 1) * 8][t * 2 + (reg >> 1) * 8];
        first[0] = decode(type, static_cast<std::uint16_t>(values));
        first[1] = decode(type, static_cast<std::uint16_t>(values >> 16));
      }
    }
  }
}

namespace {

struct MultiplyInput {
  const std::uint32_t* a;
  const std::uint32_t* b;
  std::uint32_t metadata;
  int selector;
  bool sparse;
  ValueType type;
};

void multiply_warp(Machine& machine, int, const void* const* inputs, void* const* outputs) {
  ++machine.counters().tensor_steps;
  const auto& first = *static_cast<const MultiplyInput*>(inputs[0]);
  const int depth = first.sparse ? 32 : 16;
  const std::uint32_t* a[kWarpSize];
  std::uint32_t metadata[kWarpSize];
  float b[32][8];
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const auto& input = *static_cast<const MultiplyInput*>(inputs[lane]);
    a[lane] = input.a;
    metadata[lane] = input.metadata;
    for (int reg = 0; reg < depth / 8; ++reg) {
      for (int half = 0; half < 2; ++half) {
        b[reg * 8 + lane % 4 * 2 + half][lane / 4] = decode(input.type, static_cast<std::uint16_t>(input.b[reg] >> (16 * half)));
      }
    }
  }
  TensorRows rows;
  if (first.sparse) {
    machine.fail(decode_sparse_rows(rows, a, metadata, first.selector, first.type));
  } else {
    decode_dense_rows(rows, a, first.type);
  }
  for (int lane = 0; lane < kWarpSize; ++lane) {
    auto* d = static_cast<float*>(outputs[lane]);
    for (int i = 0; i < 4; ++i) {
      const float* row = rows.value[lane / 4 + (i >> 1) * 8];
      const int column = lane % 4 * 2 + (i & 1);
      float sum = 0;
      for (int k = 0; k < depth; ++k) sum += row[k] * b[k][column];
      d[i] += sum;
    }
  }
}

}  // namespace

void multiply(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t* b, std::uint32_t metadata, int selector, bool sparse, ValueType type) {
  Machine& machine = Machine::current();
  if (machine.fault() == Fault::swap_selector) selector ^= 1;
  const MultiplyInput input{a, b, metadata, selector, sparse, type};
  machine.meet(kWarpSize, sparse ? "mma.sp" : "mma", &input, d, multiply_warp);
}

}  // namespace hinm::simt
