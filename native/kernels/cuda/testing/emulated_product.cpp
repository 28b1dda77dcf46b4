#include "kernels/cuda/testing/emulated_product.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>

#include "kernels/cuda/device_packing.h"
#include "kernels/cuda/emulator/emulated_kernels.h"
#include "kernels/cuda/product/epilogue.h"

namespace hinm::cuda {
namespace {

struct Freed {
  void operator()(void* pointer) const { std::free(pointer); }
};

/// Memory as a device allocation gives it: aligned to 256 bytes.
template <class T>
struct DeviceArray {
  std::unique_ptr<T, Freed> data;
  std::size_t bytes;

  explicit DeviceArray(std::size_t count) : bytes(count * sizeof(T)) {
    data.reset(static_cast<T*>(std::aligned_alloc(256, (bytes + 255) / 256 * 256 + 256)));
  }
  explicit DeviceArray(const std::vector<T>& source) : DeviceArray(source.size()) { std::copy(source.begin(), source.end(), data.get()); }
  T* get() const { return data.get(); }
};

constexpr std::uint8_t kUntouched = 0x7b;

void plant(PackingFault fault, DevicePacking& packing) {
  switch (fault) {
    case PackingFault::none: break;
    case PackingFault::unordered_metadata: packing.metadata.at(packing.metadata.size() / 2) = 0; break;
    case PackingFault::swapped_halves:
      for (std::size_t i = 0; i + 512 <= packing.values.size(); i += 512) std::swap_ranges(&packing.values[i], &packing.values[i] + 256, &packing.values[i] + 256);
      break;
    case PackingFault::neighbour_column:
      packing.columns.at(1) = packing.columns.at(1) > 0 ? packing.columns.at(1) - 1 : 1;
      break;
    case PackingFault::real_row_as_padding:
      for (std::int32_t& column : packing.columns) column = column < 0 ? packing.cols - 1 : column;
      break;
    case PackingFault::wrong_output_row: packing.output_row.at(0) = packing.rows; break;
  }
}

struct Buffers {
  DeviceArray<std::uint16_t> values;
  DeviceArray<std::uint32_t> metadata;
  DeviceArray<std::int32_t> columns;
  DeviceArray<std::int32_t> rows;
  DeviceArray<std::uint16_t> x;
  DeviceArray<std::uint8_t> y;
  DeviceArray<float> bias;
  DeviceArray<float> parts;
  DeviceArray<std::uint32_t> arrivals;
};

std::vector<std::uint16_t> encode_activations(const SparseTiles& tiles, const std::vector<float>& x, std::int32_t n, std::int32_t ldx, ValueType type,
                                              bool poison_unused_rows) {
  std::vector<bool> used(static_cast<std::size_t>(tiles.cols), tiles.columns.empty() || !poison_unused_rows);
  for (const std::int32_t column : tiles.columns) {
    if (column >= 0) used[static_cast<std::size_t>(column)] = true;
  }
  // Columns past N hold NaN: reading them is allowed, letting them into a result is not.
  std::vector<std::uint16_t> encoded(static_cast<std::size_t>(tiles.cols) * static_cast<std::size_t>(ldx), 0xffff);
  for (std::int32_t k = 0; k < tiles.cols; ++k) {
    for (std::int32_t j = 0; j < n; ++j) {
      const float value = used[static_cast<std::size_t>(k)] ? x[static_cast<std::size_t>(k) * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)]
                                                           : std::numeric_limits<float>::infinity();
      encoded[static_cast<std::size_t>(k) * static_cast<std::size_t>(ldx) + static_cast<std::size_t>(j)] = encode(type, value);
    }
  }
  return encoded;
}

/// The host's answer for what the epilogue does to a sum.
double expected(double sum, const EmulationOptions& options, std::int32_t row) {
  if (options.bias) sum += row % 5 - 2;
  if (options.activation == Activation::relu) return sum > 0 ? sum : 0;
  if (options.activation == Activation::gelu) return 0.5 * sum * (1 + std::erf(sum / std::sqrt(2.0)));
  return sum;
}

float read_y(const std::uint8_t* y, std::size_t index, bool half, ValueType type) {
  if (half) return decode(type, reinterpret_cast<const std::uint16_t*>(y)[index]);
  return reinterpret_cast<const float*>(y)[index];
}

void compare(EmulationOutcome& outcome, const Variant& variant, const SparseTiles& tiles, std::int32_t n, std::int32_t ldy, const std::vector<float>& x,
             const Buffers& buffers, const EmulationOptions& options) {
  const std::size_t element = options.output_16bit ? 2 : 4;
  const std::vector<double> reference = multiply(tiles, x, n);
  double difference = 0, norm = 0;
  for (std::int32_t row = 0; row < tiles.rows; ++row) {
    for (std::int32_t j = 0; j < ldy; ++j) {
      const std::size_t index = static_cast<std::size_t>(row) * static_cast<std::size_t>(ldy) + static_cast<std::size_t>(j);
      if (j >= n) {
        for (std::size_t byte = 0; byte < element; ++byte) outcome.wrote_outside |= buffers.y.get()[index * element + byte] != kUntouched;
        continue;
      }
      const float got = read_y(buffers.y.get(), index, options.output_16bit, variant.type);
      const double want = expected(reference[static_cast<std::size_t>(row) * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)], options, row);
      difference += (got - want) * (got - want);
      norm += want * want;
      outcome.y.push_back(got);
    }
  }
  outcome.relative_error = std::isfinite(difference) ? std::sqrt(difference / (norm > 0 ? norm : 1)) : std::numeric_limits<double>::infinity();
}

}  // namespace

EmulationOutcome emulate(const Variant& variant, const SparseTiles& tiles, std::int32_t n, const std::vector<float>& x, const EmulationOptions& options) {
  EmulationOutcome outcome;
  Result<DevicePacking> packed = pack_for_device(tiles, variant.type, variant.tile_rows);
  if (!packed.ok()) {
    outcome.fault = packed.error().message;
    return outcome;
  }
  DevicePacking packing = std::move(packed).value();
  plant(options.packing_fault, packing);
  const std::int32_t ldx = (n + 7) / 8 * 8, ldy = (n + 1) / 2 * 2 + 2;
  const auto blocks = static_cast<std::size_t>((n + variant.block_columns - 1) / variant.block_columns);
  const std::size_t outputs = static_cast<std::size_t>(packing.tiles) * blocks;
  std::vector<float> bias;
  for (std::int32_t row = 0; row < tiles.rows; ++row) bias.push_back(static_cast<float>(row % 5 - 2));
  const auto part_floats = static_cast<std::size_t>(options.parts) * outputs * static_cast<std::size_t>(variant.tile_rows * variant.block_columns);
  Buffers buffers{DeviceArray(packing.values),
                  DeviceArray(packing.metadata),
                  DeviceArray(packing.columns),
                  DeviceArray(packing.output_row),
                  DeviceArray(encode_activations(tiles, x, n, ldx, variant.type, options.poison_unused_rows)),
                  DeviceArray<std::uint8_t>(static_cast<std::size_t>(tiles.rows) * static_cast<std::size_t>(ldy) * (options.output_16bit ? 2 : 4)),
                  DeviceArray(bias),
                  DeviceArray<float>(options.parts > 1 ? part_floats : 0),
                  DeviceArray(std::vector<std::uint32_t>(outputs, 0))};
  std::fill_n(buffers.y.get(), buffers.y.bytes, kUntouched);

  ProductArguments arguments{};
  arguments.values = buffers.values.get();
  arguments.metadata = packing.metadata.empty() ? nullptr : buffers.metadata.get();
  arguments.columns = packing.columns.empty() ? nullptr : buffers.columns.get();
  arguments.rows = buffers.rows.get();
  arguments.x = buffers.x.get();
  arguments.y = buffers.y.get();
  arguments.bias = options.bias ? buffers.bias.get() : nullptr;
  arguments.parts = buffers.parts.get();
  arguments.arrivals = buffers.arrivals.get();
  arguments.steps = packing.steps;
  arguments.depth = packing.cols;
  arguments.n = n;
  arguments.ldx = ldx;
  arguments.ldy = ldy;
  arguments.activation = options.activation;
  arguments.output_16bit = options.output_16bit ? 1 : 0;

  simt::Launch launch;
  launch.grid = {static_cast<unsigned>(packing.tiles), static_cast<unsigned>(blocks), static_cast<unsigned>(options.parts)};
  launch.threads = variant.threads;
  launch.shared_bytes = static_cast<std::size_t>(variant.shared_bytes - options.missing_shared_bytes);
  launch.memory = {{buffers.values.get(), buffers.values.bytes, false}, {buffers.metadata.get(), buffers.metadata.bytes, false},
                   {buffers.columns.get(), buffers.columns.bytes, false}, {buffers.rows.get(), buffers.rows.bytes, false},
                   {buffers.x.get(), buffers.x.bytes, false}, {buffers.y.get(), buffers.y.bytes, true}, {buffers.bias.get(), buffers.bias.bytes, false},
                   {buffers.parts.get(), buffers.parts.bytes, true}, {buffers.arrivals.get(), buffers.arrivals.bytes, true}};
  launch.seed = options.seed;
  launch.fault = options.fault;
  const void* parameters[] = {&arguments};
  const simt::EmulatedKernel kernel = simt::find_emulated_kernel(variant.kernel);
  if (!kernel) {
    outcome.fault = "The emulator has no kernel " + variant.kernel + ".";
    return outcome;
  }
  Result<simt::Counters> ran = simt::Machine::current().run(launch, kernel(parameters));
  if (!ran.ok()) {
    outcome.fault = ran.error().message;
    return outcome;
  }
  outcome.counters = ran.value();
  for (std::size_t i = 0; i < outputs; ++i) {
    if (buffers.arrivals.get()[i] != 0) outcome.fault = "A split product left its arrival counter at " + std::to_string(buffers.arrivals.get()[i]) + ".";
  }
  compare(outcome, variant, tiles, n, ldy, x, buffers, options);
  return outcome;
}

}  // namespace hinm::cuda
