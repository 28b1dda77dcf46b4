// Measures how many bytes a second the multiprocessors can gather: the same copies as the product kernels, no arithmetic.
// The number decides what vector sparsity can gain (see the floor model), so it is measured beside every product.
#pragma once

#include "kernels/cuda/simt/simt.h"

namespace hinm::cuda {

struct GatherArguments {
  const std::uint16_t* x;       ///< [rows][width] 16-bit values
  const std::int32_t* columns;  ///< [blocks][steps·64] row numbers
  std::uint32_t* sink;          ///< [blocks], so that the copies are not for nothing
  std::int32_t steps;
  std::int32_t width;           ///< of a row of x, in values
};

/// Gathers 64 rows of RowBytes in each step through a ring of stages.
template <int RowBytes>
struct GatherProbe {
  static constexpr int kThreads = 128;
  static constexpr int kStages = 4;
  static constexpr int kStageBytes = 64 * RowBytes;
  static constexpr int kSharedBytes = kStages * kStageBytes;
  static constexpr int kChunks = RowBytes / 16;

  static SIMT_DEVICE void load(const GatherArguments& p, char* stage, int step, int lane, int thread) {
    const std::int32_t* columns = p.columns + (static_cast<std::int64_t>(simt::block_x()) * p.steps + step) * 64;
    const int low = simt::load_global(columns + lane);
    const int high = simt::load_global(columns + lane + 32);
    SIMT_UNROLL
    for (int i = thread; i < 64 * kChunks; i += kThreads) {
      const int k = i / kChunks;
      const int column = simt::shuffle(k < 32 ? low : high, k & 31);
      simt::copy_async(stage + i * 16, p.x + static_cast<std::int64_t>(column) * p.width + simt::block_y() * (RowBytes / 2) + i % kChunks * 8, true);
    }
  }

  static SIMT_DEVICE void run(const GatherArguments& p) {
    char* shared = simt::dynamic_shared_memory();
    const int thread = simt::thread_index();
    const int lane = thread % 32;
    for (int step = 0; step < kStages - 1; ++step) {
      if (step < p.steps) load(p, shared + step * kStageBytes, step, lane, thread);
      simt::copy_async_commit();
    }
    for (int step = 0; step < p.steps; ++step) {
      simt::copy_async_wait<kStages - 2>();
      simt::block_barrier();
      const int next = step + kStages - 1;
      if (next < p.steps) load(p, shared + next % kStages * kStageBytes, next, lane, thread);
      simt::copy_async_commit();
    }
    simt::copy_async_wait<0>();
    simt::block_barrier();
    if (thread == 0) simt::store_global(p.sink + simt::block_x(), simt::load_shared(shared));
  }
};

}  // namespace hinm::cuda
