// What one instruction set offers for the packed product.
#pragma once

#include <cstdint>

namespace hinm::kernels {

/// Rows that are interleaved in a row stream.
inline constexpr int stream_rows = 4;
/// Columns of a block at most, and the largest m. With four vectors of 64 bytes a block takes 16 KiB, so that the one in
/// use and the one that is being gathered stay in the first-level cache together; and 64 floats are a table that AVX-512
/// looks up in registers.
inline constexpr int block_columns_limit = 64;
/// Rows of a stream tile at most.
inline constexpr int tile_rows_limit = 128;
/// Floats of the widest panel: 4 vectors of 16.
inline constexpr int panel_width_limit = 64;
/// Up to so many activation columns are multiplied one by one, with rows in the lanes.
inline constexpr int narrow_columns = 3;

/// Memory that a thread needs, the parts aligned to cache lines.
struct WorkSpace {
  alignas(64) float gathered[2][block_columns_limit * panel_width_limit];  ///< the block in use and the one to come
  alignas(64) float sums[tile_rows_limit * panel_width_limit];
  alignas(64) float widened[2 * stream_rows * block_columns_limit];        ///< bfloat16 weights of two quads as float32
};

/// One tile times one panel of activation columns.
struct PanelArguments {
  const float* weights = nullptr;         ///< row stream of the tile (row_stream.h), or null and then
  const std::uint16_t* narrow_weights = nullptr;  ///< the same in bfloat16
  const std::uint8_t* index = nullptr;    ///< position of each weight's column in its block
  const std::uint32_t* columns = nullptr; ///< activation row of each packed column; no_column reads zeros
  std::int64_t column_count = 0;
  std::int64_t block_columns = 0;         ///< columns of a full block, a multiple of m
  int n = 1;                              ///< kept of every m
  int m = 1;
  const std::uint32_t* output_rows = nullptr;
  std::int64_t row_count = 0;             ///< rows that exist; the stream is padded to whole quads
  const float* activations = nullptr;     ///< X at the panel's first column
  std::int64_t activation_stride = 0;
  float* output = nullptr;                ///< Y at the panel's first column
  std::int64_t output_stride = 0;
  std::int64_t width = 0;                 ///< columns of the panel that exist
  WorkSpace* space = nullptr;
};

/// Independent vector operations of one round of ProductKernel::multiply_adds: latency times throughput of known cores.
inline constexpr int multiply_adds_a_round = 10;

struct ProductKernel {
  const char* name;    ///< instruction set, e.g. "AVX-512"
  int lanes;           ///< floats of a vector
  int panel_vectors;   ///< vectors of the widest panel
  /// Multiplies a panel of `vectors` vectors (1 … panel_vectors).
  void (*panel)(int vectors, const PanelArguments& arguments);
  /// Multiplies one activation column; `width` is not used.
  void (*column)(const PanelArguments& arguments);
  /// Fused multiply-adds in registers, for the peak (multiply_add_peak.h).
  double (*multiply_adds)(std::int64_t rounds);
};

/// The kernel of each instruction set, or null where this build does not have it.
const ProductKernel* product_kernel_avx512();
const ProductKernel* product_kernel_avx2();
const ProductKernel* product_kernel_neon();
const ProductKernel* product_kernel_plain();

/// The widest that this processor runs.
const ProductKernel& best_product_kernel();

}  // namespace hinm::kernels
