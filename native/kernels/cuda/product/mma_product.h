// The product kernel for sm_80 and later: mma.sp (or mma, for tiles that are dense inside) fed by cp.async.
//
// One block multiplies one tile of V output channels with `block_columns` activation columns. Every step of 64 kept
// columns goes through a ring of stages: the tile's values and metadata are contiguous, the activation rows are gathered
// by the column list while they are copied, so that the input permutation costs nothing extra. Activation rows lie
// in shared memory with their 16-byte chunks swizzled so that ldmatrix meets no bank conflict.
#pragma once

#include "kernels/cuda/product/epilogue.h"

namespace hinm::cuda {

struct MmaShape {
  Format format;
  ValueType type;
  int tile_rows;      ///< V
  int block_columns;  ///< activation columns of one block
  int warps_m;
  int warps_n;
  int stages;
};

template <MmaShape Shape>
struct MmaProduct {
  static constexpr bool kSparse = Shape.format != Format::vector;
  static constexpr bool kGathers = Shape.format != Format::two_four;
  static constexpr int kThreads = 32 * Shape.warps_m * Shape.warps_n;
  static constexpr int kRowFragments = Shape.tile_rows / 16 / Shape.warps_m;
  static constexpr int kColumnFragments = Shape.block_columns / 8 / Shape.warps_n;
  static constexpr int kValueBytes = Shape.tile_rows * kStepColumns * (kSparse ? 1 : 2);
  static constexpr int kMetadataBytes = kSparse ? Shape.tile_rows * 8 : 0;
  static constexpr int kStageBytes = kValueBytes + kMetadataBytes + kStepColumns * Shape.block_columns * 2;
  static constexpr int kSharedBytes = kStageBytes * Shape.stages;
  /// 16-byte chunks in one activation row of the block.
  static constexpr int kChunks = Shape.block_columns / 8;

  static_assert(Shape.tile_rows % (16 * Shape.warps_m) == 0 && Shape.block_columns % (8 * Shape.warps_n) == 0, "warps divide the tile");
  static_assert(16 + kPatchBytes<kColumnFragments> * (kThreads / 32) <= kSharedBytes, "the output rows fit where the stages were");
  static_assert(kChunks == 2 || kChunks == 4 || kChunks == 8 || kChunks == 16 || kChunks == 32, "a warp copies whole rows");

  /// Byte offset of chunk `chunk` of activation row `k` in a stage. Eight consecutive rows meet all 32 banks.
  static SIMT_DEVICE int swizzled(int k, int chunk) {
    constexpr int kSwizzled = kChunks < 8 ? kChunks : 8;
    return (k * kChunks + (chunk ^ ((k / (8 / kSwizzled)) & (kSwizzled - 1)))) * 16;
  }

  /// Column indexes of one step, two for each lane: kept columns lane and lane + 32.
  struct StepColumns {
    int low;
    int high;
  };
  static SIMT_DEVICE StepColumns fetch_columns(const ProductArguments& p, int tile, int step, int lane) {
    if constexpr (!kGathers) return {0, 0};
    const std::int32_t* columns = p.columns + (static_cast<std::int64_t>(tile) * p.steps + step) * kStepColumns;
    return {simt::load_global(columns + lane), simt::load_global(columns + lane + 32)};
  }

  static SIMT_DEVICE void load_step(const ProductArguments& p, char* stage, const StepColumns& columns, int tile, int step, int n0, int thread) {
    const std::int64_t block = static_cast<std::int64_t>(tile) * p.steps + step;
    const char* values = static_cast<const char*>(p.values) + block * kValueBytes;
    SIMT_UNROLL
    for (int i = thread; i < kValueBytes / 16; i += kThreads) simt::copy_async(stage + i * 16, values + i * 16, true);
    if constexpr (kSparse) {
      const char* metadata = reinterpret_cast<const char*>(p.metadata) + block * kMetadataBytes;
      for (int i = thread; i < kMetadataBytes / 16; i += kThreads) simt::copy_async(stage + kValueBytes + i * 16, metadata + i * 16, true);
    }
    char* activations = stage + kValueBytes + kMetadataBytes;
    SIMT_UNROLL
    for (int i = thread; i < kStepColumns * kChunks; i += kThreads) {
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
      simt::copy_async(activations + swizzled(k, chunk), source, valid);
    }
  }

  using Accumulators = float[kRowFragments * kColumnFragments][4];

  template <int Half>
  static SIMT_DEVICE void multiply_half(const char* stage, Accumulators& d, const std::uint32_t (&metadata)[kRowFragments], int warp_m, int warp_n, int lane) {
    const char* activations = stage + kValueBytes + kMetadataBytes;
    constexpr int kBlocks = kSparse ? 1 : 2;  // fragments of A that cover 32 logical columns
    std::uint32_t a[kRowFragments][kBlocks][4];
    SIMT_UNROLL
    for (int i = 0; i < kRowFragments; ++i) {
      SIMT_UNROLL
      for (int block = 0; block < kBlocks; ++block) {
        simt::load_shared(a[i][block], stage + ((((warp_m * kRowFragments + i) * 2 + Half) * kBlocks + block) * 32 + lane) * 16);
      }
    }
    SIMT_UNROLL
    for (int j = 0; j < kColumnFragments; ++j) {
      std::uint32_t b[4];
      simt::load_matrix_transposed(b, activations + swizzled(Half * 32 + lane, warp_n * kColumnFragments + j));
      SIMT_UNROLL
      for (int i = 0; i < kRowFragments; ++i) {
        float(&sum)[4] = d[i * kColumnFragments + j];
        if constexpr (kSparse) {
          simt::multiply_sparse<Half, Shape.type>(sum, a[i][0], b, metadata[i]);
        } else {
          simt::multiply_dense<Shape.type>(sum, a[i][0], b[0], b[1]);
          simt::multiply_dense<Shape.type>(sum, a[i][kBlocks - 1], b[2], b[3]);
        }
      }
    }
  }

  static SIMT_DEVICE void multiply_step(const char* stage, Accumulators& d, int warp_m, int warp_n, int lane) {
    std::uint32_t metadata[kRowFragments] = {};
    if constexpr (kSparse) {
      SIMT_UNROLL
      for (int i = 0; i < kRowFragments; ++i) {
        metadata[i] = simt::load_shared(stage + kValueBytes + ((warp_m * kRowFragments + i) * 32 + lane) * 4);
      }
    }
    multiply_half<0>(stage, d, metadata, warp_m, warp_n, lane);
    multiply_half<1>(stage, d, metadata, warp_m, warp_n, lane);
  }

  template <int Fragment>
  static SIMT_DEVICE void store_from(const ProductArguments& p, const Accumulators& d, char* patch, int tile_row, int n0, int lane) {
    if constexpr (Fragment < kRowFragments) {
      store_rows<Shape.type, Fragment * kColumnFragments, kColumnFragments>(p, d, patch, tile_row + Fragment * 16, n0, lane);
      store_from<Fragment + 1>(p, d, patch, tile_row, n0, lane);
    }
  }

  static SIMT_DEVICE void run(const ProductArguments& p) {
    constexpr int kAhead = Shape.stages - 1;  // steps that are loading while one is multiplied
    char* shared = simt::dynamic_shared_memory();
    const int thread = simt::thread_index();
    const int warp = thread / 32;
    const int lane = thread % 32;
    const int warp_m = warp % Shape.warps_m;
    const int warp_n = warp / Shape.warps_m;
    const int tile = simt::block_x();
    const int n0 = simt::block_y() * Shape.block_columns;
    const int first = p.steps * simt::block_z() / simt::grid_z();
    const int last = p.steps * (simt::block_z() + 1) / simt::grid_z();

    Accumulators d;
    SIMT_UNROLL
    for (int i = 0; i < kRowFragments * kColumnFragments; ++i) {
      SIMT_UNROLL
      for (int q = 0; q < 4; ++q) d[i][q] = 0.0f;
    }
    StepColumns columns{};
    if (first < last) columns = fetch_columns(p, tile, first, lane);
    for (int ahead = 0; ahead < kAhead; ++ahead) {
      const int step = first + ahead;
      if (step < last) {
        load_step(p, shared + ahead * kStageBytes, columns, tile, step, n0, thread);
        if (step + 1 < last) columns = fetch_columns(p, tile, step + 1, lane);
      }
      simt::copy_async_commit();
    }
    int reading = 0;
    int writing = kAhead;
    for (int step = first; step < last; ++step) {
      simt::copy_async_wait<kAhead - 1>();
      // Two meanings: the copies of all warps have come, and all have finished with the stage that is refilled next.
      simt::block_barrier();
      const int loading = step + kAhead;
      if (loading < last) {
        load_step(p, shared + writing * kStageBytes, columns, tile, loading, n0, thread);
        if (loading + 1 < last) columns = fetch_columns(p, tile, loading + 1, lane);
      }
      simt::copy_async_commit();
      multiply_step(shared + reading * kStageBytes, d, warp_m, warp_n, lane);
      reading = reading + 1 == Shape.stages ? 0 : reading + 1;
      writing = writing + 1 == Shape.stages ? 0 : writing + 1;
    }
    simt::copy_async_wait<0>();
    // No warp reads a stage any more: from here on the memory holds tickets and output rows.
    simt::block_barrier();
    if (!sum_parts<0, kThreads>(p, d, thread)) return;
    store_from<0>(p, d, shared + 16 + warp * kPatchBytes<kColumnFragments>, tile * Shape.tile_rows + warp_m * kRowFragments * 16,
                  n0 + warp_n * kColumnFragments * 8, lane);
  }
};

}  // namespace hinm::cuda
