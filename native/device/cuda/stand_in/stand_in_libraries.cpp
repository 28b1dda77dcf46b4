// Stand-ins for NVIDIA's management library, cuBLASLt and cuSPARSELt, as far as this program calls them, on host memory and
// by the rules of their references: cuBLASLt multiplies column-major, cuSPARSELt in the order of the descriptors.
// HINM_STAND_IN_FAULT names a function that then fails.
#include <cmath>
#include <cstring>
#include <vector>

#include "device/cuda/stand_in/stand_in.h"
#include "kernels/cuda/number_formats.h"

using hinm::cuda::StreamHandle;
using hinm::cuda::ValueType;
using hinm::stand_in::enqueue;
using hinm::stand_in::fault;

namespace {

constexpr int kFailed = 13;  // any status but 0

#define FAIL_ON(function) \
  if (fault() == function) return kFailed

/// A matrix as a descriptor gives it: CUDA data type, sizes, leading dimension.
struct Matrix {
  int type;
  std::int64_t rows, cols, stride;
  bool row_major;

  std::size_t index(std::int64_t row, std::int64_t col) const { return static_cast<std::size_t>(row_major ? row * stride + col : row + col * stride); }
};

constexpr int kFloat32 = 0;
constexpr int kBfloat16 = 14;

ValueType value_type(int type) { return type == kBfloat16 ? ValueType::bf16 : ValueType::f16; }

double read(const Matrix& matrix, const void* data, std::int64_t row, std::int64_t col) {
  const std::size_t at = matrix.index(row, col);
  if (matrix.type == kFloat32) return static_cast<const float*>(data)[at];
  return hinm::cuda::decode(value_type(matrix.type), static_cast<const std::uint16_t*>(data)[at]);
}

void write(const Matrix& matrix, void* data, std::int64_t row, std::int64_t col, double value) {
  const std::size_t at = matrix.index(row, col);
  if (matrix.type == kFloat32) {
    static_cast<float*>(data)[at] = static_cast<float>(value);
  } else {
    static_cast<std::uint16_t*>(data)[at] = hinm::cuda::encode(value_type(matrix.type), static_cast<float>(value));
  }
}

void multiply(const Matrix& a, const void* a_data, const Matrix& b, const void* b_data, const Matrix& d, void* d_data) {
  for (std::int64_t row = 0; row < d.rows; ++row) {
    for (std::int64_t col = 0; col < d.cols; ++col) {
      double sum = 0;
      for (std::int64_t k = 0; k < a.cols; ++k) sum += read(a, a_data, row, k) * read(b, b_data, k, col);
      write(d, d_data, row, col, sum);
    }
  }
}

/// The caller's 64 KiB of a cuSPARSELt descriptor.
Matrix& descriptor(void* memory) { return *static_cast<Matrix*>(memory); }
const Matrix& descriptor(const void* memory) { return *static_cast<const Matrix*>(memory); }

struct SparsePlan {
  Matrix a, b, d;
};

}  // namespace

// ---- NVML

STAND_IN int nvmlInit_v2() {
  FAIL_ON("nvmlInit_v2");
  return 0;
}
STAND_IN const char* nvmlErrorString(int status) { return status == 3 ? "Not Supported" : "Unknown Error"; }
STAND_IN int nvmlSystemGetDriverVersion(char* text, unsigned length) {
  std::strncpy(text, "580.00 (stand-in)", length);
  return 0;
}
STAND_IN int nvmlDeviceGetHandleByUUID(const char* uuid, void** handle) {
  FAIL_ON("nvmlDeviceGetHandleByUUID");
  *handle = nullptr;
  return std::strncmp(uuid, "GPU-00112233-", 13) == 0 ? 0 : kFailed;
}
STAND_IN int nvmlDeviceGetPowerManagementLimit(void*, unsigned* milliwatts) {
  *milliwatts = 700000;
  return 0;
}
STAND_IN int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  *milliwatts = 123400;
  return 0;
}
STAND_IN int nvmlDeviceGetClockInfo(void*, unsigned domain, unsigned* megahertz) {
  *megahertz = domain == 1 ? 1980 : 3201;
  return 0;
}
STAND_IN int nvmlDeviceGetTemperature(void*, unsigned, unsigned* celsius) {
  *celsius = 41;
  return 0;
}
STAND_IN int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* bits) {
  *bits = 0x4 | 0x20;
  return 0;
}
STAND_IN int nvmlDeviceGetMigMode(void*, int*, int*) { return 3; }
STAND_IN int nvmlDeviceGetPersistenceMode(void*, int* enabled) {
  *enabled = 1;
  return 0;
}

// ---- cuBLASLt

STAND_IN std::size_t cublasLtGetVersion() { return fault() == "old_cublaslt" ? 110000 : 130000; }
STAND_IN int cublasLtCreate(void** handle) {
  FAIL_ON("cublasLtCreate");
  *handle = new char;
  return 0;
}
STAND_IN int cublasLtDestroy(void* handle) {
  delete static_cast<char*>(handle);
  return 0;
}
STAND_IN int cublasLtMatmulDescCreate(void** matmul, int compute, int scale) {
  *matmul = new char;
  return compute == 68 && scale == kFloat32 ? 0 : kFailed;
}
STAND_IN int cublasLtMatmulDescDestroy(void* matmul) {
  delete static_cast<char*>(matmul);
  return 0;
}
STAND_IN int cublasLtMatrixLayoutCreate(void** layout, int type, std::uint64_t rows, std::uint64_t cols, std::int64_t stride) {
  *layout = new Matrix{type, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols), stride, false};
  return stride >= static_cast<std::int64_t>(rows) ? 0 : kFailed;
}
STAND_IN int cublasLtMatrixLayoutDestroy(void* layout) {
  delete static_cast<Matrix*>(layout);
  return 0;
}
STAND_IN int cublasLtMatmulPreferenceCreate(void** preference) {
  *preference = new char;
  return 0;
}
STAND_IN int cublasLtMatmulPreferenceSetAttribute(void*, int attribute, const void*, std::size_t bytes) { return attribute == 1 && bytes == 8 ? 0 : kFailed; }
STAND_IN int cublasLtMatmulPreferenceDestroy(void* preference) {
  delete static_cast<char*>(preference);
  return 0;
}

struct StandInHeuristic {
  std::uint64_t algorithm[8];
  std::size_t workspace;
  int state;
  float waves;
  int reserved[4];
};
STAND_IN int cublasLtMatmulAlgoGetHeuristic(void*, void*, void*, void*, void*, void*, void*, int asked, StandInHeuristic* results, int* count) {
  FAIL_ON("cublasLtMatmulAlgoGetHeuristic");
  // Three offers, one of them marked as not usable.
  *count = asked < 3 ? asked : 3;
  for (int i = 0; i < *count; ++i) {
    results[i] = StandInHeuristic{};
    results[i].algorithm[0] = static_cast<std::uint64_t>(i);
    results[i].state = i == 1 ? kFailed : 0;
  }
  return 0;
}
STAND_IN int cublasLtMatmul(void*, void*, const void*, const void* a, void* a_layout, const void* b, void* b_layout, const void*, const void*, void*, void* d,
                            void* d_layout, const void* algorithm, void*, std::size_t, StreamHandle stream) {
  FAIL_ON("cublasLtMatmul");
  if (*static_cast<const std::uint64_t*>(algorithm) == 1) return kFailed;
  const Matrix left = *static_cast<Matrix*>(a_layout), right = *static_cast<Matrix*>(b_layout), result = *static_cast<Matrix*>(d_layout);
  if (left.cols != right.rows || result.rows != left.rows || result.cols != right.cols) return kFailed;
  return enqueue(stream, [=] {
    multiply(left, a, right, b, result, d);
    return 0;
  });
}

// ---- cuSPARSELt

STAND_IN int cusparseLtInit(void*) {
  FAIL_ON("cusparseLtInit");
  return 0;
}
STAND_IN int cusparseLtDestroy(const void*) { return 0; }
STAND_IN int cusparseLtGetVersion(const void*, int* version) {
  *version = fault() == "old_cusparselt" ? 300 : 701;
  return 0;
}
STAND_IN int cusparseLtDenseDescriptorInit(const void*, void* memory, std::int64_t rows, std::int64_t cols, std::int64_t stride, unsigned, int type, int order) {
  descriptor(memory) = {type, rows, cols, stride, order == 2};
  return stride >= cols && cols % 8 == 0 ? 0 : kFailed;
}
STAND_IN int cusparseLtStructuredDescriptorInit(const void*, void* memory, std::int64_t rows, std::int64_t cols, std::int64_t stride, unsigned, int type, int order,
                                                int sparsity) {
  descriptor(memory) = {type, rows, cols, stride, order == 2};
  return sparsity == 0 && rows % 16 == 0 && cols % 16 == 0 ? 0 : kFailed;
}
STAND_IN int cusparseLtMatmulDescriptorInit(const void*, void* memory, int, int, const void* a, const void* b, const void*, const void* d, int compute) {
  *static_cast<SparsePlan*>(memory) = {descriptor(a), descriptor(b), descriptor(d)};
  return compute == 2 ? 0 : kFailed;
}
STAND_IN int cusparseLtMatmulAlgSelectionInit(const void*, void*, const void*, int) { return 0; }
STAND_IN int cusparseLtMatmulPlanInit(const void*, void* plan, const void* matmul, const void*) {
  FAIL_ON("cusparseLtMatmulPlanInit");
  std::memcpy(plan, matmul, sizeof(SparsePlan));
  return 0;
}
STAND_IN int cusparseLtMatmulPlanDestroy(const void*) { return 0; }
STAND_IN int cusparseLtMatmulGetWorkspace(const void*, const void*, std::size_t* bytes) {
  *bytes = 256;
  return 0;
}
STAND_IN int cusparseLtSpMMACompressedSize(const void*, const void* plan, std::size_t* bytes, std::size_t* buffer_bytes) {
  const Matrix& a = static_cast<const SparsePlan*>(plan)->a;
  *bytes = static_cast<std::size_t>(a.rows * a.cols * 2);
  *buffer_bytes = 256;
  return 0;
}
/// "Compresses" to a copy, and refuses what is not 2:4.
STAND_IN int cusparseLtSpMMACompress(const void*, const void* plan, const void* dense, void* compressed, void*, StreamHandle stream) {
  const Matrix a = static_cast<const SparsePlan*>(plan)->a;
  for (std::int64_t row = 0; row < a.rows; ++row) {
    for (std::int64_t first = 0; first < a.cols; first += 4) {
      int kept = 0;
      for (std::int64_t col = first; col < first + 4; ++col) kept += read(a, dense, row, col) != 0;
      if (kept > 2) return kFailed;
    }
  }
  return enqueue(stream, [=] {
    std::memcpy(compressed, dense, static_cast<std::size_t>(a.rows * a.cols * 2));
    return 0;
  });
}
STAND_IN int cusparseLtMatmul(const void*, const void* plan, const void*, const void* a, const void* b, const void*, const void*, void* d, void*, StreamHandle* streams, int) {
  FAIL_ON("cusparseLtMatmul");
  const SparsePlan shapes = *static_cast<const SparsePlan*>(plan);
  return enqueue(streams[0], [=] {
    multiply(shapes.a, a, shapes.b, b, shapes.d, d);
    return 0;
  });
}
STAND_IN int cusparseLtMatmulSearch(const void* handle, void* plan, const void* alpha, const void* a, const void* b, const void* beta, const void* c, void* d, void* workspace,
                                    StreamHandle* streams, int count) {
  FAIL_ON("cusparseLtMatmulSearch");
  return cusparseLtMatmul(handle, plan, alpha, a, b, beta, c, d, workspace, streams, count);
}
