// The inner kernel of the tiled product, one implementation an instruction set.
#pragma once

#include <cstdint>

namespace hinm::training {

/// `row_count` rows of a (at most `rows`) times one packed panel of b (depth × width, padded with zeros).
template <class T>
struct TileArguments {
  const T* a;
  std::int64_t a_row_step;
  std::int64_t a_depth_step;
  const T* panel;
  std::int64_t depth;
  T* result;
  std::int64_t result_stride;
  std::int64_t columns;  ///< columns of the panel that exist, at most `width`
  bool accumulate;
};

template <class T>
struct TileKernel {
  int rows;   ///< rows a call may take
  int width;  ///< columns of a panel
  void (*run)(int row_count, const TileArguments<T>& arguments);
};

struct TileKernels {
  const char* name;
  TileKernel<float> single;
  TileKernel<double> twice;
};

/// Null where this build has no such kernel.
const TileKernels* tile_kernels_avx512();
const TileKernels* tile_kernels_avx2();
const TileKernels* tile_kernels_neon();
const TileKernels* tile_kernels_plain();

}  // namespace hinm::training
