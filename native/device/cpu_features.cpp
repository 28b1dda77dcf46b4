#include "device/cpu_features.h"

#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
#include <immintrin.h>
#include <intrin.h>
#endif

namespace hinm::device {
namespace {

#if defined(_MSC_VER) && defined(_M_X64)
CpuFeatures detect() {
  int leaf1[4], leaf7[4];
  __cpuid(leaf1, 1);
  __cpuidex(leaf7, 7, 0);
  const auto bit = [](int word, int index) { return (word >> index & 1) != 0; };
  CpuFeatures features;
  if (!bit(leaf1[2], 27)) return features;  // OSXSAVE
  const unsigned long long enabled = _xgetbv(0);
  const bool aes = bit(leaf1[2], 25) && bit(leaf1[2], 1);
  const bool v3 = bit(leaf1[2], 12) && bit(leaf1[2], 29) && bit(leaf7[1], 5) && bit(leaf7[1], 8);
  const bool v4 = bit(leaf7[1], 16) && bit(leaf7[1], 17) && bit(leaf7[1], 28) && bit(leaf7[1], 30) && bit(leaf7[1], 31);
  features.avx2 = aes && v3 && (enabled & 6) == 6;
  features.avx512 = features.avx2 && v4 && (enabled & 0xE6) == 0xE6;
  return features;
}
#elif defined(__x86_64__)
CpuFeatures detect() {
  __builtin_cpu_init();
  CpuFeatures features;
  features.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("aes") &&
                  __builtin_cpu_supports("pclmul");
  features.avx512 = features.avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return features;
}
#elif defined(__aarch64__) || defined(_M_ARM64)
CpuFeatures detect() {
  CpuFeatures features;
  features.neon = true;
  return features;
}
#else
CpuFeatures detect() { return {}; }
#endif

}  // namespace

const CpuFeatures& cpu_features() {
  static const CpuFeatures features = detect();
  return features;
}

}  // namespace hinm::device
