#include "training/engine/gemm.h"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "base/random.h"
#include "device/cpu_features.h"
#include "training/engine/tile_kernel.h"

namespace {

using namespace hinm::training;
using hinm::Matrix;

template <class T>
Matrix<T> random_matrix(std::int64_t rows, std::int64_t cols, std::uint32_t key) {
  Matrix<T> matrix(rows, cols);
  hinm::RandomStream random(9, key);
  for (T& value : matrix.data) value = static_cast<T>(random.normal());
  return matrix;
}

template <class T>
double largest_difference(const Matrix<T>& a, const Matrix<T>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) largest = std::max(largest, std::abs(static_cast<double>(a.data[i] - b.data[i])));
  return largest;
}

}  // namespace

TEST_CASE_TEMPLATE("every backend, orientation and shape agrees with the triple loop", T, float, double) {
  // A chain of k products of unit normals rounds to at most about k·ε in each partial sum of size √k.
  for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, {5, 3, 7}, {8, 32, 16}, {13, 47, 33}, {64, 65, 96}, {130, 33, 257}}) {
    const double tolerance = 4.0 * k * static_cast<double>(std::numeric_limits<T>::epsilon());
    for (const bool transpose_a : {false, true}) {
      for (const bool transpose_b : {false, true}) {
        const auto a = transpose_a ? random_matrix<T>(k, m, 1) : random_matrix<T>(m, k, 1);
        const auto b = transpose_b ? random_matrix<T>(n, k, 2) : random_matrix<T>(k, n, 2);
        Operand<T> left(a.view()), right(b.view());
        if (transpose_a) left = left.transposed();
        if (transpose_b) right = right.transposed();
        auto expected = random_matrix<T>(m, n, 3);
        const auto before = expected;
        multiply(left, right, expected.view(), true, {1, GemmBackend::naive});
        for (const GemmBackend backend : {GemmBackend::tiled, GemmBackend::open_blas}) {
          auto actual = before;
          multiply(left, right, actual.view(), true, {1, backend});
          CHECK(largest_difference(actual, expected) < tolerance);
        }
      }
    }
  }
}

TEST_CASE("a product is the same bit for bit on any thread count") {
  const auto a = random_matrix<float>(301, 200, 1), b = random_matrix<float>(200, 77, 2);
  Matrix<float> one(301, 77), many(301, 77);
  multiply(Operand<float>(a.view()), Operand<float>(b.view()), one.view(), false, {1});
  for (const int threads : {2, 3, 8}) {
    multiply(Operand<float>(a.view()), Operand<float>(b.view()), many.view(), false, {threads});
    CHECK(one.data == many.data);
  }
}

TEST_CASE("the SIMD tiles that this processor can run agree bit for bit") {
  const auto& features = hinm::device::cpu_features();
  if (!features.avx2 || !features.avx512 || tile_kernels_avx2() == nullptr || tile_kernels_avx512() == nullptr) {
    MESSAGE("skipped: this processor or build has fewer than two SIMD tiles");
    return;
  }
  const auto& narrow = tile_kernels_avx2()->single;
  const auto& wide = tile_kernels_avx512()->single;
  REQUIRE(wide.width == 2 * narrow.width);
  constexpr std::int64_t depth = 50;
  const auto a = random_matrix<float>(6, depth, 1), b = random_matrix<float>(depth, wide.width, 2);
  Matrix<float> half(depth, narrow.width), from_wide(6, narrow.width), from_narrow(6, narrow.width);
  for (std::int64_t k = 0; k < depth; ++k) std::copy_n(b.view().row(k), narrow.width, half.view().row(k));
  wide.run(6, {a.data.data(), depth, 1, b.data.data(), depth, from_wide.data.data(), narrow.width, narrow.width, false});
  narrow.run(6, {a.data.data(), depth, 1, half.data.data(), depth, from_narrow.data.data(), narrow.width, narrow.width, false});
  CHECK(from_wide.data == from_narrow.data);
}
