#include "kernels/cuda/gpu/two_four_baseline.h"

#include <cstdlib>

#include "kernels/cuda/number_formats.h"

namespace hinm::cuda {
namespace {

// Values of the cuSPARSELt reference, 0.5 and later.
constexpr int kFloat16 = 2;
constexpr int kBfloat16 = 14;
constexpr int kComputeFloat32 = 2;
constexpr int kOrderRow = 2;
constexpr int kNotTransposed = 0;
constexpr int kHalfSparse = 0;
constexpr int kDefaultAlgorithm = 0;
constexpr unsigned kAlignment = 16;
/// major·1000 + minor·100 + patch: the library numbers itself so.
constexpr int kOldestVersion = 500;
constexpr int kFirstUnknownVersion = 1000;

/// The library's handles are plain memory of the caller, 11 KB in the versions seen; room for more is given.
struct alignas(16) Opaque {
  unsigned char bytes[64 << 10] = {};
};

}  // namespace

struct TwoFourBaseline::Library {
  explicit Library(device::SharedLibrary opened) : shared(std::move(opened)) {}

  device::SharedLibrary shared;
  int (*init)(void*) = nullptr;
  int (*destroy)(const void*) = nullptr;
  int (*version)(const void*, int*) = nullptr;
  int (*dense)(const void*, void*, std::int64_t, std::int64_t, std::int64_t, unsigned, int, int) = nullptr;
  int (*structured)(const void*, void*, std::int64_t, std::int64_t, std::int64_t, unsigned, int, int, int) = nullptr;
  int (*matmul_init)(const void*, void*, int, int, const void*, const void*, const void*, const void*, int) = nullptr;
  int (*selection_init)(const void*, void*, const void*, int) = nullptr;
  int (*plan_init)(const void*, void*, const void*, const void*) = nullptr;
  int (*plan_destroy)(const void*) = nullptr;
  int (*workspace)(const void*, const void*, std::size_t*) = nullptr;
  int (*compressed_size)(const void*, const void*, std::size_t*, std::size_t*) = nullptr;
  int (*compress)(const void*, const void*, const void*, void*, void*, StreamHandle) = nullptr;
  int (*search)(const void*, void*, const void*, const void*, const void*, const void*, const void*, void*, void*, StreamHandle*, int) = nullptr;
  int (*matmul)(const void*, const void*, const void*, const void*, const void*, const void*, const void*, void*, void*, StreamHandle*, int) = nullptr;

  const char* resolve() {
    const auto get = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(shared.symbol(name));
      return function != nullptr;
    };
    if (!get(init, "cusparseLtInit")) return "cusparseLtInit";
    if (!get(destroy, "cusparseLtDestroy")) return "cusparseLtDestroy";
    if (!get(version, "cusparseLtGetVersion")) return "cusparseLtGetVersion";
    if (!get(dense, "cusparseLtDenseDescriptorInit")) return "cusparseLtDenseDescriptorInit";
    if (!get(structured, "cusparseLtStructuredDescriptorInit")) return "cusparseLtStructuredDescriptorInit";
    if (!get(matmul_init, "cusparseLtMatmulDescriptorInit")) return "cusparseLtMatmulDescriptorInit";
    if (!get(selection_init, "cusparseLtMatmulAlgSelectionInit")) return "cusparseLtMatmulAlgSelectionInit";
    if (!get(plan_init, "cusparseLtMatmulPlanInit")) return "cusparseLtMatmulPlanInit";
    if (!get(plan_destroy, "cusparseLtMatmulPlanDestroy")) return "cusparseLtMatmulPlanDestroy";
    if (!get(workspace, "cusparseLtMatmulGetWorkspace")) return "cusparseLtMatmulGetWorkspace";
    if (!get(compressed_size, "cusparseLtSpMMACompressedSize")) return "cusparseLtSpMMACompressedSize";
    if (!get(compress, "cusparseLtSpMMACompress")) return "cusparseLtSpMMACompress";
    if (!get(search, "cusparseLtMatmulSearch")) return "cusparseLtMatmulSearch";
    if (!get(matmul, "cusparseLtMatmul")) return "cusparseLtMatmul";
    return nullptr;
  }
};

struct TwoFourBaseline::Plan {
  Opaque handle, a, b, d, matmul, selection, plan;
  bool planned = false;
};

TwoFourBaseline::TwoFourBaseline() : plan_(std::make_unique<Plan>()) {}

TwoFourBaseline::~TwoFourBaseline() {
  if (!library_ || !library_->matmul) return;
  if (plan_->planned) library_->plan_destroy(&plan_->plan);
  library_->destroy(&plan_->handle);
}

Result<std::unique_ptr<TwoFourBaseline>> TwoFourBaseline::make(Gpu& gpu, const std::vector<float>& weights, const Activations& activations, int sets) {
  if (activations.rows % 16 != 0 || activations.cols % 16 != 0 || !activations.output_16bit) {
    return invalid_argument("cuSPARSELt multiplies matrices whose sides are multiples of 16, with 16-bit output; this one is " + std::to_string(activations.rows) + "×" +
                            std::to_string(activations.cols) + ".");
  }
  std::vector<std::string> names{"libcusparseLt.so.0", "cusparseLt.dll"};
  if (const char* asked = std::getenv("HINM_CUSPARSELT"); asked && *asked) names = {asked};
  Result<device::SharedLibrary> opened = device::SharedLibrary::open(names);
  if (!opened.ok()) return Error{"LIBRARY_NOT_FOUND", "cuSPARSELt is " + opened.error().message + "."};
  std::unique_ptr<TwoFourBaseline> baseline(new TwoFourBaseline);
  baseline->library_ = std::make_unique<Library>(std::move(opened).value());
  Library& library = *baseline->library_;
  if (const char* missing = library.resolve()) {
    library.matmul = nullptr;
    return Error{"LIBRARY_NOT_FOUND", library.shared.name() + " has no " + missing + "."};
  }
  int version = 0;
  if (library.init(&baseline->plan_->handle) != 0 || library.version(&baseline->plan_->handle, &version) != 0) {
    library.matmul = nullptr;
    return Error{"DEVICE_FAILED", "cuSPARSELt did not start on this GPU."};
  }
  if (version < kOldestVersion || version >= kFirstUnknownVersion) {
    return Error{"LIBRARY_NOT_FOUND", "cuSPARSELt " + std::to_string(version) + " is not one of the versions 0.5 to 0.9 that this program knows."};
  }
  baseline->description_ = "cuSPARSELt " + std::to_string(version) + ", algorithm by its own search, float32 accumulation";
  if (Status prepared = baseline->prepare(gpu, weights, activations, sets); !prepared.ok()) return prepared.error();
  return baseline;
}

Status TwoFourBaseline::prepare(Gpu& gpu, const std::vector<float>& weights, const Activations& activations, int sets) {
  Library& library = *library_;
  Plan& plan = *plan_;
  const auto failed = [](const char* doing, int status) {
    return Error{"DEVICE_FAILED", std::string("cuSPARSELt failed at ") + doing + " (status " + std::to_string(status) + ")."};
  };
  const int type = activations.type == ValueType::bf16 ? kBfloat16 : kFloat16;
  // N as the padded rows hold it: the library wants multiples of 8.
  const std::pair<int, const char*> steps[] = {
      {library.structured(&plan.handle, &plan.a, activations.rows, activations.cols, activations.cols, kAlignment, type, kOrderRow, kHalfSparse), "describing the weights"},
      {library.dense(&plan.handle, &plan.b, activations.cols, activations.ldx, activations.ldx, kAlignment, type, kOrderRow), "describing the activations"},
      {library.dense(&plan.handle, &plan.d, activations.rows, activations.ldy, activations.ldy, kAlignment, type, kOrderRow), "describing the outputs"},
      {library.matmul_init(&plan.handle, &plan.matmul, kNotTransposed, kNotTransposed, &plan.a, &plan.b, &plan.d, &plan.d, kComputeFloat32), "describing the product"},
      {library.selection_init(&plan.handle, &plan.selection, &plan.matmul, kDefaultAlgorithm), "choosing an algorithm"},
      {library.plan_init(&plan.handle, &plan.plan, &plan.matmul, &plan.selection), "planning"},
  };
  for (const auto& [status, doing] : steps) {
    if (status != 0) return failed(doing, status);
  }
  plan.planned = true;
  std::size_t bytes = 0, buffer_bytes = 0, workspace_bytes = 0;
  if (const int status = library.compressed_size(&plan.handle, &plan.plan, &bytes, &buffer_bytes); status != 0) return failed("sizing the weights", status);
  std::vector<std::uint16_t> encoded;
  encoded.reserve(weights.size());
  for (const float value : weights) encoded.push_back(encode(activations.type, value));
  Result<DeviceBuffer> dense = gpu.upload(encoded, "2:4 weights");
  if (!dense.ok()) return dense.error();
  Result<DeviceBuffer> buffer = gpu.allocate(buffer_bytes, "the compression buffer of cuSPARSELt");
  if (!buffer.ok()) return buffer.error();
  for (int set = 0; set < sets; ++set) {
    Result<DeviceBuffer> compressed = gpu.allocate(bytes, "compressed weights");
    if (!compressed.ok()) return compressed.error();
    const int status = library.compress(&plan.handle, &plan.plan, dense.value().as<const void>(), compressed.value().as<void>(), buffer.value().as<void>(), gpu.stream());
    if (status != 0) return failed("compressing the weights", status);
    compressed_.push_back(std::move(compressed).value());
  }
  if (Status ran = gpu.synchronize(); !ran.ok()) return ran;
  const float one = 1, zero = 0;
  StreamHandle stream = gpu.stream();
  const DeviceBuffer& x = activations.x.front();
  const DeviceBuffer& y = activations.y.front();
  const int searched = library.search(&plan.handle, &plan.plan, &one, compressed_.front().as<const void>(), x.as<const void>(), &zero, y.as<const void>(), y.as<void>(),
                                      nullptr, &stream, 1);
  if (searched != 0) return failed("searching algorithms", searched);
  if (const int status = library.workspace(&plan.handle, &plan.plan, &workspace_bytes); status != 0) return failed("sizing its workspace", status);
  Result<DeviceBuffer> workspace = gpu.allocate(workspace_bytes, "the workspace of cuSPARSELt");
  if (!workspace.ok()) return workspace.error();
  workspace_ = std::move(workspace).value();
  return gpu.synchronize();
}

Status TwoFourBaseline::enqueue(Gpu& gpu, const Activations& activations, int set) const {
  const float one = 1, zero = 0;
  const auto index = static_cast<std::size_t>(set);
  const DeviceBuffer& x = activations.x[index % activations.x.size()];
  const DeviceBuffer& y = activations.y[index % activations.y.size()];
  StreamHandle stream = gpu.stream();
  const int status = library_->matmul(&plan_->handle, &plan_->plan, &one, compressed_[index % compressed_.size()].as<const void>(), x.as<const void>(), &zero,
                                      y.as<const void>(), y.as<void>(), workspace_.as<void>(), &stream, 1);
  if (status != 0) return Error{"DEVICE_FAILED", "cuSPARSELt failed at the 2:4 product (status " + std::to_string(status) + ")."};
  return success();
}

}  // namespace hinm::cuda
