// The emulated side of simt.h. Each function does what the instruction does on the device and checks what the device
// leaves undefined; the first fault stops the launch with a sentence.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/cuda/emulator/machine.h"
#include "kernels/cuda/number_formats.h"

#define SIMT_DEVICE inline
#define SIMT_UNROLL
#define __launch_bounds__(...)

namespace hinm::simt {

using hinm::cuda::ValueType;

inline int thread_index() { return Machine::current().thread(); }
inline int block_x() { return static_cast<int>(Machine::current().block().x); }
inline int block_y() { return static_cast<int>(Machine::current().block().y); }
inline int block_z() { return static_cast<int>(Machine::current().block().z); }
inline int grid_x() { return static_cast<int>(Machine::current().grid().x); }
inline int grid_y() { return static_cast<int>(Machine::current().grid().y); }
inline int grid_z() { return static_cast<int>(Machine::current().grid().z); }

/// Offset from the start of the block's shared memory, as descriptors hold it.
inline std::uint32_t shared_address(const void* pointer) { return static_cast<std::uint32_t>(Machine::current().shared().offset(pointer)); }
inline char* dynamic_shared_memory() { return Machine::current().shared().base(); }

inline void block_barrier() { Machine::current().block_barrier(); }
inline void warp_barrier() { Machine::current().warp_barrier(); }
template <int Id, int Threads>
inline void named_barrier() {
  Machine::current().named_barrier(Id, Threads);
}
inline void device_fence() { Machine::current().device_fence(); }
std::uint32_t atomic_increment(std::uint32_t* counter);
/// The value that `lane` of the caller's warp brought.
int shuffle(int value, int lane);

/// 16 bytes from global to shared memory, zeros where not valid; undefined until waited for.
void copy_async(void* destination, const void* source, bool valid);
void copy_async_commit();
void wait_for_copies(int groups_left);
template <int Groups>
inline void copy_async_wait() {
  wait_for_copies(Groups);
}

/// Four 8×8 matrices of 16-bit values; lane l names row l % 8 of matrix l / 8 and gets, of each, rows 2t and 2t+1 of column g.
void load_matrix_transposed(std::uint32_t (&r)[4], const void* row);
void load_shared(std::uint32_t (&r)[4], const void* source);
std::uint32_t load_shared(const void* source);
void store_shared(void* destination, std::uint32_t value);
void store_shared(float* destination, float first, float second);
void load_shared(float (&pair)[2], const float* source);

template <class T>
inline T load_global(const T* source) {
  return Machine::current().check_global(source, sizeof(T), alignof(T), false, "a load") ? *source : T{};
}
/// Two floats that another block has published.
void load_other_block(float (&pair)[2], const float* source);
template <class T>
inline void store_global(T* destination, T value) {
  if (Machine::current().check_global(destination, sizeof(T), alignof(T), true, "a store")) *destination = value;
}
inline void store_global(float* destination, float first, float second) {
  if (!Machine::current().check_global(destination, 8, 8, true, "a store of two floats")) return;
  destination[0] = first;
  destination[1] = second;
}

template <ValueType Type>
inline std::uint32_t pack_pair(float first, float second) {
  return hinm::cuda::encode(Type, first) | static_cast<std::uint32_t>(hinm::cuda::encode(Type, second)) << 16;
}
template <ValueType Type>
inline float to_float(std::uint16_t bits) {
  return hinm::cuda::decode(Type, bits);
}
inline float error_function(float x) { return std::erf(x); }

void multiply(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t* b, std::uint32_t metadata, int selector, bool sparse, ValueType type);
/// d += A·B, m16n8k32, A 2:4 with its ordered metadata.
template <int Selector, ValueType Type>
inline void multiply_sparse(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[4], std::uint32_t metadata) {
  multiply(d, a, b, metadata, Selector, true, Type);
}
/// d += A·B, m16n8k16, A dense.
template <ValueType Type>
inline void multiply_dense(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
  const std::uint32_t b[2] = {b0, b1};
  multiply(d, a, b, 0, 0, false, Type);
}

/// mbarrier.init: a phase ends after `count` arrivals and all expected bytes.
void phase_barrier_start(std::uint64_t* barrier, int count);
inline void phase_barrier_publish() {}
void phase_barrier_arrive(std::uint64_t* barrier);
/// mbarrier.expect_tx: the running phase also waits for so many bytes of bulk copies.
void phase_barrier_expect(std::uint64_t* barrier, int bytes);
/// Waits until the phase of this parity has ended.
void phase_barrier_wait(std::uint64_t* barrier, int parity);
/// cp.async.bulk: contiguous bytes, written through the asynchronous proxy, reported to the barrier.
void bulk_copy(void* destination, const void* source, int bytes, std::uint64_t* barrier);
/// Makes this thread's earlier generic writes visible to the tensor cores.
void fence_async_proxy();

void warpgroup_fence();
void warpgroup_commit();
void wait_for_warpgroup(int groups_left, float* d, int registers);
template <int Groups, int Registers>
inline void warpgroup_wait(float (&d)[Registers]) {
  wait_for_warpgroup(Groups, d, Registers);
}
template <int Registers>
inline void give_registers_back() {}
template <int Registers>
inline void take_registers() {}
void warpgroup_multiply(float* d, int registers, const std::uint32_t* a, std::uint64_t descriptor, std::uint32_t metadata, int selector, bool sparse,
                        ValueType type);
template <int Selector, ValueType Type, int Registers>
inline void warpgroup_multiply_sparse(float (&d)[Registers], const std::uint32_t (&a)[4], std::uint64_t descriptor, std::uint32_t metadata) {
  warpgroup_multiply(d, Registers, a, descriptor, metadata, Selector, true, Type);
}
template <ValueType Type, int Registers>
inline void warpgroup_multiply_dense(float (&d)[Registers], const std::uint32_t (&a)[4], std::uint64_t descriptor) {
  warpgroup_multiply(d, Registers, a, descriptor, 0, 0, false, Type);
}

}  // namespace hinm::simt
