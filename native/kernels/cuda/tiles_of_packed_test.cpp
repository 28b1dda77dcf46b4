#include "kernels/cuda/tiles_of_packed.h"

#include <doctest/doctest.h>

#include <cmath>

#include "kernels/cuda/random_tiles.h"
#include "kernels/format/random_case.h"

using namespace hinm;
using namespace hinm::cuda;

TEST_CASE("a packed matrix multiplies the same on the GPU side as its dense form") {
  for (const kernels::Selection selection : {kernels::Selection{2, 4}, {1, 4}, {1, 1}}) {
    for (const std::int64_t vector : {8, 32}) {
      for (const std::int64_t kept : {12, 30}) {
        const kernels::RandomCase random = kernels::make_random_case({70, 40, vector, kept, selection}, 3);
        const Result<kernels::PackedMatrix> packed = kernels::pack(random.weights.view(), random.mask(), random.order(), selection, {});
        REQUIRE(packed.ok());
        const Result<SparseTiles> tiles = tiles_of(packed.value());
        REQUIRE_MESSAGE(tiles.ok(), (tiles.ok() ? "" : tiles.error().message));
        const Matrix<float> dense = kernels::unpack(packed.value());
        const std::vector<float> x = random_activations(40, 5, false, 4);
        const std::vector<double> y = multiply(tiles.value(), x, 5);
        double largest = 0;
        for (std::int64_t row = 0; row < 70; ++row) {
          for (std::int64_t j = 0; j < 5; ++j) {
            double sum = 0;
            for (std::int64_t k = 0; k < 40; ++k) sum += static_cast<double>(dense.at(row, k)) * x[static_cast<std::size_t>(k * 5 + j)];
            largest = std::max(largest, std::fabs(sum - y[static_cast<std::size_t>(row * 5 + j)]));
          }
        }
        // Both sum the same float64 products, only in another order: 40 terms below 16 in magnitude, 2^-53 each.
        CHECK(largest < 1e-12);
      }
    }
  }
}

TEST_CASE("selections without a kernel are refused in one sentence") {
  const kernels::RandomCase random = kernels::make_random_case({16, 40, 16, 40, {2, 8}}, 3);
  const Result<kernels::PackedMatrix> packed = kernels::pack(random.weights.view(), random.mask(), random.order(), {2, 8}, {});
  REQUIRE(packed.ok());
  const Result<SparseTiles> tiles = tiles_of(packed.value());
  REQUIRE_FALSE(tiles.ok());
  CHECK(tiles.error().message == "There is no GPU kernel for 2:8 inside the kept columns; 2:4, 1:4 and whole vectors have one.");
}
