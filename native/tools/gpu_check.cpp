// The check on a GPU, one step a process, so that a fault in one leaves the others alone. Writes one JSON document to
// standard output; scripts/gpu-check.mjs runs the steps and puts them together.
//
//   gpu_check list                 names of the steps
//   gpu_check STEP [--quick]       runs one; --quick takes the least of everything, for a driver that emulates
//
// Exit status: 0 when the step ran (whatever it found), 2 when it could not; then the document holds {"error": …}.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "base/build_info.h"
#include "base/random.h"
#include "device/cuda/gpu.h"
#include "device/cuda/management_library.h"
#include "kernels/cuda/gpu/dense_baseline.h"
#include "kernels/cuda/gpu/gpu_product.h"
#include "kernels/cuda/gpu/interleaved_timing.h"
#include "kernels/cuda/gpu/tuned_product.h"
#include "kernels/cuda/gpu/two_four_baseline.h"
#include "kernels/cuda/product/gather_probe.h"
#include "kernels/cuda/random_tiles.h"
#include "tools/json_writer.h"

namespace hinm::tools {
namespace {

using namespace hinm::cuda;

struct Shape {
  int rows, cols, n;
  std::string name() const { return std::to_string(rows) + "x" + std::to_string(cols) + "x" + std::to_string(n); }
};

// Transformer and convolution layers as products; convolutions by im2col.
const std::vector<Shape> kShapes{{4096, 4096, 16},   {4096, 4096, 64},  {4096, 4096, 256},  {4096, 4096, 1024}, {4096, 4096, 4096}, {768, 768, 4096},  {3072, 768, 4096},
                                 {768, 3072, 4096},  {768, 3072, 128},  {256, 2304, 6272},  {512, 4608, 1568},  {512, 4608, 196},   {2048, 512, 1568}};

struct Session {
  std::unique_ptr<Gpu> gpu;
  bool quick = false;
  std::string uuid;
  std::shared_ptr<const ManagementLibrary> management;
};

// ---- small pieces of the document

void write_fact(JsonWriter& json, const Fact& fact) {
  json.begin_object().key("value");
  if (const bool* flag = std::get_if<bool>(&fact.value)) json.value(*flag);
  else if (const double* number = std::get_if<double>(&fact.value)) json.value(*number);
  else if (const std::string* text = std::get_if<std::string>(&fact.value)) json.value(*text);
  else json.null().field("reason", fact.reason);
  json.end_object();
}

void write_moment(JsonWriter& json, const std::string& name, const Session& session) {
  json.key(name);
  if (!session.management) {
    json.null();
    return;
  }
  const DeviceMoment now = session.management->moment(session.uuid);
  json.begin_object();
  const std::pair<const char*, const Fact*> fields[] = {{"smClockMhz", &now.sm_clock},   {"memoryClockMhz", &now.memory_clock}, {"temperatureC", &now.temperature},
                                                        {"powerWatts", &now.power}, {"energyJoules", &now.energy}, {"throttle", &now.throttle_reasons}};
  for (const auto& [field, fact] : fields) {
    json.key(field);
    write_fact(json, *fact);
  }
  json.end_object();
}

void write_times(JsonWriter& json, const CompetitorTimes& times) {
  if (!times.failure.empty()) json.field("failure", times.failure);
  json.field("callsPerSample", times.calls_per_sample);
  json.field("medianMilliseconds", times.samples.empty() ? std::nan("") : median(times.samples));
  json.field("relativeSpread", relative_spread(times.samples));
  json.field("samplesMilliseconds", times.samples);
}

const char* format_name(Format format) { return format == Format::hinm ? "hinm" : format == Format::two_four ? "two_four" : "vector"; }
const char* type_name(ValueType type) { return type == ValueType::bf16 ? "bf16" : "f16"; }

// ---- device

Status device_step(Session& session, JsonWriter& json) {
  json.begin_object().field("build", build_info().cuda).field("compiler", build_info().compiler);
  const DeviceList list = list_devices();
  json.key("facts").begin_object();
  for (const auto& [name, fact] : list.devices.front().facts) {
    // The UUID would name the machine in a file that is shared.
    if (name == "uuid") continue;
    json.key(name);
    write_fact(json, fact);
  }
  json.end_object();
  write_moment(json, "now", session);
  json.key("kernels").begin_array();
  for (const Variant& variant : variants()) {
    if (variant.path == Path::warpgroup && session.gpu->limits().capability != 90) continue;
    const Result<KernelFacts> facts = session.gpu->kernel_facts(variant.kernel);
    json.begin_object().field("kernel", variant.kernel);
    if (facts.ok()) {
      json.field("registers", facts.value().registers).field("localBytes", facts.value().local_bytes).field("binaryVersion", facts.value().binary_version);
      json.field("ptxVersion", facts.value().ptx_version).field("sharedBytes", variant.shared_bytes);
    } else {
      json.field("error", facts.error().message);
    }
    json.end_object();
  }
  json.end_array().end_object();
  return success();
}

// ---- products: every kernel against float64

struct ProductCase {
  std::int32_t n;
  int parts;
  bool output_16bit;
  Activation activation;
  bool bias;
};

/// The host's float64 on inputs that are rounded as the device gets them.
std::vector<float> host_answer(const SparseTiles& tiles, const std::vector<float>& x, std::int32_t n, ValueType type) {
  SparseTiles rounded = tiles;
  for (float& value : rounded.values) value = decode(type, encode(type, value));
  std::vector<float> rounded_x = x;
  for (float& value : rounded_x) value = decode(type, encode(type, value));
  const std::vector<double> y = multiply(rounded, rounded_x, n);
  return {y.begin(), y.end()};
}

Result<double> check_product(Session& session, const Variant& variant, const ProductCase& asked, double& reference_error) {
  Gpu& gpu = *session.gpu;
  const std::int32_t rows = variant.tile_rows * 2 - 3, kept = session.quick ? 132 : 1028;
  const SparseTiles tiles = random_tiles({variant.format, rows, kept + 100, variant.tile_rows, kept, false}, 17);
  const std::vector<float> x = random_activations(tiles.cols, asked.n, false, 18);
  Result<Activations> activations = upload_activations(gpu, x, tiles.cols, rows, asked.n, variant.type, asked.output_16bit, 2);
  if (!activations.ok()) return activations.error();
  EpilogueOptions epilogue{asked.activation, {}};
  for (std::int32_t row = 0; asked.bias && row < rows; ++row) epilogue.bias.push_back(static_cast<float>(row % 7) - 3);
  LaunchPlan plan{&variant, 0, (tiles.kept + kStepColumns - 1) / kStepColumns, (asked.n + variant.block_columns - 1) / variant.block_columns, asked.parts};
  plan.tiles = (static_cast<int>(tiles.output_row.size()) + variant.tile_rows - 1) / variant.tile_rows;
  Result<std::shared_ptr<const GpuWeights>> weights = GpuWeights::make(gpu, tiles, variant.type, variant.tile_rows, 1);
  if (!weights.ok()) return weights.error();
  Result<GpuProduct> product = GpuProduct::make(gpu, weights.value(), plan, epilogue);
  if (!product.ok()) return product.error();
  for (int set = 0; set < 2; ++set) {
    if (Status status = poison_output(gpu, activations.value(), set); !status.ok()) return status.error();
  }
  if (Status status = product.value().enqueue(gpu, activations.value(), 0); !status.ok()) return status.error();
  if (Status status = gpu.synchronize(); !status.ok()) return status.error();
  if (Status status = run_reference(gpu, tiles, activations.value(), 1, epilogue); !status.ok()) return status.error();
  Result<std::vector<float>> got = download_output(gpu, activations.value(), 0);
  Result<std::vector<float>> want = download_output(gpu, activations.value(), 1);
  if (!got.ok()) return got.error();
  if (!want.ok()) return want.error();
  // Without an epilogue the host can answer too, and judges the reference kernel.
  if (!asked.bias && asked.activation == Activation::none) reference_error = relative_error(want.value(), host_answer(tiles, x, asked.n, variant.type));
  return relative_error(got.value(), want.value());
}

Status products_step(Session& session, JsonWriter& json) {
  int passed = 0, failed = 0;
  json.begin_object().key("products").begin_array();
  for (const Variant& variant : variants()) {
    const bool fits = variant.shared_bytes <= session.gpu->limits().shared_per_block && (variant.path == Path::mma || session.gpu->limits().capability == 90);
    if (!fits) continue;
    const std::vector<ProductCase> cases{{variant.block_columns + 5, 1, false, Activation::none, false},
                                         {variant.block_columns, 3, true, Activation::none, false},
                                         {7, 2, false, Activation::gelu, true},
                                         {variant.block_columns * 2 - 1, 1, true, Activation::relu, true}};
    for (ProductCase each : cases) {
      if (session.quick) each.n = 9;
      double reference_error = 0;
      const Result<double> error = check_product(session, variant, each, reference_error);
      const bool fine = error.ok() && error.value() <= tolerance(each.output_16bit) && reference_error <= tolerance(each.output_16bit);
      ++(fine ? passed : failed);
      json.begin_object().field("kernel", variant.kernel).field("n", each.n).field("parts", each.parts).field("output", each.output_16bit ? "16 bit" : "float32");
      json.field("tolerance", tolerance(each.output_16bit)).field("passed", fine);
      if (error.ok()) json.field("relativeError", error.value()).field("referenceError", reference_error);
      else json.field("error", error.error().message);
      json.end_object();
      if (session.quick) break;
      // A fault loses the device; what follows would only repeat it.
      if (!error.ok() && !session.gpu->synchronize().ok()) {
        json.end_array().field("passed", passed).field("failed", failed).field("stopped", "the device was lost").end_object();
        return success();
      }
    }
  }
  json.end_array().field("passed", passed).field("failed", failed).end_object();
  return success();
}

// ---- bandwidths: what the floor model needs

CompetitorTimes time_alone(Gpu& gpu, const Competitor& competitor, bool quick) {
  TimingLimits limits;
  limits.seconds = quick ? 0.1 : 1;
  if (quick) limits.sample_milliseconds = 0.01, limits.least_samples = limits.most_samples = 3;
  return time_interleaved(gpu, {competitor}, limits).competitors.front();
}

Status gather_case(Session& session, JsonWriter& json, int row_bytes, int width) {
  Gpu& gpu = *session.gpu;
  const int rows = session.quick ? 128 : 4096, tiles = session.quick ? 2 : 64, steps = session.quick ? 2 : 32;
  RandomStream random(1);
  std::vector<std::uint16_t> x(static_cast<std::size_t>(rows) * static_cast<std::size_t>(width));
  for (std::uint16_t& value : x) value = static_cast<std::uint16_t>(random());
  std::vector<std::int32_t> columns(static_cast<std::size_t>(tiles) * static_cast<std::size_t>(steps) * 64);
  for (std::int32_t& column : columns) column = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(rows)));
  Result<DeviceBuffer> x_device = gpu.upload(x, "rows to gather"), columns_device = gpu.upload(columns, "row numbers");
  Result<DeviceBuffer> sink = gpu.allocate(static_cast<std::size_t>(tiles) * 4, "the sink");
  for (const Result<DeviceBuffer>* each : {&x_device, &columns_device, &sink}) {
    if (!each->ok()) return each->error();
  }
  const GatherArguments arguments{x_device.value().as<const std::uint16_t>(), columns_device.value().as<const std::int32_t>(), sink.value().as<std::uint32_t>(), steps, width};
  LaunchShape shape;
  shape.grid_x = static_cast<unsigned>(tiles);
  shape.grid_y = static_cast<unsigned>(width * 2 / row_bytes);
  shape.threads = GatherProbe<256>::kThreads;
  shape.shared_bytes = static_cast<unsigned>(row_bytes == 256 ? GatherProbe<256>::kSharedBytes : GatherProbe<512>::kSharedBytes);
  const std::string kernel = "hinm_gather_" + std::to_string(row_bytes);
  const CompetitorTimes times = time_alone(gpu, {kernel, 1, [&](int) { return gpu.launch(kernel, shape, &arguments); }}, session.quick);
  const double bytes = static_cast<double>(tiles) * steps * 64 * width * 2;
  json.begin_object().field("rowBytes", row_bytes).field("footprintBytes", static_cast<double>(x.size() * 2)).field("gatheredBytes", bytes);
  json.field("bytesPerSecond", times.samples.empty() ? std::nan("") : bytes / (median(times.samples) * 1e-3));
  write_times(json, times);
  json.end_object();
  return success();
}

Status bandwidth_step(Session& session, JsonWriter& json) {
  json.begin_object().key("gather").begin_array();
  const std::vector<int> widths = session.quick ? std::vector<int>{256} : std::vector<int>{1024, 4096};
  for (const int row_bytes : {256, 512}) {
    for (const int width : widths) {
      if (Status status = gather_case(session, json, row_bytes, width); !status.ok()) return status;
    }
  }
  json.end_array();
  Gpu& gpu = *session.gpu;
  const std::size_t bytes = session.quick ? 1 << 16 : std::size_t{2} << 30;
  Result<DeviceBuffer> from = gpu.allocate(bytes, "a copy"), to = gpu.allocate(bytes, "a copy");
  if (!from.ok() || !to.ok()) return from.ok() ? to.error() : from.error();
  if (Status status = gpu.fill(from.value(), 0x5a); !status.ok()) return status;
  const auto copy = [&](int) {
    return gpu.driver().check(gpu.driver().api().copy_on_device(to.value().address(), from.value().address(), bytes, gpu.stream()), "copying");
  };
  const CompetitorTimes times = time_alone(gpu, {"copy", 1, copy}, session.quick);
  json.key("copy").begin_object();
  json.field("bytesPerSecond", times.samples.empty() ? std::nan("") : 2.0 * static_cast<double>(bytes) / (median(times.samples) * 1e-3));
  write_times(json, times);
  json.end_object().end_object();
  return success();
}

// ---- one shape of the bench

struct Entry {
  Format format;
  int vector;      ///< V; 0 for plain 2:4
  double kept;     ///< share of columns
  TunedProduct tuned;
};

TuningOptions tuning(const Session& session) { return session.quick ? TuningOptions{0.01, 1, 1, 2} : TuningOptions{}; }

/// The dense matrix behind 2:4 tiles, for cuSPARSELt.
std::vector<float> expanded(const SparseTiles& tiles) {
  std::vector<float> dense(static_cast<std::size_t>(tiles.rows) * static_cast<std::size_t>(tiles.cols), 0.0f);
  const auto values = static_cast<std::size_t>(tiles.values_per_row());
  for (std::size_t tile_row = 0; tile_row < tiles.output_row.size(); ++tile_row) {
    if (tiles.output_row[tile_row] < 0) continue;
    float* row = &dense[static_cast<std::size_t>(tiles.output_row[tile_row]) * static_cast<std::size_t>(tiles.cols)];
    for (std::size_t i = 0; i < values; ++i) row[i / 2 * 4 + tiles.selection[tile_row * values + i]] = tiles.values[tile_row * values + i];
  }
  return dense;
}

void write_entry(JsonWriter& json, const Entry& entry, const CompetitorTimes& times) {
  json.begin_object().field("format", format_name(entry.format)).field("vector", entry.vector).field("keptColumns", entry.kept);
  const TunedProduct& tuned = entry.tuned;
  json.field("kernel", tuned.product.plan().name()).field("weightBytes", static_cast<double>(tuned.product.weights().bytes())).field("sets", tuned.sets);
  json.field("relativeError", tuned.error).field("passed", tuned.passed).field("tuningSeconds", tuned.seconds);
  write_times(json, times);
  json.end_object();
}

Status bench_step(Session& session, JsonWriter& json, const Shape& asked) {
  Gpu& gpu = *session.gpu;
  const Shape shape = session.quick ? Shape{128, 256, std::min(asked.n, 64)} : asked;
  const ValueType type = ValueType::bf16;
  const std::vector<float> x = random_activations(shape.cols, shape.n, false, 1);
  Activations activations;
  {
    const std::size_t bytes = static_cast<std::size_t>(shape.cols + shape.rows) * static_cast<std::size_t>(shape.n) * 2;
    Result<Activations> uploaded = upload_activations(gpu, x, shape.cols, shape.rows, shape.n, type, true, session.quick ? 2 : rotating_sets(bytes, gpu.limits()));
    if (!uploaded.ok()) return uploaded.error();
    activations = std::move(uploaded).value();
  }
  json.begin_object().field("rows", shape.rows).field("cols", shape.cols).field("n", shape.n).field("type", type_name(type)).field("output", "bf16");
  json.field("method", "launches recorded in a graph and replayed, operand sets rotated so that none is in L2, competitors in turns, events around each sample");

  std::vector<Competitor> competitors;
  json.key("absent").begin_array();
  const auto absent = [&](const char* name, const Error& error) { json.begin_object().field("name", name).field("reason", error.message).end_object(); };
  RandomStream random(3);
  std::vector<float> dense_weights(static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(shape.cols));
  for (float& value : dense_weights) value = static_cast<float>(random.normal());
  const int dense_sets = session.quick ? 1 : rotating_sets(dense_weights.size() * 2 + activations.bytes_of_one_call(), gpu.limits());
  Result<std::unique_ptr<DenseBaseline>> dense = DenseBaseline::make(gpu, dense_weights, activations, dense_sets);
  const auto sets_for = [&](int sets) { return std::max(sets, static_cast<int>(activations.x.size())); };
  if (dense.ok()) competitors.push_back({dense.value()->description(), sets_for(dense_sets), [&](int set) { return dense.value()->enqueue(gpu, activations, set); }});
  else absent("cuBLASLt", dense.error());

  const SparseTiles two_four = random_tiles({Format::two_four, shape.rows, shape.cols, 128, 0, false}, 5);
  Result<std::unique_ptr<TwoFourBaseline>> library = TwoFourBaseline::make(gpu, expanded(two_four), activations, dense_sets);
  if (library.ok()) competitors.push_back({library.value()->description(), sets_for(dense_sets), [&](int set) { return library.value()->enqueue(gpu, activations, set); }});
  else absent("cuSPARSELt", library.error());
  const std::size_t baselines = competitors.size();

  std::vector<Entry> entries;
  const auto add = [&](const SparseTiles& tiles, int vector, double kept) -> Status {
    const std::string name = std::string(format_name(tiles.format)) + " V=" + std::to_string(vector) + " kept " + std::to_string(kept);
    Result<TunedProduct> tuned = tune_product(gpu, tiles, activations, tuning(session));
    if (!tuned.ok()) absent(name.c_str(), tuned.error());
    else entries.push_back({tiles.format, vector, kept, std::move(tuned).value()});
    return gpu.synchronize();
  };
  Status going = add(two_four, 0, 1);
  for (const int vector : {64, 128}) {
    for (const double kept : {0.5, 0.25, 0.125}) {
      const int columns = std::max(4, static_cast<int>(shape.cols * kept) / 4 * 4);
      if (going.ok()) going = add(random_tiles({Format::hinm, shape.rows, shape.cols, vector, columns, false}, 7), vector, kept);
      if (going.ok() && kept < 0.5 && vector == 128) going = add(random_tiles({Format::vector, shape.rows, shape.cols, vector, columns, false}, 9), vector, kept);
      if (session.quick) break;
    }
  }
  json.end_array();
  if (!going.ok()) json.field("stopped", going.error().message);
  // What is wrong is shown, not timed.
  for (const Entry& entry : entries) {
    const TunedProduct& tuned = entry.tuned;
    if (tuned.passed) competitors.push_back({tuned.product.plan().name(), sets_for(tuned.sets), [&](int set) { return tuned.product.enqueue(gpu, activations, set); }});
  }
  write_moment(json, "before", session);
  TimingLimits limits;
  limits.seconds = 4;
  if (session.quick) limits.sample_milliseconds = 0.01, limits.least_samples = limits.most_samples = 3;
  const InterleavedTimes times = time_interleaved(gpu, competitors, limits);
  write_moment(json, "after", session);
  json.field("sampling", times.stopped).key("baselines").begin_array();
  for (std::size_t i = 0; i < baselines; ++i) {
    json.begin_object().field("name", times.competitors[i].name);
    write_times(json, times.competitors[i]);
    json.end_object();
  }
  json.end_array().key("products").begin_array();
  std::size_t next = baselines;
  for (const Entry& entry : entries) write_entry(json, entry, entry.tuned.passed ? times.competitors[next++] : CompetitorTimes{});
  json.end_array().end_object();
  return success();
}

// ---- steps

using Step = std::function<Status(Session&, JsonWriter&)>;

std::vector<std::pair<std::string, Step>> steps() {
  std::vector<std::pair<std::string, Step>> all{{"device", device_step}, {"products", products_step}, {"bandwidth", bandwidth_step}};
  for (const Shape& shape : kShapes) {
    all.emplace_back("bench-" + shape.name(), [shape](Session& session, JsonWriter& json) { return bench_step(session, json, shape); });
  }
  return all;
}

int fail(const Error& error) {
  JsonWriter json;
  json.begin_object().field("error", error.message).field("code", error.code).end_object();
  std::printf("%s\n", json.text().c_str());
  return 2;
}

int run(const std::string& name, bool quick) {
  const auto all = steps();
  const auto step = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == name; });
  if (step == all.end()) return fail(invalid_argument("There is no step \"" + name + "\"; \"gpu_check list\" names them."));
  Session session;
  session.quick = quick;
  Result<std::unique_ptr<Gpu>> gpu = Gpu::open(0);
  if (!gpu.ok()) return fail(gpu.error());
  session.gpu = std::move(gpu).value();
  const Result<std::string> uuid = device_uuid(session.gpu->driver(), 0);
  const Result<std::shared_ptr<const ManagementLibrary>> management = ManagementLibrary::open();
  if (uuid.ok() && management.ok()) {
    session.uuid = uuid.value();
    session.management = management.value();
  }
  JsonWriter json;
  if (Status status = step->second(session, json); !status.ok()) return fail(status.error());
  std::printf("%s\n", json.text().c_str());
  return 0;
}

}  // namespace
}  // namespace hinm::tools

int main(int count, char** arguments) {
  const std::string name = count > 1 ? arguments[1] : "list";
  if (name == "list") {
    for (const auto& [step, body] : hinm::tools::steps()) std::printf("%s\n", step.c_str());
    return 0;
  }
  const bool quick = count > 2 && std::string(arguments[2]) == "--quick";
  return hinm::tools::run(name, quick);
}
