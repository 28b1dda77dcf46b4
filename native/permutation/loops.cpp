#include "permutation/loops.h"

#include "device/cpu_features.h"

namespace hinm {
namespace {

const Loops& choose() {
  const device::CpuFeatures& features = device::cpu_features();
  if (features.avx512 && avx512_loops() != nullptr) return *avx512_loops();
  if (features.avx2 && avx2_loops() != nullptr) return *avx2_loops();
  if (features.neon && neon_loops() != nullptr) return *neon_loops();
  return plain_loops();
}

}  // namespace

const Loops& loops() {
  static const Loops& chosen = choose();
  return chosen;
}

}  // namespace hinm
