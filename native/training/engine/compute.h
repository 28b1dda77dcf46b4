// How the engine computes: threads and the product's implementation.
#pragma once

#include <cstdint>
#include <functional>

namespace hinm::training {

/// `tiled` is this project's SIMD kernel, `open_blas` the library where it is installed, `naive` a triple loop that the
/// benchmark compares with.
enum class GemmBackend { tiled, open_blas, naive };

struct Compute {
  int threads = 1;
  GemmBackend backend = GemmBackend::tiled;
};

/// Calls body(first, last) for fixed pieces of [0, count). The pieces depend on `grain` alone, so that sums made in a piece
/// are the same for every thread count. Runs on the caller's thread where there is only one piece.
void for_pieces(std::int64_t count, std::int64_t grain, int threads, const std::function<void(std::int64_t first, std::int64_t last)>& body);

}  // namespace hinm::training
