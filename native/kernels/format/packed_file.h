// The file form of a packed matrix, version 1. README.md documents it byte for byte.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "kernels/format/packed_matrix.h"

namespace hinm::kernels {

/// Length of the file form.
std::int64_t file_bytes(const PackedMatrix& packed);

std::vector<std::uint8_t> write_packed(const PackedMatrix& packed);

/// Fails with FORMAT_ERROR, naming what was found and what is expected, on a wrong magic, an unknown version, impossible
/// sizes, a length or checksum that does not fit, and positions or lists that are out of range.
Result<PackedMatrix> read_packed(std::span<const std::uint8_t> file);

}  // namespace hinm::kernels
