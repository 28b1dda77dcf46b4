#include "kernels/format/packed_file.h"

#include <cmath>
#include <cstring>
#include <string>

#include "kernels/format/pack.h"

namespace hinm::kernels {
namespace {

constexpr std::size_t header_bytes = 64;
constexpr std::size_t checksum_offset = 56;
constexpr std::size_t section_alignment = 64;
constexpr char magic[8] = {'H', 'i', 'N', 'M', 'p', 'a', 'c', 'k'};
constexpr std::uint32_t format_version = 1;

Error format_error(std::string message) { return {"FORMAT_ERROR", std::move(message)}; }

std::size_t aligned(std::size_t bytes) { return (bytes + section_alignment - 1) / section_alignment * section_alignment; }

/// Lengths of the four sections in the order of the file, without their padding.
struct Sections {
  std::size_t output_rows, columns, values, positions;

  explicit Sections(const PackedMatrix& packed)
      : output_rows(static_cast<std::size_t>(packed.rows) * 4),
        columns(static_cast<std::size_t>(packed.tiles() * packed.padded_columns) * 4),
        values(static_cast<std::size_t>(packed.rows * packed.values_per_row() * bytes_of(packed.value_type))),
        positions(static_cast<std::size_t>(packed.rows * packed.position_bytes_per_row())) {}
  std::size_t file() const { return header_bytes + aligned(output_rows) + aligned(columns) + aligned(values) + aligned(positions); }
};

void put(std::uint8_t* at, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) at[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::uint64_t get(const std::uint8_t* at, int bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) value |= static_cast<std::uint64_t>(at[i]) << (8 * i);
  return value;
}

/// FNV-1a, 64 bits, of the whole file without the checksum itself.
std::uint64_t checksum(std::span<const std::uint8_t> file) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint8_t byte : file.first(checksum_offset)) hash = (hash ^ byte) * 0x100000001b3;
  for (const std::uint8_t byte : file.subspan(header_bytes)) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

void write_values(const PackedMatrix& packed, std::uint8_t* at) {
  for (const float value : packed.values) {
    if (packed.value_type == ValueType::float32) {
      put(at, std::bit_cast<std::uint32_t>(value), 4);
    } else {
      put(at, to_bfloat16(value), 2);
    }
    at += bytes_of(packed.value_type);
  }
}

void read_values(PackedMatrix& packed, const std::uint8_t* at) {
  packed.values.resize(static_cast<std::size_t>(packed.rows * packed.values_per_row()));
  for (float& value : packed.values) {
    value = packed.value_type == ValueType::float32 ? std::bit_cast<float>(static_cast<std::uint32_t>(get(at, 4)))
                                                    : from_bfloat16(static_cast<std::uint16_t>(get(at, 2)));
    at += bytes_of(packed.value_type);
  }
}

std::vector<std::uint32_t> read_list(const std::uint8_t* at, std::size_t bytes) {
  std::vector<std::uint32_t> list(bytes / 4);
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<std::uint32_t>(get(at + 4 * i, 4));
  return list;
}

/// The header's numbers, or why they cannot be. Sizes stay below 2^32, so that no product of two overflows 64 bits.
Result<PackedMatrix> read_header(std::span<const std::uint8_t> file) {
  if (file.size() < header_bytes || std::memcmp(file.data(), magic, sizeof magic) != 0)
    return format_error("This is no packed matrix: the file does not begin with \"HiNMpack\" and a header of 64 bytes.");
  const auto number = [&](std::size_t offset, int bytes = 4) { return static_cast<std::int64_t>(get(file.data() + offset, bytes)); };
  if (number(8) != format_version)
    return format_error("The packed matrix has format version " + std::to_string(number(8)) + "; this program reads version 1, pack the layer again.");
  PackedMatrix packed;
  packed.rows = number(16);
  packed.cols = number(20);
  packed.vector = number(24);
  packed.kept_columns = number(28);
  packed.padded_columns = number(32);
  packed.selection = {static_cast<std::int32_t>(number(13, 1)), static_cast<std::int32_t>(number(14, 1))};
  packed.value_type = static_cast<ValueType>(number(12, 1));
  const auto [n, m] = packed.selection;
  const bool possible = packed.rows > 0 && packed.cols > 0 && packed.vector > 0 && n > 0 && n <= m && m <= 64 && number(12, 1) <= 1 &&
                        number(15, 1) == static_cast<std::int64_t>(packed.selection.form()) && packed.kept_columns > 0 &&
                        packed.kept_columns <= packed.cols && packed.padded_columns >= packed.kept_columns && packed.padded_columns % m == 0 &&
                        packed.padded_columns < packed.kept_columns + 128;
  if (!possible) return format_error("The header of the packed matrix holds impossible sizes; the file is damaged, pack the layer again.");
  return packed;
}

}  // namespace

std::int64_t file_bytes(const PackedMatrix& packed) { return static_cast<std::int64_t>(Sections(packed).file()); }

std::vector<std::uint8_t> write_packed(const PackedMatrix& packed) {
  const Sections sections(packed);
  std::vector<std::uint8_t> file(sections.file());
  std::uint8_t* at = file.data() + header_bytes;
  for (std::size_t i = 0; i < packed.output_rows.size(); ++i) put(at + 4 * i, packed.output_rows[i], 4);
  at += aligned(sections.output_rows);
  for (std::size_t i = 0; i < packed.columns.size(); ++i) put(at + 4 * i, packed.columns[i], 4);
  at += aligned(sections.columns);
  write_values(packed, at);
  at += aligned(sections.values);
  if (!packed.positions.empty()) std::memcpy(at, packed.positions.data(), packed.positions.size());

  std::memcpy(file.data(), magic, sizeof magic);
  put(file.data() + 8, format_version, 4);
  put(file.data() + 12, static_cast<std::uint64_t>(packed.value_type), 1);
  put(file.data() + 13, static_cast<std::uint64_t>(packed.selection.n), 1);
  put(file.data() + 14, static_cast<std::uint64_t>(packed.selection.m), 1);
  put(file.data() + 15, static_cast<std::uint64_t>(packed.selection.form()), 1);
  put(file.data() + 16, static_cast<std::uint64_t>(packed.rows), 4);
  put(file.data() + 20, static_cast<std::uint64_t>(packed.cols), 4);
  put(file.data() + 24, static_cast<std::uint64_t>(packed.vector), 4);
  put(file.data() + 28, static_cast<std::uint64_t>(packed.kept_columns), 4);
  put(file.data() + 32, static_cast<std::uint64_t>(packed.padded_columns), 4);
  put(file.data() + checksum_offset, checksum(file), 8);
  return file;
}

Result<PackedMatrix> read_packed(std::span<const std::uint8_t> file) {
  Result<PackedMatrix> header = read_header(file);
  if (!header.ok()) return header;
  PackedMatrix packed = std::move(header).value();
  // Before any allocation: the file itself must hold what its header announces.
  const double announced = static_cast<double>(packed.rows) * static_cast<double>(packed.values_per_row()) +
                           static_cast<double>(packed.tiles()) * static_cast<double>(packed.padded_columns) * 4;
  const Sections sections(packed);
  if (announced > static_cast<double>(file.size()) || sections.file() != file.size())
    return format_error("The packed matrix is " + std::to_string(file.size()) + " bytes long where its header announces another length; the file is damaged.");
  if (get(file.data() + checksum_offset, 8) != checksum(file))
    return format_error("The checksum of the packed matrix does not fit its content; the file is damaged, pack the layer again.");
  const std::uint8_t* at = file.data() + header_bytes;
  packed.output_rows = read_list(at, sections.output_rows);
  at += aligned(sections.output_rows);
  packed.columns = read_list(at, sections.columns);
  at += aligned(sections.columns);
  read_values(packed, at);
  at += aligned(sections.values);
  packed.positions.assign(at, at + sections.positions);
  if (const Status status = verify_structure(packed); !status.ok()) return format_error(status.error().message);
  for (const float value : packed.values)
    if (!std::isfinite(value)) return format_error("The packed matrix holds a value that is not finite; pack the layer again.");
  return packed;
}

}  // namespace hinm::kernels
