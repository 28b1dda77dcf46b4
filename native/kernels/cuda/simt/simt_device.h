// The device side of simt.h: thin wrappers over PTX. See simt_emulated.h for what each one promises.
#pragma once

#include <cstdint>

#define SIMT_DEVICE __device__ __forceinline__
#define SIMT_UNROLL _Pragma("unroll")

namespace hinm::simt {

using hinm::cuda::ValueType;

SIMT_DEVICE int thread_index() { return static_cast<int>(threadIdx.x); }
SIMT_DEVICE int block_x() { return static_cast<int>(blockIdx.x); }
SIMT_DEVICE int block_y() { return static_cast<int>(blockIdx.y); }
SIMT_DEVICE int block_z() { return static_cast<int>(blockIdx.z); }
SIMT_DEVICE int grid_x() { return static_cast<int>(gridDim.x); }
SIMT_DEVICE int grid_y() { return static_cast<int>(gridDim.y); }
SIMT_DEVICE int grid_z() { return static_cast<int>(gridDim.z); }

SIMT_DEVICE std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}
SIMT_DEVICE char* dynamic_shared_memory() {
  extern __shared__ __align__(1024) char hinm_dynamic_shared[];
  return hinm_dynamic_shared;
}

SIMT_DEVICE void block_barrier() { __syncthreads(); }
SIMT_DEVICE void warp_barrier() { __syncwarp(); }
template <int Id, int Threads>
SIMT_DEVICE void named_barrier() {
  asm volatile("bar.sync %0, %1;" ::"n"(Id), "n"(Threads) : "memory");
}
SIMT_DEVICE void device_fence() { __threadfence(); }
SIMT_DEVICE std::uint32_t atomic_increment(std::uint32_t* counter) { return atomicAdd(counter, 1u); }
SIMT_DEVICE int shuffle(int value, int lane) { return __shfl_sync(0xffffffffu, value, lane); }

SIMT_DEVICE void copy_async(void* destination, const void* source, bool valid) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(destination)), "l"(source), "r"(valid ? 16 : 0)
               : "memory");
}
SIMT_DEVICE void copy_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int Groups>
SIMT_DEVICE void copy_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Groups) : "memory");
}

SIMT_DEVICE void load_matrix_transposed(std::uint32_t (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row))
               : "memory");
}
SIMT_DEVICE void load_shared(std::uint32_t (&r)[4], const void* source) {
  const uint4 loaded = *static_cast<const uint4*>(source);
  r[0] = loaded.x;
  r[1] = loaded.y;
  r[2] = loaded.z;
  r[3] = loaded.w;
}
SIMT_DEVICE std::uint32_t load_shared(const void* source) { return *static_cast<const std::uint32_t*>(source); }
SIMT_DEVICE void store_shared(void* destination, std::uint32_t value) { *static_cast<std::uint32_t*>(destination) = value; }

SIMT_DEVICE void store_shared(float* destination, float first, float second) {
  *reinterpret_cast<float2*>(destination) = make_float2(first, second);
}
SIMT_DEVICE void load_shared(float (&pair)[2], const float* source) {
  const float2 loaded = *reinterpret_cast<const float2*>(source);
  pair[0] = loaded.x;
  pair[1] = loaded.y;
}

SIMT_DEVICE int load_global(const std::int32_t* source) { return __ldg(source); }
SIMT_DEVICE float load_global(const float* source) { return __ldg(source); }
SIMT_DEVICE std::uint16_t load_global(const std::uint16_t* source) { return __ldg(source); }
SIMT_DEVICE std::uint8_t load_global(const std::uint8_t* source) { return __ldg(source); }
SIMT_DEVICE std::uint32_t load_global(const std::uint32_t* source) { return __ldg(source); }
SIMT_DEVICE void load_other_block(float (&pair)[2], const float* source) {
  const float2 loaded = __ldcg(reinterpret_cast<const float2*>(source));
  pair[0] = loaded.x;
  pair[1] = loaded.y;
}
SIMT_DEVICE void store_global(float* destination, float value) { *destination = value; }
SIMT_DEVICE void store_global(float* destination, float first, float second) {
  *reinterpret_cast<float2*>(destination) = make_float2(first, second);
}
SIMT_DEVICE void store_global(std::uint16_t* destination, std::uint16_t value) { *destination = value; }
SIMT_DEVICE void store_global(std::uint32_t* destination, std::uint32_t value) { *destination = value; }

template <ValueType Type>
SIMT_DEVICE std::uint32_t pack_pair(float first, float second) {
  std::uint32_t packed;
  if constexpr (Type == ValueType::bf16) {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(second), "f"(first));
  } else {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(second), "f"(first));
  }
  return packed;
}
template <ValueType Type>
SIMT_DEVICE float to_float(std::uint16_t bits) {
  if constexpr (Type == ValueType::bf16) return __uint_as_float(static_cast<std::uint32_t>(bits) << 16);
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
SIMT_DEVICE float error_function(float x) { return erff(x); }

// The ordered_metadata form: without it ptxas adds shuffles and doubles the instructions on sm_100 and later.
#define HINM_MMA_SPARSE(TYPE)                                                                                             \
  asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32." TYPE "." TYPE                                \
               ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, %13;"                             \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                                           \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(metadata), \
                 "n"(Selector))
template <int Selector, ValueType Type>
SIMT_DEVICE void multiply_sparse(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[4], std::uint32_t metadata) {
  if constexpr (Type == ValueType::bf16) {
    HINM_MMA_SPARSE("bf16");
  } else {
    HINM_MMA_SPARSE("f16");
  }
}
#undef HINM_MMA_SPARSE

#define HINM_MMA_DENSE(TYPE)                                                                              \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." TYPE "." TYPE                                     \
               ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                               \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                           \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1))
template <ValueType Type>
SIMT_DEVICE void multiply_dense(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
  if constexpr (Type == ValueType::bf16) {
    HINM_MMA_DENSE("bf16");
  } else {
    HINM_MMA_DENSE("f16");
  }
}
#undef HINM_MMA_DENSE

// ---- mbarriers, bulk copies and proxies (sm_90 and later)

SIMT_DEVICE void phase_barrier_start(std::uint64_t* barrier, int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count) : "memory");
}
SIMT_DEVICE void phase_barrier_publish() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
SIMT_DEVICE void phase_barrier_arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}
SIMT_DEVICE void phase_barrier_expect(std::uint64_t* barrier, int bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
}
SIMT_DEVICE void phase_barrier_wait(std::uint64_t* barrier, int parity) {
  asm volatile(
      "{\n"
      " .reg .pred done;\n"
      " again:\n"
      " mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
      " @!done bra again;\n"
      "}" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}
SIMT_DEVICE void bulk_copy(void* destination, const void* source, int bytes, std::uint64_t* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(destination)),
               "l"(source), "r"(bytes), "r"(shared_address(barrier))
               : "memory");
}
SIMT_DEVICE void fence_async_proxy() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

}  // namespace hinm::simt

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#include "kernels/cuda/simt/warpgroup_device.h"
#endif
