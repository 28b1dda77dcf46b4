#include "kernels/cuda/gpu/gpu_product.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/cuda/device_packing.h"
#include "kernels/cuda/number_formats.h"
#include "kernels/cuda/product/reference_product.h"

namespace hinm::cuda {
namespace {

constexpr int kLeastSets = 3;
constexpr int kMostSets = 64;

std::int32_t round_up(std::int32_t value, std::int32_t unit) { return (value + unit - 1) / unit * unit; }

template <class T>
Status upload_into(const Gpu& gpu, DeviceBuffer& buffer, const std::vector<T>& data, const std::string& what) {
  Result<DeviceBuffer> uploaded = gpu.upload(data, what);
  if (!uploaded.ok()) return uploaded.error();
  buffer = std::move(uploaded).value();
  return success();
}

ProductArguments common_arguments(const Activations& activations, int set, const EpilogueOptions& epilogue, const DeviceBuffer& bias) {
  ProductArguments arguments{};
  const auto index = static_cast<std::size_t>(set) % activations.x.size();
  arguments.x = activations.x[index].as<const std::uint16_t>();
  arguments.y = activations.y[index].as<void>();
  arguments.bias = epilogue.bias.empty() ? nullptr : bias.as<const float>();
  arguments.depth = activations.cols;
  arguments.n = activations.n;
  arguments.ldx = activations.ldx;
  arguments.ldy = activations.ldy;
  arguments.activation = epilogue.activation;
  arguments.output_16bit = activations.output_16bit ? 1 : 0;
  return arguments;
}

}  // namespace

int rotating_sets(std::size_t bytes_of_one_call, const DeviceLimits& limits) {
  const std::size_t wanted = 2 * static_cast<std::size_t>(limits.l2_bytes) / std::max<std::size_t>(bytes_of_one_call, 1) + 1;
  return static_cast<int>(std::clamp<std::size_t>(wanted, kLeastSets, kMostSets));
}

std::size_t Activations::bytes_of_one_call() const {
  return static_cast<std::size_t>(cols) * static_cast<std::size_t>(ldx) * 2 + static_cast<std::size_t>(rows) * static_cast<std::size_t>(ldy) * (output_16bit ? 2 : 4);
}

Result<Activations> upload_activations(const Gpu& gpu, const std::vector<float>& x, std::int32_t cols, std::int32_t rows, std::int32_t n, ValueType type,
                                       bool output_16bit, int sets) {
  Activations activations;
  activations.cols = cols;
  activations.rows = rows;
  activations.n = n;
  activations.ldx = activations.ldy = round_up(n, 8);
  activations.type = type;
  activations.output_16bit = output_16bit;
  std::vector<std::uint16_t> encoded(static_cast<std::size_t>(cols) * static_cast<std::size_t>(activations.ldx), 0);
  for (std::int32_t k = 0; k < cols; ++k) {
    for (std::int32_t j = 0; j < n; ++j) {
      encoded[static_cast<std::size_t>(k) * static_cast<std::size_t>(activations.ldx) + static_cast<std::size_t>(j)] =
          encode(type, x[static_cast<std::size_t>(k) * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)]);
    }
  }
  const std::size_t y_bytes = static_cast<std::size_t>(rows) * static_cast<std::size_t>(activations.ldy) * (output_16bit ? 2 : 4);
  for (int set = 0; set < sets; ++set) {
    Result<DeviceBuffer> uploaded = gpu.upload(encoded, "activations");
    if (!uploaded.ok()) return uploaded.error();
    activations.x.push_back(std::move(uploaded).value());
    Result<DeviceBuffer> allocated = gpu.allocate(y_bytes, "outputs");
    if (!allocated.ok()) return allocated.error();
    activations.y.push_back(std::move(allocated).value());
  }
  return activations;
}

Result<std::vector<float>> download_output(const Gpu& gpu, const Activations& activations, int set) {
  const DeviceBuffer& y = activations.y[static_cast<std::size_t>(set)];
  std::vector<std::uint8_t> bytes(y.bytes());
  if (Status status = gpu.download(bytes.data(), y, bytes.size()); !status.ok()) return status.error();
  std::vector<float> output;
  output.reserve(static_cast<std::size_t>(activations.rows) * static_cast<std::size_t>(activations.n));
  for (std::int32_t row = 0; row < activations.rows; ++row) {
    for (std::int32_t j = 0; j < activations.n; ++j) {
      const std::size_t index = static_cast<std::size_t>(row) * static_cast<std::size_t>(activations.ldy) + static_cast<std::size_t>(j);
      output.push_back(activations.output_16bit ? decode(activations.type, reinterpret_cast<const std::uint16_t*>(bytes.data())[index])
                                                : reinterpret_cast<const float*>(bytes.data())[index]);
    }
  }
  return output;
}

Status poison_output(const Gpu& gpu, const Activations& activations, int set) { return gpu.fill(activations.y[static_cast<std::size_t>(set)], 0xff); }

Result<std::shared_ptr<const GpuWeights>> GpuWeights::make(const Gpu& gpu, const SparseTiles& tiles, ValueType type, std::int32_t tile_rows, int sets) {
  Result<DevicePacking> packed = pack_for_device(tiles, type, tile_rows);
  if (!packed.ok()) return packed.error();
  const DevicePacking& packing = packed.value();
  auto weights = std::make_shared<GpuWeights>();
  weights->tile_rows_ = tile_rows;
  weights->bytes_ = packing.bytes();
  for (int set = 0; set < sets; ++set) {
    Set uploaded;
    if (Status status = upload_into(gpu, uploaded.values, packing.values, "weights"); !status.ok()) return status.error();
    if (Status status = upload_into(gpu, uploaded.metadata, packing.metadata, "metadata"); !status.ok()) return status.error();
    if (Status status = upload_into(gpu, uploaded.columns, packing.columns, "column lists"); !status.ok()) return status.error();
    weights->sets_.push_back(std::move(uploaded));
  }
  if (Status status = upload_into(gpu, weights->rows_, packing.output_row, "row list"); !status.ok()) return status.error();
  return std::shared_ptr<const GpuWeights>(std::move(weights));
}

Result<GpuProduct> GpuProduct::make(const Gpu& gpu, std::shared_ptr<const GpuWeights> weights, const LaunchPlan& plan, const EpilogueOptions& epilogue) {
  if (weights->tile_rows() != plan.variant->tile_rows) {
    return invalid_argument("The weights are packed for tiles of " + std::to_string(weights->tile_rows()) + " rows, the kernel " + plan.variant->kernel + " takes " +
                            std::to_string(plan.variant->tile_rows) + ".");
  }
  GpuProduct product;
  product.weights_ = std::move(weights);
  product.plan_ = plan;
  product.epilogue_ = epilogue;
  if (Status status = upload_into(gpu, product.bias_, epilogue.bias, "bias"); !status.ok()) return status.error();
  Result<DeviceBuffer> parts = gpu.allocate(plan.workspace_bytes(), "partial sums");
  if (!parts.ok()) return parts.error();
  product.parts_ = std::move(parts).value();
  const std::vector<std::uint32_t> none(static_cast<std::size_t>(plan.tiles) * static_cast<std::size_t>(plan.blocks), 0);
  if (Status status = upload_into(gpu, product.arrivals_, none, "arrival counters"); !status.ok()) return status.error();
  return product;
}

Status GpuProduct::enqueue(Gpu& gpu, const Activations& activations, int set) const {
  const GpuWeights::Set& weights = weights_->sets_[static_cast<std::size_t>(set) % weights_->sets_.size()];
  ProductArguments arguments = common_arguments(activations, set, epilogue_, bias_);
  arguments.values = weights.values.as<const void>();
  arguments.metadata = plan_.variant->format == Format::vector ? nullptr : weights.metadata.as<const std::uint32_t>();
  arguments.columns = plan_.variant->format == Format::two_four ? nullptr : weights.columns.as<const std::int32_t>();
  arguments.rows = weights_->rows_.as<const std::int32_t>();
  arguments.parts = parts_.as<float>();
  arguments.arrivals = arrivals_.as<std::uint32_t>();
  arguments.steps = plan_.steps;
  LaunchShape shape;
  shape.grid_x = static_cast<unsigned>(plan_.tiles);
  shape.grid_y = static_cast<unsigned>(plan_.blocks);
  shape.grid_z = static_cast<unsigned>(plan_.parts);
  shape.threads = static_cast<unsigned>(plan_.variant->threads);
  shape.shared_bytes = static_cast<unsigned>(plan_.variant->shared_bytes);
  return gpu.launch(plan_.variant->kernel, shape, &arguments);
}

Status run_reference(Gpu& gpu, const SparseTiles& tiles, const Activations& activations, int set, const EpilogueOptions& epilogue) {
  std::vector<std::uint16_t> encoded;
  encoded.reserve(tiles.values.size());
  for (const float value : tiles.values) encoded.push_back(encode(activations.type, value));
  DeviceBuffer values, selection, columns, rows, bias;
  if (Status status = upload_into(gpu, values, encoded, "weights"); !status.ok()) return status;
  if (Status status = upload_into(gpu, selection, tiles.selection, "selections"); !status.ok()) return status;
  if (Status status = upload_into(gpu, columns, tiles.columns, "column lists"); !status.ok()) return status;
  if (Status status = upload_into(gpu, rows, tiles.output_row, "row list"); !status.ok()) return status;
  if (Status status = upload_into(gpu, bias, epilogue.bias, "bias"); !status.ok()) return status;
  ReferenceArguments arguments{};
  arguments.values = values.as<const std::uint16_t>();
  arguments.selection = tiles.selection.empty() ? nullptr : selection.as<const std::uint8_t>();
  arguments.columns = tiles.columns.empty() ? nullptr : columns.as<const std::int32_t>();
  arguments.product = common_arguments(activations, set, epilogue, bias);
  arguments.product.rows = rows.as<const std::int32_t>();
  arguments.tile_rows = tiles.tile_rows;
  arguments.kept = tiles.kept;
  arguments.row_count = static_cast<std::int32_t>(tiles.output_row.size());
  constexpr int kThreads = ReferenceProduct<ValueType::bf16>::kThreads;
  LaunchShape shape;
  shape.grid_x = static_cast<unsigned>((activations.n + 2 * kThreads - 1) / (2 * kThreads));
  shape.grid_y = static_cast<unsigned>(tiles.output_row.size());
  shape.threads = kThreads;
  if (Status status = gpu.launch(activations.type == ValueType::bf16 ? "hinm_reference_bf16" : "hinm_reference_f16", shape, &arguments); !status.ok()) return status;
  // The buffers end with this function, so the kernel must have ended too.
  return gpu.synchronize();
}

double relative_error(const std::vector<float>& got, const std::vector<float>& want) {
  if (got.size() != want.size() || want.empty()) return std::numeric_limits<double>::infinity();
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    difference += (static_cast<double>(got[i]) - want[i]) * (static_cast<double>(got[i]) - want[i]);
    norm += static_cast<double>(want[i]) * want[i];
  }
  const double error = std::sqrt(difference / (norm > 0 ? norm : 1));
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

double tolerance(bool output_16bit) { return output_16bit ? 4e-3 : 1e-4; }

}  // namespace hinm::cuda
