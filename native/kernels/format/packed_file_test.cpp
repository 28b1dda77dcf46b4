#include "kernels/format/packed_file.h"

#include <doctest/doctest.h>

#include <cstring>

#include "kernels/format/random_case.h"

using namespace hinm;
using namespace hinm::kernels;

namespace {

PackedMatrix packed_case(Selection selection, ValueType type) {
  const RandomCase random = make_random_case({37, 90, 16, 64, selection}, 8);
  return pack(random.weights.view(), random.mask(), random.order(), selection, {}, type).value();
}

}  // namespace

TEST_CASE("a written matrix reads back the same, for every form and type") {
  for (const Selection selection : {Selection{2, 4}, {1, 4}, {3, 8}, {1, 1}}) {
    for (const ValueType type : {ValueType::float32, ValueType::bfloat16}) {
      const PackedMatrix packed = packed_case(selection, type);
      const std::vector<std::uint8_t> file = write_packed(packed);
      CHECK(static_cast<std::int64_t>(file.size()) == file_bytes(packed));
      CHECK(file.size() % 64 == 0);
      const Result<PackedMatrix> read = read_packed(file);
      REQUIRE_MESSAGE(read.ok(), read.error().message);
      CHECK(read.value().values == packed.values);
      CHECK(read.value().positions == packed.positions);
      CHECK(read.value().columns == packed.columns);
      CHECK(read.value().output_rows == packed.output_rows);
      CHECK(read.value().vector == 16);
      CHECK(read.value().kept_columns == 64);
    }
  }
}

TEST_CASE("the header is where the document says") {
  const std::vector<std::uint8_t> file = write_packed(packed_case({2, 4}, ValueType::bfloat16));
  CHECK(std::memcmp(file.data(), "HiNMpack\1\0\0\0\1\2\4\1", 16) == 0);
  CHECK(file[16] == 37);
  CHECK(file[20] == 90);
  CHECK(file[24] == 16);
  CHECK(file[28] == 64);
  CHECK(file[32] == 64);
}

TEST_CASE("a damaged file is refused, whichever byte was changed") {
  const std::vector<std::uint8_t> good = write_packed(packed_case({2, 4}, ValueType::float32));
  for (std::size_t at = 0; at < good.size(); at += at < 64 ? 1 : 97) {
    std::vector<std::uint8_t> bad = good;
    bad[at] ^= 0x41;
    const Result<PackedMatrix> read = read_packed(bad);
    CHECK_MESSAGE(!read.ok(), "byte " << at);
    if (!read.ok()) CHECK(read.error().code == "FORMAT_ERROR");
  }
}

TEST_CASE("a file of any shorter length is refused") {
  const std::vector<std::uint8_t> good = write_packed(packed_case({1, 4}, ValueType::float32));
  for (std::size_t length = 0; length < good.size(); length += 61) CHECK_FALSE(read_packed({good.data(), length}).ok());
}

TEST_CASE("random bytes behind a good header never crash the reader") {
  RandomStream random(3);
  const std::vector<std::uint8_t> good = write_packed(packed_case({3, 8}, ValueType::float32));
  for (int round = 0; round < 500; ++round) {
    std::vector<std::uint8_t> bad = good;
    for (int i = 0; i < 3; ++i) bad[12 + random.below(24)] = static_cast<std::uint8_t>(random());
    const Result<PackedMatrix> read = read_packed(bad);
    if (!read.ok()) CHECK(read.error().code == "FORMAT_ERROR");
  }
}

TEST_CASE("bfloat16 rounds to nearest, ties to even") {
  CHECK(rounded_to(ValueType::bfloat16, 1.0f) == 1.0f);
  // The spacing above 1 is 2⁻⁷: 1 + 2⁻⁸ is a tie and goes to the even 1, 1 + 3·2⁻⁸ to the even 1 + 2⁻⁶.
  CHECK(rounded_to(ValueType::bfloat16, 1.0f + 0x1p-8f) == 1.0f);
  CHECK(rounded_to(ValueType::bfloat16, 1.0f + 3 * 0x1p-8f) == 1.0f + 0x1p-6f);
  CHECK(rounded_to(ValueType::bfloat16, -1.0f - 0x1.1p-8f) == -1.0f - 0x1p-7f);
}
