// The product kernel for Hopper (sm_90a): wgmma with A and metadata in registers and B in shared memory.
//
// One producer warpgroup fills a ring of stages, V/64 consumer warpgroups multiply 64 rows each. Values and metadata of
// a step are contiguous, so one thread moves them with two bulk copies; the activation rows are gathered with cp.async,
// because a bulk copy can neither gather nor swizzle. Register form (RS) spares the shared-memory bandwidth that the
// activations already use up: for 2:4 at 256 columns B alone takes 128 of 128 bytes a clock.
#pragma once

#include "kernels/cuda/product/epilogue.h"

namespace hinm::cuda {

struct WarpgroupShape {
  Format format;
  ValueType type;
  int tile_rows;
  int block_columns;
  int stages;
  int lag;              ///< steps between a copy's issue and the signal that it has come
  int blocks_together;  ///< blocks that shall fit on one multiprocessor
};

template <WarpgroupShape Shape>
struct WarpgroupProduct {
  static constexpr bool kSparse = Shape.format != Format::vector;
  static constexpr bool kGathers = Shape.format != Format::two_four;
  static constexpr int kConsumers = Shape.tile_rows / 64;
  static constexpr int kThreads = 128 * (1 + kConsumers);
  static constexpr int kValueBytes = Shape.tile_rows * kStepColumns * (kSparse ? 1 : 2);
  static constexpr int kMetadataBytes = kSparse ? Shape.tile_rows * 8 : 0;
  static constexpr int kActivationBytes = kStepColumns * Shape.block_columns * 2;
  /// The swizzle is a function of address bits, so stages begin at multiples of 1024 bytes.
  static constexpr int kStageBytes = (kActivationBytes + kValueBytes + kMetadataBytes + 1023) / 1024 * 1024;
  static constexpr int kBarrierOffset = kStageBytes * Shape.stages;
  static constexpr int kSharedBytes = kBarrierOffset + 2 * Shape.stages * 8;
  static constexpr int kChunks = Shape.block_columns / 8;
  static constexpr int kRegisters = Shape.block_columns / 2;
  static constexpr int kBlocks = kSparse ? 1 : 2;
  static constexpr int kProducerRegisters = 56;
  /// All of the multiprocessor's 65536 registers, in units of eight a thread (setmaxnreg).
  static constexpr int kConsumerRegisters =
      (65536 / Shape.blocks_together / 128 - kProducerRegisters) / kConsumers / 8 * 8 > 240 ? 240
                                                                                             : (65536 / Shape.blocks_together / 128 - kProducerRegisters) / kConsumers / 8 * 8;

  static_assert(Shape.tile_rows % 64 == 0 && Shape.block_columns % 64 == 0, "a warpgroup multiplies 64 rows, a swizzled row has 64 columns");
  static_assert(16 + kPatchBytes<Shape.block_columns / 8> * kConsumers * 4 <= kBarrierOffset, "the output rows fit where the stages were");
  static_assert(Shape.lag >= 1 && Shape.lag < Shape.stages, "a stage is signalled before it is refilled");

  /// 128-byte swizzle, n contiguous; leading offset between 64-column blocks, stride between groups of 8 activation rows.
  static SIMT_DEVICE std::uint64_t descriptor(const char* activations) {
    const std::uint64_t start = simt::shared_address(activations) >> 4 & 0x3fff;
    return start | static_cast<std::uint64_t>(kStepColumns * 128 >> 4) << 16 | static_cast<std::uint64_t>(1024 >> 4) << 32 | std::uint64_t{1} << 62;
  }

  struct StepColumns {
    int low;
    int high;
  };
  static SIMT_DEVICE StepColumns fetch_columns(const ProductArguments& p, int tile, int step, int lane) {
    if constexpr (!kGathers) return {0, 0};
    const std::int32_t* columns = p.columns + (static_cast<std::int64_t>(tile) * p.steps + step) * kStepColumns;
    return {simt::load_global(columns + lane), simt::load_global(columns + lane + 32)};
  }

  static SIMT_DEVICE void gather_step(const ProductArguments& p, char* stage, const StepColumns& columns, int step, int n0, int thread) {
    SIMT_UNROLL
    for (int i = thread; i < kStepColumns * kChunks; i += 128) {
      const int k = i / kChunks;
      const int chunk = i % kChunks;
      const int n = n0 + chunk * 8;
      int column = step * kStepColumns + k;
      bool valid = column < p.depth;
      if constexpr (kGathers) {
        column = simt::shuffle(k < 32 ? columns.low : columns.high, k & 31);
        valid = column >= 0;
      }
      valid = valid && n < p.n;
      const std::uint16_t* source = p.x + (valid ? static_cast<std::int64_t>(column) * p.ldx + n : 0);
      simt::copy_async(stage + ((chunk >> 3) * kStepColumns + k) * 128 + (((chunk & 7) ^ (k & 7)) << 4), source, valid);
    }
  }

  static SIMT_DEVICE void copy_weights(const ProductArguments& p, char* stage, std::uint64_t* full, int tile, int step) {
    const std::int64_t block = static_cast<std::int64_t>(tile) * p.steps + step;
    simt::phase_barrier_expect(full, kValueBytes + kMetadataBytes);
    simt::bulk_copy(stage + kActivationBytes, static_cast<const char*>(p.values) + block * kValueBytes, kValueBytes, full);
    if constexpr (kSparse) {
      simt::bulk_copy(stage + kActivationBytes + kValueBytes, reinterpret_cast<const char*>(p.metadata) + block * kMetadataBytes, kMetadataBytes, full);
    }
  }

  static SIMT_DEVICE void produce(const ProductArguments& p, char* shared, std::uint64_t* full, std::uint64_t* empty, int tile, int n0, int first, int last) {
    const int thread = simt::thread_index();
    const int lane = thread % 32;
    const int steps = last - first;
    StepColumns columns{};
    if (steps > 0) columns = fetch_columns(p, tile, first, lane);
    int stage = 0, phase = 1;  // parity of the emptying that a refill waits for; the first round waits for none
    int signalled = 0;
    for (int step = 0; step < steps + Shape.lag; ++step) {
      if (step < steps) {
        if (step >= Shape.stages) simt::phase_barrier_wait(empty + stage, phase);
        if (thread == 0) copy_weights(p, shared + stage * kStageBytes, full + stage, tile, first + step);
        gather_step(p, shared + stage * kStageBytes, columns, first + step, n0, thread);
        if (step + 1 < steps) columns = fetch_columns(p, tile, first + step + 1, lane);
        if (++stage == Shape.stages) {
          stage = 0;
          phase ^= 1;
        }
      }
      simt::copy_async_commit();
      if (step >= Shape.lag) {
        // The proxy fence must follow the completion and precede the signal, so cp.async.mbarrier.arrive would not do.
        simt::copy_async_wait<Shape.lag>();
        simt::fence_async_proxy();
        simt::phase_barrier_arrive(full + signalled);
        signalled = signalled + 1 == Shape.stages ? 0 : signalled + 1;
      }
    }
    simt::copy_async_wait<0>();
  }

  using Accumulators = float[kRegisters];

  /// One step: A to registers, two multiplications; leaves the group in flight and frees the stage of the step before.
  static SIMT_DEVICE void consume_step(char* shared, std::uint64_t* full, std::uint64_t* empty, Accumulators& d, std::uint32_t (&a)[2][kBlocks][4],
                                       int fragment, int lane, int stage, int phase, int previous) {
    char* activations = shared + stage * kStageBytes;
    simt::phase_barrier_wait(full + stage, phase);
    std::uint32_t metadata = 0;
    if constexpr (kSparse) metadata = simt::load_shared(activations + kActivationBytes + kValueBytes + (fragment * 32 + lane) * 4);
    SIMT_UNROLL
    for (int half = 0; half < 2; ++half) {
      SIMT_UNROLL
      for (int block = 0; block < kBlocks; ++block) {
        simt::load_shared(a[half][block], activations + kActivationBytes + (((fragment * 2 + half) * kBlocks + block) * 32 + lane) * 16);
      }
    }
    simt::warpgroup_fence();
    if constexpr (kSparse) {
      simt::warpgroup_multiply_sparse<0, Shape.type>(d, a[0][0], descriptor(activations), metadata);
      simt::warpgroup_multiply_sparse<1, Shape.type>(d, a[1][0], descriptor(activations + 32 * 128), metadata);
    } else {
      SIMT_UNROLL
      for (int block = 0; block < 4; ++block) {
        simt::warpgroup_multiply_dense<Shape.type>(d, a[block / 2][block % kBlocks], descriptor(activations + block * 16 * 128));
      }
    }
    simt::warpgroup_commit();
    if (previous >= 0) {
      simt::warpgroup_wait<1>(d);
      simt::phase_barrier_arrive(empty + previous);
    }
  }

  static SIMT_DEVICE void consume(const ProductArguments& p, char* shared, std::uint64_t* full, std::uint64_t* empty, int tile, int n0, int steps) {
    const int consumer = simt::thread_index() - 128;
    const int lane = consumer % 32;
    const int fragment = consumer / 32;  // of 16 rows
    Accumulators d;
    SIMT_UNROLL
    for (int i = 0; i < kRegisters; ++i) d[i] = 0.0f;
    // Two sets of A registers: one is read by the multiplication in flight while the other is loaded.
    std::uint32_t even[2][kBlocks][4], odd[2][kBlocks][4];
    int stage = 0, phase = 0, previous = -1;
    for (int step = 0; step < steps; step += 2) {
      consume_step(shared, full, empty, d, even, fragment, lane, stage, phase, previous);
      previous = stage;
      if (++stage == Shape.stages) {
        stage = 0;
        phase ^= 1;
      }
      if (step + 1 == steps) break;
      consume_step(shared, full, empty, d, odd, fragment, lane, stage, phase, previous);
      previous = stage;
      if (++stage == Shape.stages) {
        stage = 0;
        phase ^= 1;
      }
    }
    simt::warpgroup_wait<0>(d);
    auto& fragments = reinterpret_cast<float(&)[Shape.block_columns / 8][4]>(d);
    // Every consumer has finished with every stage: from here on the memory holds tickets and output rows.
    simt::named_barrier<1, kThreads - 128>();
    if (!sum_parts<1, kThreads - 128>(p, fragments, consumer)) return;
    store_rows<Shape.type, 0, Shape.block_columns / 8>(p, fragments, shared + 16 + fragment * kPatchBytes<Shape.block_columns / 8>,
                                                       tile * Shape.tile_rows + fragment * 16, n0, lane);
  }

  static SIMT_DEVICE void run(const ProductArguments& p) {
    char* shared = simt::dynamic_shared_memory();
    auto* full = reinterpret_cast<std::uint64_t*>(shared + kBarrierOffset);
    std::uint64_t* empty = full + Shape.stages;
    const int tile = simt::block_x();
    const int n0 = simt::block_y() * Shape.block_columns;
    const int first = p.steps * simt::block_z() / simt::grid_z();
    const int last = p.steps * (simt::block_z() + 1) / simt::grid_z();
    if (simt::thread_index() == 0) {
      for (int stage = 0; stage < Shape.stages; ++stage) {
        simt::phase_barrier_start(full + stage, 128);
        simt::phase_barrier_start(empty + stage, 128 * kConsumers);
      }
      simt::phase_barrier_publish();
    }
    simt::block_barrier();
    if (simt::thread_index() < 128) {
      simt::give_registers_back<kProducerRegisters>();
      produce(p, shared, full, empty, tile, n0, first, last);
    } else {
      simt::take_registers<kConsumerRegisters>();
      consume(p, shared, full, empty, tile, n0, last - first);
    }
  }
};

}  // namespace hinm::cuda
