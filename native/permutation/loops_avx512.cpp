// The inner loops for AVX-512.
#include "permutation/loops.h"

#if defined(HINM_HAS_HIGHWAY) && defined(__AVX512F__)
#define HINM_LOOPS_NAMESPACE loops_avx512
#include "permutation/loops_simd.h"

namespace hinm {
const Loops* avx512_loops() { return &loops_avx512::table(); }
}  // namespace hinm
#else
namespace hinm {
const Loops* avx512_loops() { return nullptr; }
}  // namespace hinm
#endif
