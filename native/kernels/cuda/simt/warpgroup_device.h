// Warpgroup multiplication on sm_90a: A and metadata in registers, B in shared memory behind a descriptor.
#pragma once

#include <cstdint>

namespace hinm::simt {

SIMT_DEVICE void warpgroup_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
SIMT_DEVICE void warpgroup_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

/// While groups stay in flight the accumulators must not be touched, not even by an empty asm: ptxas would serialise.
template <int Groups, int Registers>
SIMT_DEVICE void warpgroup_wait(float (&d)[Registers]) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Groups) : "memory");
  if constexpr (Groups == 0) {
    SIMT_UNROLL
    for (int i = 0; i < Registers; ++i) asm volatile("" : "+f"(d[i])::"memory");
  }
}
template <int Registers>
SIMT_DEVICE void give_registers_back() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}
template <int Registers>
SIMT_DEVICE void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}

// Operand lists of 32, 64 and 128 accumulators: their numbers in the instruction, then the registers behind them.
#define HINM_TEN(p) "%" p "0,%" p "1,%" p "2,%" p "3,%" p "4,%" p "5,%" p "6,%" p "7,%" p "8,%" p "9,"
#define HINM_NUMBERS_32 HINM_TEN("") HINM_TEN("1") HINM_TEN("2") "%30,%31"
#define HINM_NUMBERS_64 HINM_TEN("") HINM_TEN("1") HINM_TEN("2") HINM_TEN("3") HINM_TEN("4") HINM_TEN("5") "%60,%61,%62,%63"
#define HINM_NUMBERS_128                                                                                                 \
  HINM_TEN("") HINM_TEN("1") HINM_TEN("2") HINM_TEN("3") HINM_TEN("4") HINM_TEN("5") HINM_TEN("6") HINM_TEN("7")         \
      HINM_TEN("8") HINM_TEN("9") HINM_TEN("10") HINM_TEN("11") "%120,%121,%122,%123,%124,%125,%126,%127"
#define HINM_FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define HINM_SIXTEEN(i) HINM_FOUR(i), HINM_FOUR(i + 4), HINM_FOUR(i + 8), HINM_FOUR(i + 12)
#define HINM_REGISTERS_32 HINM_SIXTEEN(0), HINM_SIXTEEN(16)
#define HINM_REGISTERS_64 HINM_REGISTERS_32, HINM_SIXTEEN(32), HINM_SIXTEEN(48)
#define HINM_REGISTERS_128 HINM_REGISTERS_64, HINM_SIXTEEN(64), HINM_SIXTEEN(80), HINM_SIXTEEN(96), HINM_SIXTEEN(112)

// The four A registers, descriptor and metadata follow the accumulators; 1, 1 keep the signs, the last 1 says that B
// lies with n contiguous. The accumulators are always added to: the kernel starts them at zero.
#define HINM_WARPGROUP_SPARSE(N, COUNT, TYPE, A0, A1, A2, A3, DESCRIPTOR, METADATA, SELECTOR)                             \
  asm volatile("wgmma.mma_async.sp.sync.aligned.m64n" #N "k32.f32." TYPE "." TYPE " {" HINM_NUMBERS_##COUNT               \
               "}, {%" #A0 ",%" #A1 ",%" #A2 ",%" #A3 "}, %" #DESCRIPTOR ", %" #METADATA ", %" #SELECTOR                  \
               ", 1, 1, 1, 1;\n"                                                                                          \
               : HINM_REGISTERS_##COUNT                                                                                   \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor), "r"(metadata), "n"(Selector))
#define HINM_WARPGROUP_DENSE(N, COUNT, TYPE, A0, A1, A2, A3, DESCRIPTOR)                                                  \
  asm volatile("wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." TYPE "." TYPE " {" HINM_NUMBERS_##COUNT                  \
               "}, {%" #A0 ",%" #A1 ",%" #A2 ",%" #A3 "}, %" #DESCRIPTOR ", 1, 1, 1, 1;\n"                                \
               : HINM_REGISTERS_##COUNT                                                                                   \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor))

/// d += A·B for 64 rows and 2·Registers columns over 32 logical, 16 kept columns of A; asynchronous until the wait.
template <int Selector, ValueType Type, int Registers>
SIMT_DEVICE void warpgroup_multiply_sparse(float (&d)[Registers], const std::uint32_t (&a)[4], std::uint64_t descriptor,
                                           std::uint32_t metadata) {
  constexpr bool bf16 = Type == ValueType::bf16;
  static_assert(Registers == 32 || Registers == 64 || Registers == 128, "64, 128 or 256 columns");
  if constexpr (Registers == 32 && bf16) {
    HINM_WARPGROUP_SPARSE(64, 32, "bf16", 32, 33, 34, 35, 36, 37, 38);
  } else if constexpr (Registers == 32) {
    HINM_WARPGROUP_SPARSE(64, 32, "f16", 32, 33, 34, 35, 36, 37, 38);
  } else if constexpr (Registers == 64 && bf16) {
    HINM_WARPGROUP_SPARSE(128, 64, "bf16", 64, 65, 66, 67, 68, 69, 70);
  } else if constexpr (Registers == 64) {
    HINM_WARPGROUP_SPARSE(128, 64, "f16", 64, 65, 66, 67, 68, 69, 70);
  } else if constexpr (bf16) {
    HINM_WARPGROUP_SPARSE(256, 128, "bf16", 128, 129, 130, 131, 132, 133, 134);
  } else {
    HINM_WARPGROUP_SPARSE(256, 128, "f16", 128, 129, 130, 131, 132, 133, 134);
  }
}

/// The same over 16 columns of A, all of them kept.
template <ValueType Type, int Registers>
SIMT_DEVICE void warpgroup_multiply_dense(float (&d)[Registers], const std::uint32_t (&a)[4], std::uint64_t descriptor) {
  constexpr bool bf16 = Type == ValueType::bf16;
  static_assert(Registers == 32 || Registers == 64 || Registers == 128, "64, 128 or 256 columns");
  if constexpr (Registers == 32 && bf16) {
    HINM_WARPGROUP_DENSE(64, 32, "bf16", 32, 33, 34, 35, 36);
  } else if constexpr (Registers == 32) {
    HINM_WARPGROUP_DENSE(64, 32, "f16", 32, 33, 34, 35, 36);
  } else if constexpr (Registers == 64 && bf16) {
    HINM_WARPGROUP_DENSE(128, 64, "bf16", 64, 65, 66, 67, 68);
  } else if constexpr (Registers == 64) {
    HINM_WARPGROUP_DENSE(128, 64, "f16", 64, 65, 66, 67, 68);
  } else if constexpr (bf16) {
    HINM_WARPGROUP_DENSE(256, 128, "bf16", 128, 129, 130, 131, 132);
  } else {
    HINM_WARPGROUP_DENSE(256, 128, "f16", 128, 129, 130, 131, 132);
  }
}

}  // namespace hinm::simt
