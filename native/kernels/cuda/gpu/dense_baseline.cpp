#include "kernels/cuda/gpu/dense_baseline.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "kernels/cuda/gpu/interleaved_timing.h"
#include "kernels/cuda/number_formats.h"

namespace hinm::cuda {
namespace {

// Values of the cuBLASLt and CUDA data type reference.
constexpr int kFloat32 = 0;
constexpr int kFloat16 = 2;
constexpr int kBfloat16 = 14;
constexpr int kComputeFloat32 = 68;
constexpr int kPreferenceWorkspace = 1;
constexpr int kMostAlgorithms = 16;
constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;
/// 12.0 to 13.x share the layouts that are declared here.
constexpr std::size_t kOldestVersion = 120000;
constexpr std::size_t kFirstUnknownVersion = 140000;

struct Heuristic {
  std::uint64_t algorithm[8];
  std::size_t workspace;
  int state;
  float waves;
  int reserved[4];
};

int data_type(ValueType type) { return type == ValueType::bf16 ? kBfloat16 : kFloat16; }

}  // namespace

struct DenseBaseline::Library {
  explicit Library(device::SharedLibrary opened) : shared(std::move(opened)) {}

  device::SharedLibrary shared;
  std::size_t (*version)() = nullptr;
  int (*create)(void**) = nullptr;
  int (*destroy)(void*) = nullptr;
  int (*matmul_create)(void**, int, int) = nullptr;
  int (*matmul_destroy)(void*) = nullptr;
  int (*layout_create)(void**, int, std::uint64_t, std::uint64_t, std::int64_t) = nullptr;
  int (*layout_destroy)(void*) = nullptr;
  int (*preference_create)(void**) = nullptr;
  int (*preference_set)(void*, int, const void*, std::size_t) = nullptr;
  int (*preference_destroy)(void*) = nullptr;
  int (*heuristics)(void*, void*, void*, void*, void*, void*, void*, int, Heuristic*, int*) = nullptr;
  int (*matmul)(void*, void*, const void*, const void*, void*, const void*, void*, const void*, const void*, void*, void*, void*, const void*, void*,
                std::size_t, StreamHandle) = nullptr;

  /// The first function that is missing, or null.
  const char* resolve() {
    const auto get = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(shared.symbol(name));
      return function != nullptr;
    };
    if (!get(version, "cublasLtGetVersion")) return "cublasLtGetVersion";
    if (!get(create, "cublasLtCreate")) return "cublasLtCreate";
    if (!get(destroy, "cublasLtDestroy")) return "cublasLtDestroy";
    if (!get(matmul_create, "cublasLtMatmulDescCreate")) return "cublasLtMatmulDescCreate";
    if (!get(matmul_destroy, "cublasLtMatmulDescDestroy")) return "cublasLtMatmulDescDestroy";
    if (!get(layout_create, "cublasLtMatrixLayoutCreate")) return "cublasLtMatrixLayoutCreate";
    if (!get(layout_destroy, "cublasLtMatrixLayoutDestroy")) return "cublasLtMatrixLayoutDestroy";
    if (!get(preference_create, "cublasLtMatmulPreferenceCreate")) return "cublasLtMatmulPreferenceCreate";
    if (!get(preference_set, "cublasLtMatmulPreferenceSetAttribute")) return "cublasLtMatmulPreferenceSetAttribute";
    if (!get(preference_destroy, "cublasLtMatmulPreferenceDestroy")) return "cublasLtMatmulPreferenceDestroy";
    if (!get(heuristics, "cublasLtMatmulAlgoGetHeuristic")) return "cublasLtMatmulAlgoGetHeuristic";
    if (!get(matmul, "cublasLtMatmul")) return "cublasLtMatmul";
    return nullptr;
  }
};

// Row-major Y = W·X is column-major Yᵀ = Xᵀ·Wᵀ: in the library's terms A is X (N×K), B is W (K×M), D is Y (N×M), none transposed.
struct DenseBaseline::Plan {
  void* handle = nullptr;
  void* matmul = nullptr;
  void* a = nullptr;
  void* b = nullptr;
  void* d = nullptr;
  void* preference = nullptr;
  Heuristic chosen{};
};

DenseBaseline::DenseBaseline() : plan_(std::make_unique<Plan>()) {}

DenseBaseline::~DenseBaseline() {
  if (!library_ || !library_->destroy) return;
  if (plan_->preference) library_->preference_destroy(plan_->preference);
  for (void* layout : {plan_->a, plan_->b, plan_->d}) {
    if (layout) library_->layout_destroy(layout);
  }
  if (plan_->matmul) library_->matmul_destroy(plan_->matmul);
  if (plan_->handle) library_->destroy(plan_->handle);
}

Result<std::unique_ptr<DenseBaseline>> DenseBaseline::make(Gpu& gpu, const std::vector<float>& weights, const Activations& activations, int sets) {
  std::vector<std::string> names{"libcublasLt.so.13", "libcublasLt.so.12", "cublasLt64_13.dll", "cublasLt64_12.dll"};
  if (const char* asked = std::getenv("HINM_CUBLASLT"); asked && *asked) names = {asked};
  Result<device::SharedLibrary> opened = device::SharedLibrary::open(names);
  if (!opened.ok()) return Error{"LIBRARY_NOT_FOUND", "cuBLASLt is " + opened.error().message + "."};
  std::unique_ptr<DenseBaseline> baseline(new DenseBaseline);
  baseline->library_ = std::make_unique<Library>(std::move(opened).value());
  Library& library = *baseline->library_;
  if (const char* missing = library.resolve()) {
    library.destroy = nullptr;
    return Error{"LIBRARY_NOT_FOUND", library.shared.name() + " has no " + missing + "."};
  }
  const std::size_t version = library.version();
  if (version < kOldestVersion || version >= kFirstUnknownVersion) {
    return Error{"LIBRARY_NOT_FOUND", "cuBLASLt " + std::to_string(version) + " is not one of the versions 12.0 to 13.x that this program knows."};
  }
  Plan& plan = *baseline->plan_;
  const int type = data_type(activations.type);
  const int output = activations.output_16bit ? type : kFloat32;
  const auto n = static_cast<std::uint64_t>(activations.n), k = static_cast<std::uint64_t>(activations.cols), m = static_cast<std::uint64_t>(activations.rows);
  const std::size_t workspace = kWorkspaceBytes;
  const int steps[] = {
      library.create(&plan.handle),
      library.matmul_create(&plan.matmul, kComputeFloat32, kFloat32),
      library.layout_create(&plan.a, type, n, k, activations.ldx),
      library.layout_create(&plan.b, type, k, m, activations.cols),
      library.layout_create(&plan.d, output, n, m, activations.ldy),
      library.preference_create(&plan.preference),
  };
  for (const int status : steps) {
    if (status != 0) return Error{"DEVICE_FAILED", "cuBLASLt failed at preparing the dense product (status " + std::to_string(status) + ")."};
  }
  if (const int status = library.preference_set(plan.preference, kPreferenceWorkspace, &workspace, sizeof workspace); status != 0) {
    return Error{"DEVICE_FAILED", "cuBLASLt failed at taking a workspace (status " + std::to_string(status) + ")."};
  }
  std::vector<std::uint16_t> encoded;
  encoded.reserve(weights.size());
  for (const float value : weights) encoded.push_back(encode(activations.type, value));
  for (int set = 0; set < sets; ++set) {
    Result<DeviceBuffer> uploaded = gpu.upload(encoded, "dense weights");
    if (!uploaded.ok()) return uploaded.error();
    baseline->weights_.push_back(std::move(uploaded).value());
  }
  Result<DeviceBuffer> allocated = gpu.allocate(kWorkspaceBytes, "the workspace of cuBLASLt");
  if (!allocated.ok()) return allocated.error();
  baseline->workspace_ = std::move(allocated).value();
  if (Status tuned = baseline->tune(gpu, activations); !tuned.ok()) return tuned.error();
  return baseline;
}

Status DenseBaseline::tune(Gpu& gpu, const Activations& activations) {
  Heuristic offered[kMostAlgorithms] = {};
  int count = 0;
  Plan& plan = *plan_;
  const int status = library_->heuristics(plan.handle, plan.matmul, plan.a, plan.b, plan.d, plan.d, plan.preference, kMostAlgorithms, offered, &count);
  if (status != 0 || count == 0) return Error{"DEVICE_FAILED", "cuBLASLt offers no algorithm for this product (status " + std::to_string(status) + ")."};
  double best = std::numeric_limits<double>::infinity();
  int rank = -1;
  TimingLimits limits;
  limits.sample_milliseconds = 0.5;
  limits.least_samples = limits.most_samples = 5;
  for (int i = 0; i < count; ++i) {
    if (offered[i].state != 0) continue;
    plan.chosen = offered[i];
    const Competitor candidate{"cuBLASLt", static_cast<int>(std::max(weights_.size(), activations.x.size())),
                               [&](int set) { return enqueue(gpu, activations, set); }};
    const CompetitorTimes times = time_interleaved(gpu, {candidate}, limits).competitors.front();
    if (times.samples.empty()) continue;
    if (const double took = median(times.samples); took < best) {
      best = took;
      rank = i;
    }
  }
  if (rank < 0) return Error{"DEVICE_FAILED", "None of the " + std::to_string(count) + " algorithms that cuBLASLt offers for this product ran."};
  plan.chosen = offered[rank];
  description_ = "cuBLASLt " + std::to_string(library_->version()) + ", fastest of " + std::to_string(count) + " offered algorithms (number " + std::to_string(rank + 1) +
                 "), float32 accumulation";
  return success();
}

Status DenseBaseline::enqueue(Gpu& gpu, const Activations& activations, int set) const {
  const float one = 1, zero = 0;
  const auto index = static_cast<std::size_t>(set);
  const DeviceBuffer& x = activations.x[index % activations.x.size()];
  const DeviceBuffer& y = activations.y[index % activations.y.size()];
  const int status = library_->matmul(plan_->handle, plan_->matmul, &one, x.as<const void>(), plan_->a, weights_[index % weights_.size()].as<const void>(), plan_->b, &zero,
                                      y.as<const void>(), plan_->d, y.as<void>(), plan_->d, plan_->chosen.algorithm, workspace_.as<void>(), kWorkspaceBytes, gpu.stream());
  if (status != 0) return Error{"DEVICE_FAILED", "cuBLASLt failed at the dense product (status " + std::to_string(status) + ")."};
  return success();
}

}  // namespace hinm::cuda
