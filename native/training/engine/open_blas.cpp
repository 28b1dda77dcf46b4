#include "training/engine/open_blas.h"

#include <optional>
#include <type_traits>

#include "device/shared_library.h"

namespace hinm::training {
namespace {

// The C interface of BLAS: row-major is 101, no transpose 111, transpose 112.
constexpr int row_major = 101, plain = 111, transpose = 112;

template <class T>
using Gemm = void(int order, int transpose_a, int transpose_b, int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, T beta, T* c, int ldc);

struct Library {
  Gemm<float>* single = nullptr;
  Gemm<double>* twice = nullptr;
  void (*set_threads)(int) = nullptr;
};

const std::optional<Library>& library() {
  static const std::optional<Library> opened = []() -> std::optional<Library> {
    const auto shared = device::SharedLibrary::open({"libopenblas.so.0", "libopenblas.so", "libopenblas.dylib", "libopenblas.dll"});
    if (!shared.ok()) return std::nullopt;
    const Library found{shared.value().function<Gemm<float>>("cblas_sgemm"), shared.value().function<Gemm<double>>("cblas_dgemm"),
                        shared.value().function<void(int)>("openblas_set_num_threads")};
    if (found.single == nullptr || found.twice == nullptr || found.set_threads == nullptr) return std::nullopt;
    return found;
  }();
  return opened;
}

template <class T>
bool layout_of(const Operand<T>& operand, int& order, int& stride) {
  order = operand.col_step == 1 ? plain : transpose;
  const std::int64_t step = operand.col_step == 1 ? operand.row_step : operand.col_step;
  stride = static_cast<int>(step < 1 ? 1 : step);
  return operand.col_step == 1 || operand.row_step == 1;
}

}  // namespace

bool open_blas_present() { return library().has_value(); }

template <class T>
bool open_blas_multiply(const Operand<T>& a, const Operand<T>& b, MatrixView<T> result, bool accumulate, int threads) {
  int order_a, order_b, stride_a, stride_b;
  if (!library() || !layout_of(a, order_a, stride_a) || !layout_of(b, order_b, stride_b)) return false;
  thread_local int threads_set = 0;
  if (threads_set != threads) {
    library()->set_threads(threads);
    threads_set = threads;
  }
  const auto gemm = [] {
    if constexpr (std::is_same_v<T, float>) return library()->single;
    else return library()->twice;
  }();
  gemm(row_major, order_a, order_b, static_cast<int>(a.rows), static_cast<int>(b.cols), static_cast<int>(a.cols), T{1}, a.data, stride_a, b.data, stride_b,
       accumulate ? T{1} : T{0}, result.data, static_cast<int>(result.stride));
  return true;
}

template bool open_blas_multiply(const Operand<float>&, const Operand<float>&, MatrixView<float>, bool, int);
template bool open_blas_multiply(const Operand<double>&, const Operand<double>&, MatrixView<double>, bool, int);

}  // namespace hinm::training
