// The inner loops for AVX2.
#include "permutation/loops.h"

#if defined(HINM_HAS_HIGHWAY) && defined(__AVX2__)
#define HINM_LOOPS_NAMESPACE loops_avx2
#include "permutation/loops_simd.h"

namespace hinm {
const Loops* avx2_loops() { return &loops_avx2::table(); }
}  // namespace hinm
#else
namespace hinm {
const Loops* avx2_loops() { return nullptr; }
}  // namespace hinm
#endif
