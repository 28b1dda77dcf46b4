// Dense float32 products that the sparse kernels are timed against.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/matrix.h"
#include "base/result.h"

namespace hinm::kernels {

/// One dense product of fixed weights, ready to run.
struct DenseBaseline {
  std::string name;  ///< library and version
  /// Y = W·X; X is cols × N, Y rows × N, both row-major and contiguous.
  std::function<void(MatrixView<const float> activations, MatrixView<float> output)> run;
};

struct AbsentBaseline {
  std::string name;
  std::string reason;
};

struct DenseBaselines {
  std::vector<DenseBaseline> present;
  std::vector<AbsentBaseline> absent;
};

/// The dense products that this program knows.
enum class DenseLibrary { openblas, onednn, own };

/// One of them, or the reason why it is absent. `weights` must outlive the result. Call `run` on the thread that called
/// this: OpenMP keeps its thread count per thread. The libraries' worker pools are asked to sleep between calls, because
/// a spinning pool takes the processor from its neighbour.
Result<DenseBaseline> dense_baseline(DenseLibrary library, MatrixView<const float> weights, int threads);

/// All of them: the libraries where they are installed (opened at run time), this program's own always and last.
DenseBaselines dense_baselines(MatrixView<const float> weights, int threads);

}  // namespace hinm::kernels
