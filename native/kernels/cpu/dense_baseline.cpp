#include "kernels/cpu/dense_baseline.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

#include "device/shared_library.h"
#include "kernels/cpu/cpu_product.h"
#include "kernels/format/pack.h"

namespace hinm::kernels {
namespace {

#if defined(_WIN32)
const std::vector<std::string> openblas_names{"openblas.dll", "libopenblas.dll"};
const std::vector<std::string> onednn_names{"dnnl.dll"};
void ask_pools_to_sleep() {}
#else
#if defined(__APPLE__)
const std::vector<std::string> openblas_names{"libopenblas.0.dylib", "libopenblas.dylib"};
const std::vector<std::string> onednn_names{"libdnnl.3.dylib", "libdnnl.2.dylib"};
#else
const std::vector<std::string> openblas_names{"libopenblas.so.0", "libopenblas.so"};
const std::vector<std::string> onednn_names{"libdnnl.so.3", "libdnnl.so.2"};
#endif
// Read by the libraries when they are loaded; what the user has set stays.
void ask_pools_to_sleep() {
  setenv("OMP_WAIT_POLICY", "passive", 0);
  setenv("OPENBLAS_THREAD_TIMEOUT", "4", 0);
}
#endif

using CblasSgemm = void(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha, const float* a, int lda, const float* b, int ldb,
                        float beta, float* c, int ldc);
using DnnlSgemm = int(char transpose_a, char transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a, std::int64_t lda,
                      const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc);
struct DnnlVersion {
  int major, minor, patch;
};

Error absent(const std::string& reason) { return {"LIBRARY_NOT_FOUND", reason}; }

Result<DenseBaseline> openblas_baseline(MatrixView<const float> weights, int threads) {
  const Result<device::SharedLibrary> library = device::SharedLibrary::open(openblas_names);
  if (!library.ok()) return library.error();
  auto* sgemm = library.value().function<CblasSgemm>("cblas_sgemm");
  auto* set_threads = library.value().function<void(int)>("openblas_set_num_threads");
  auto* config = library.value().function<const char*()>("openblas_get_config");
  if (sgemm == nullptr || set_threads == nullptr || config == nullptr)
    return absent(library.value().name() + " lacks cblas_sgemm, openblas_set_num_threads or openblas_get_config");
  return DenseBaseline{config(), [=](MatrixView<const float> x, MatrixView<float> y) {
                         constexpr int row_major = 101, no_transpose = 111;
                         set_threads(threads);
                         const int m = static_cast<int>(weights.rows), n = static_cast<int>(x.cols), k = static_cast<int>(weights.cols);
                         sgemm(row_major, no_transpose, no_transpose, m, n, k, 1.0f, weights.data, k, x.data, n, 0.0f, y.data, n);
                       }};
}

Result<DenseBaseline> onednn_baseline(MatrixView<const float> weights, int threads) {
  const Result<device::SharedLibrary> library = device::SharedLibrary::open(onednn_names);
  if (!library.ok()) return library.error();
  auto* sgemm = library.value().function<DnnlSgemm>("dnnl_sgemm");
  auto* version = library.value().function<const DnnlVersion*()>("dnnl_version");
  auto* set_threads = library.value().function<void(int)>("omp_set_num_threads");
  if (sgemm == nullptr || version == nullptr || set_threads == nullptr)
    return absent(library.value().name() + " lacks dnnl_sgemm or was not built with OpenMP, so its threads cannot be set");
  const DnnlVersion& v = *version();
  return DenseBaseline{"oneDNN " + std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch),
                       [=](MatrixView<const float> x, MatrixView<float> y) {
                         set_threads(threads);
                         const std::int64_t m = weights.rows, n = x.cols, k = weights.cols;
                         sgemm('N', 'N', m, n, k, 1.0f, weights.data, k, x.data, n, 0.0f, y.data, n);
                       }};
}

Result<DenseBaseline> own_baseline(MatrixView<const float> weights, int threads) {
  constexpr std::int64_t tile = 64;
  const Result<PackedMatrix> packed = pack_dense(weights, tile);
  if (!packed.ok()) return packed.error();
  const auto stream = std::make_shared<const RowStream>(make_row_stream(packed.value()));
  return DenseBaseline{std::string("own dense kernel, ") + best_product_kernel().name,
                       [=](MatrixView<const float> x, MatrixView<float> y) { static_cast<void>(multiply(*stream, x, y, threads).ok()); }};
}

}  // namespace

Result<DenseBaseline> dense_baseline(DenseLibrary library, MatrixView<const float> weights, int threads) {
  ask_pools_to_sleep();
  switch (library) {
    case DenseLibrary::openblas: return openblas_baseline(weights, threads);
    case DenseLibrary::onednn: return onednn_baseline(weights, threads);
    default: return own_baseline(weights, threads);
  }
}

DenseBaselines dense_baselines(MatrixView<const float> weights, int threads) {
  constexpr std::pair<DenseLibrary, const char*> libraries[] = {
      {DenseLibrary::openblas, "OpenBLAS"}, {DenseLibrary::onednn, "oneDNN"}, {DenseLibrary::own, "own dense kernel"}};
  DenseBaselines baselines;
  for (const auto& [library, name] : libraries) {
    Result<DenseBaseline> baseline = dense_baseline(library, weights, threads);
    if (baseline.ok()) {
      baselines.present.push_back(std::move(baseline).value());
    } else {
      baselines.absent.push_back({name, baseline.error().message});
    }
  }
  return baselines;
}

}  // namespace hinm::kernels
