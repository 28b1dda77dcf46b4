// Implementation against implementation on random shapes: all instruction sets, all thread counts, both value types.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "base/random.h"
#include "device/cpu_features.h"
#include "kernels/cpu/check.h"
#include "kernels/cpu/packed_weights.h"
#include "kernels/format/packed_file.h"
#include "kernels/format/random_case.h"

using namespace hinm;
using namespace hinm::kernels;

namespace {

RandomCaseShape random_shape(RandomStream& random) {
  RandomCaseShape shape;
  shape.rows = 1 + random.below(150);
  shape.cols = 1 + random.below(300);
  shape.vector = 1 + random.below(random.below(2) == 0 ? 8 : 200);
  shape.kept_columns = 1 + random.below(static_cast<std::uint32_t>(shape.cols));
  shape.selection.m = static_cast<std::int32_t>(random.below(3) == 0 ? 1 + random.below(64) : 4);
  shape.selection.n = static_cast<std::int32_t>(shape.selection.m == 4 ? 2 : 1 + random.below(static_cast<std::uint32_t>(shape.selection.m)));
  return shape;
}

std::string describe(const RandomCaseShape& shape, std::int64_t columns) {
  return std::to_string(shape.rows) + "×" + std::to_string(shape.cols) + "×" + std::to_string(columns) + " V " + std::to_string(shape.vector) + " K' " +
         std::to_string(shape.kept_columns) + " " + std::to_string(shape.selection.n) + ":" + std::to_string(shape.selection.m);
}

}  // namespace

TEST_CASE("on random shapes every instruction set and thread count gives the float64 result, and files read back") {
  RandomStream random(20240731);
  const device::CpuFeatures& features = device::cpu_features();
  std::vector<const ProductKernel*> kernels{product_kernel_plain()};
  if (features.avx2 && product_kernel_avx2() != nullptr) kernels.push_back(product_kernel_avx2());
  if (features.avx512 && product_kernel_avx512() != nullptr) kernels.push_back(product_kernel_avx512());
  if (features.neon && product_kernel_neon() != nullptr) kernels.push_back(product_kernel_neon());
  for (int round = 0; round < 120; ++round) {
    const RandomCaseShape shape = random_shape(random);
    const std::int64_t columns = 1 + random.below(100);
    const ValueType type = random.below(3) == 0 ? ValueType::bfloat16 : ValueType::float32;
    const RandomCase layer = make_random_case(shape, static_cast<std::uint64_t>(round));
    const Result<PackedWeights> packed = pack_weights(layer.weights.view(), layer.mask(), layer.order(), shape.selection, {}, type);
    REQUIRE_MESSAGE(packed.ok(), describe(shape, columns) << ": " << packed.error().message);
    CHECK(read_packed(write_packed(packed.value().matrix)).ok());
    for (const ProductKernel* kernel : kernels) {
      const int threads = 1 + static_cast<int>(random.below(4));
      const Result<ProductCheck> check = check_product(packed.value().stream, layer.weights.view(), layer.mask(), columns, 7, threads, *kernel);
      REQUIRE(check.ok());
      CHECK_MESSAGE(check.value().passed, describe(shape, columns) << " on " << kernel->name << ": " << check.value().error.relative);
    }
  }
}

TEST_CASE("activations and outputs that lie inside wider matrices are read and written at their places only") {
  RandomStream random(5);
  for (int round = 0; round < 30; ++round) {
    const RandomCaseShape shape = random_shape(random);
    const std::int64_t columns = 1 + random.below(70), padding = 1 + random.below(9);
    const RandomCase layer = make_random_case(shape, static_cast<std::uint64_t>(round));
    const PackedWeights packed = pack_weights(layer.weights.view(), layer.mask(), layer.order(), shape.selection, {}).value();
    // What lies between the rows is NaN in X, so that reading it would show, and a mark in Y, so that writing it would.
    Matrix<float> wide_x(shape.cols, columns + padding, std::numeric_limits<float>::quiet_NaN()), wide_y(shape.rows, columns + padding, -7.0f);
    const Matrix<float> x = random_activations(shape.cols, columns, 1);
    for (std::int64_t row = 0; row < shape.cols; ++row) std::copy_n(x.view().row(row), columns, wide_x.view().row(row));
    Matrix<float> y(shape.rows, columns);
    REQUIRE(multiply(packed.stream, x.view(), y.view(), 2).ok());
    REQUIRE(multiply(packed.stream, {wide_x.data.data(), shape.cols, columns, columns + padding}, {wide_y.data.data(), shape.rows, columns, columns + padding}, 2).ok());
    for (std::int64_t row = 0; row < shape.rows; ++row) {
      CHECK(std::equal(y.view().row(row), y.view().row(row) + columns, wide_y.view().row(row)));
      CHECK(std::all_of(wide_y.view().row(row) + columns, wide_y.view().row(row) + columns + padding, [](float mark) { return mark == -7.0f; }));
    }
  }
}
