// The inner loops for 64-bit ARM.
#include "permutation/loops.h"

#if defined(HINM_HAS_HIGHWAY) && defined(__ARM_NEON) && defined(__aarch64__)
#define HINM_LOOPS_NAMESPACE loops_neon
#include "permutation/loops_simd.h"

namespace hinm {
const Loops* neon_loops() { return &loops_neon::table(); }
}  // namespace hinm
#else
namespace hinm {
const Loops* neon_loops() { return nullptr; }
}  // namespace hinm
#endif
