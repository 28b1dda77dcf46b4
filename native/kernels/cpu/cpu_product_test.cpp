#include "kernels/cpu/cpu_product.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "device/cpu_features.h"
#include "kernels/cpu/check.h"
#include "kernels/cpu/packed_weights.h"
#include "kernels/format/random_case.h"

using namespace hinm;
using namespace hinm::kernels;

namespace {

std::vector<const ProductKernel*> runnable_kernels() {
  const device::CpuFeatures& features = device::cpu_features();
  std::vector<const ProductKernel*> kernels{product_kernel_plain()};
  if (features.avx2 && product_kernel_avx2()) kernels.push_back(product_kernel_avx2());
  if (features.avx512 && product_kernel_avx512()) kernels.push_back(product_kernel_avx512());
  if (features.neon && product_kernel_neon()) kernels.push_back(product_kernel_neon());
  return kernels;
}

}  // namespace

TEST_CASE("the packed product equals dense (W∘mask)·X for every instruction set, shape, pattern and thread count") {
  // Shapes: M below, at and above V and not a multiple of it; K' from one group to several blocks of 96 columns.
  const RandomCaseShape shapes[] = {{8, 16, 4, 8, {2, 4}},    {70, 260, 32, 200, {2, 4}}, {64, 64, 64, 64, {2, 4}}, {100, 300, 64, 4, {2, 4}},
                                    {37, 120, 16, 96, {1, 4}}, {40, 128, 40, 128, {2, 8}}, {33, 50, 8, 33, {1, 1}},  {300, 128, 300, 128, {2, 4}},
                                    {20, 64, 20, 64, {3, 7}},  {5, 70, 2, 70, {2, 4}},     {9, 130, 4, 128, {7, 64}}};
  for (const RandomCaseShape& shape : shapes) {
    const RandomCase random = make_random_case(shape, 17);
    for (const ValueType type : {ValueType::float32, ValueType::bfloat16}) {
      const Result<PackedWeights> packed = pack_weights(random.weights.view(), random.mask(), random.order(), shape.selection, {}, type);
      REQUIRE_MESSAGE(packed.ok(), packed.error().message);
      for (const ProductKernel* kernel : runnable_kernels()) {
        for (const std::int64_t columns : {1, 3, 4, 16, 17, 33, 64, 65, 196}) {
          for (const int threads : {1, 3}) {
            const Result<ProductCheck> check = check_product(packed.value().stream, random.weights.view(), random.mask(), columns, 5, threads, *kernel);
            REQUIRE(check.ok());
            CHECK_MESSAGE(check.value().passed,
                          kernel->name << " " << shape.rows << "×" << shape.cols << " N=" << columns << ": " << check.value().error.relative);
          }
        }
      }
    }
  }
}

TEST_CASE("patterns without a sparse kernel are multiplied dense and say so") {
  const RandomCase random = make_random_case({40, 96, 8, 96, {2, 4}}, 3);
  const Result<PackedWeights> packed = pack_weights_dense(random.weights.view(), random.mask(), "unstructured");
  REQUIRE(packed.ok());
  CHECK(packed.value().kernel.find("no sparse kernel for unstructured") != std::string::npos);
  CHECK(packed.value().size.packed == packed.value().size.dense);
  CHECK(check_product(packed.value().stream, random.weights.view(), random.mask(), 33, 1, 2).value().passed);
}

TEST_CASE("the result is the same bit for bit on any number of threads") {
  const RandomCase random = make_random_case({200, 512, 64, 256, {2, 4}}, 4);
  const Result<PackedWeights> packed = pack_weights(random.weights.view(), random.mask(), random.order(), {2, 4}, {});
  REQUIRE(packed.ok());
  const Matrix<float> activations = random_activations(512, 100, 9);
  Matrix<float> one(200, 100), many(200, 100);
  REQUIRE(multiply(packed.value().stream, activations.view(), one.view(), 1).ok());
  REQUIRE(multiply(packed.value().stream, activations.view(), many.view(), 5).ok());
  CHECK(one.data == many.data);
}

TEST_CASE("NaN never passes the gate") {
  Matrix<double> reference(1, 2, 1.0);
  Matrix<float> output(1, 2, 1.0f);
  CHECK(product_error(output.view(), reference).relative == 0);
  output.at(0, 1) = std::numeric_limits<float>::quiet_NaN();
  const ProductError error = product_error(output.view(), reference);
  CHECK(std::isnan(error.relative));
  CHECK(std::isnan(error.largest));
  CHECK_FALSE(error.relative <= product_tolerance);
}

TEST_CASE("a wrong weight fails the gate") {
  const RandomCase random = make_random_case({16, 64, 8, 32, {2, 4}}, 6);
  Result<PackedWeights> packed = pack_weights(random.weights.view(), random.mask(), random.order(), {2, 4}, {});
  REQUIRE(packed.ok());
  CHECK(check_product(packed.value().stream, random.weights.view(), random.mask(), 8, 1, 1).value().passed);
  packed.value().stream.weights[40] *= 1.001f;
  CHECK_FALSE(check_product(packed.value().stream, random.weights.view(), random.mask(), 8, 1, 1).value().passed);
}

TEST_CASE("shapes that do not fit are refused with a sentence") {
  const RandomCase random = make_random_case({16, 64, 8, 32, {2, 4}}, 6);
  const Result<PackedWeights> packed = pack_weights(random.weights.view(), random.mask(), random.order(), {2, 4}, {});
  REQUIRE(packed.ok());
  Matrix<float> activations(63, 4), output(16, 4);
  const Status status = multiply(packed.value().stream, activations.view(), output.view(), 1);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().code == "INVALID_ARGUMENT");
  CHECK(status.error().message.find("63 × 4") != std::string::npos);
}
