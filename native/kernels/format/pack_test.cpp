#include "kernels/format/pack.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "kernels/format/random_case.h"

using namespace hinm;
using namespace hinm::kernels;

TEST_CASE("pack and unpack give back W∘mask bit for bit for every V, n:m and ragged shape") {
  for (const std::int64_t vector : {1, 2, 4, 7, 16, 32, 64, 128}) {
    for (const Selection selection : {Selection{2, 4}, {1, 4}, {2, 8}, {4, 8}, {1, 1}, {3, 5}}) {
      for (const std::int64_t rows : {1, 63, 64, 130}) {
        for (const std::int64_t kept : {4, 30, 64, 75}) {
          const RandomCase random = make_random_case({rows, 75, vector, kept, selection}, 1);
          const Result<PackedMatrix> packed = pack(random.weights.view(), random.mask(), random.order(), selection, {});
          REQUIRE_MESSAGE(packed.ok(), packed.error().message);
          const Status status = verify_round_trip(packed.value(), random.weights.view(), random.mask());
          CHECK_MESSAGE(status.ok(), status.error().message);
        }
      }
    }
  }
}

TEST_CASE("the 2-bit positions are those of the format's document") {
  // One row, four columns kept in the order 3, 0, 2, 1 of which packed columns 1 and 3 survive: originals 0 and 1.
  const Matrix<float> weights{[] {
    Matrix<float> w(1, 4);
    w.data = {10, 11, 12, 13};
    return w;
  }()};
  const std::vector<std::uint8_t> bits{0b0011};
  const std::vector<std::uint32_t> rows{0}, columns{3, 0, 2, 1};
  const Result<PackedMatrix> packed = pack(weights.view(), {bits, 1, 4}, {rows, columns, 1, 4}, {2, 4}, {});
  REQUIRE(packed.ok());
  CHECK(packed.value().padded_columns == 64);
  CHECK(packed.value().values[0] == 10);
  CHECK(packed.value().values[1] == 11);
  // First position 1 in bits 0–1, second 3 in bits 2–3: 0xD; the padded group after it holds 0 and 1: 0x4.
  CHECK(packed.value().positions[0] == 0x4D);
  CHECK(packed.value().positions[1] == 0x44);
  CHECK(packed.value().columns[4] == no_column);
}

TEST_CASE("zeros and −0.0 are legal survivors") {
  Matrix<float> weights(1, 4, 1.0f);
  weights.at(0, 1) = 0.0f;
  weights.at(0, 2) = -0.0f;
  const std::vector<std::uint8_t> bits{0b0110};
  const std::vector<std::uint32_t> rows{0}, columns{0, 1, 2, 3};
  const Result<PackedMatrix> packed = pack(weights.view(), {bits, 1, 4}, {rows, columns, 1, 4}, {2, 4}, {});
  REQUIRE(packed.ok());
  CHECK(packed.value().positions[0] == 0x49);
  CHECK(std::signbit(unpack(packed.value()).at(0, 2)));
  CHECK(unpack(packed.value()).at(0, 0) == 0.0f);
  CHECK(verify_round_trip(packed.value(), weights.view(), {bits, 1, 4}).ok());
}

TEST_CASE("a mask that breaks its pattern or leaves the kept columns is refused") {
  const RandomCase random = make_random_case({8, 16, 4, 8, {2, 4}}, 2);
  RandomCase outside = random;
  outside.bits.assign(outside.bits.size(), 0);
  const std::uint32_t pruned = [&] {
    for (std::uint32_t c = 0;; ++c)
      if (std::find(random.columns.begin(), random.columns.begin() + 8, c) == random.columns.begin() + 8) return c;
  }();
  const std::int64_t bit = random.output_rows[0] * 16 + pruned;
  outside.bits[static_cast<std::size_t>(bit / 8)] = static_cast<std::uint8_t>(1u << (bit % 8));
  Result<PackedMatrix> packed = pack(outside.weights.view(), outside.mask(), outside.order(), {2, 4}, {});
  REQUIRE_FALSE(packed.ok());
  CHECK(packed.error().code == "VERIFICATION_FAILED");
  packed = pack(random.weights.view(), random.mask(), random.order(), {1, 4}, {});
  REQUIRE_FALSE(packed.ok());
  CHECK(packed.error().code == "VERIFICATION_FAILED");
}

TEST_CASE("orders that are no bijection, NaN and wrong sizes are refused with the value") {
  RandomCase random = make_random_case({8, 16, 4, 8, {2, 4}}, 2);
  RandomCase twice = random;
  twice.output_rows[1] = twice.output_rows[0];
  CHECK(pack(twice.weights.view(), twice.mask(), twice.order(), {2, 4}, {}).error().code == "INVALID_ARGUMENT");
  RandomCase out_of_range = random;
  out_of_range.columns[3] = 16;
  CHECK(pack(out_of_range.weights.view(), out_of_range.mask(), out_of_range.order(), {2, 4}, {}).error().message.find("16") != std::string::npos);
  RandomCase short_list = random;
  short_list.columns.pop_back();
  CHECK_FALSE(pack(short_list.weights.view(), short_list.mask(), short_list.order(), {2, 4}, {}).ok());
  for (float& weight : random.weights.data) weight = std::numeric_limits<float>::quiet_NaN();
  CHECK(pack(random.weights.view(), random.mask(), random.order(), {2, 4}, {}).error().code == "NOT_FINITE");
}

TEST_CASE("verification notices a changed value and an illegal position") {
  const RandomCase random = make_random_case({8, 64, 4, 64, {2, 4}}, 5);
  const PackedMatrix good = pack(random.weights.view(), random.mask(), random.order(), {2, 4}, {}).value();
  PackedMatrix changed = good;
  changed.values[7] += 1;
  CHECK_FALSE(verify_round_trip(changed, random.weights.view(), random.mask()).ok());
  PackedMatrix illegal = good;
  illegal.positions[0] = 0x00;
  CHECK_FALSE(verify_structure(illegal).ok());
}

TEST_CASE("the size report counts theory, padding and dense") {
  // 64 × 256, V 32, K' 128, 2:4: 64·64 values of 4 B; 2 bits each; 2 tiles × 128 column ids and 64 row ids of 4 B; 64 B header.
  const RandomCase random = make_random_case({64, 256, 32, 128, {2, 4}}, 5);
  const SizeReport report = size_report(pack(random.weights.view(), random.mask(), random.order(), {2, 4}, {}).value());
  CHECK(report.theory == 64 * 64 * 4 + 64 * 64 / 4);
  CHECK(report.packed == report.theory + 2 * 128 * 4 + 64 * 4 + 64);  // every section is a multiple of 64 bytes here
  CHECK(report.dense == 64 * 256 * 4);
}
