// The few vector operations that the kernels need, over Google Highway in a file that is compiled for one instruction
// set, over plain C++ elsewhere. The including file defines HINM_SIMD_NAMESPACE, and HINM_SIMD_HIGHWAY for Highway.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(HINM_SIMD_HIGHWAY)
#include <hwy/highway.h>
#endif

#if defined(__GNUC__)
#define HINM_UNROLL _Pragma("GCC unroll 16")
#define HINM_INLINE inline __attribute__((always_inline))
#define HINM_NOINLINE __attribute__((noinline))
#define HINM_PREFETCH(address) __builtin_prefetch(address)
#else
#define HINM_UNROLL
#define HINM_INLINE __forceinline
#define HINM_NOINLINE __declspec(noinline)
#define HINM_PREFETCH(address) static_cast<void>(address)
#endif

namespace hinm::kernels::HINM_SIMD_NAMESPACE {
namespace {

#if defined(HINM_SIMD_HIGHWAY)

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;
using Vec = hn::Vec<Tag>;
constexpr int lanes = HWY_LANES(float);

HINM_INLINE Vec zero() { return hn::Zero(Tag()); }
HINM_INLINE Vec load(const float* from) { return hn::Load(Tag(), from); }
HINM_INLINE Vec load_unaligned(const float* from) { return hn::LoadU(Tag(), from); }
HINM_INLINE void store(Vec v, float* to) { hn::Store(v, Tag(), to); }
HINM_INLINE void store_unaligned(Vec v, float* to) { hn::StoreU(v, Tag(), to); }
HINM_INLINE Vec add(Vec a, Vec b) { return hn::Add(a, b); }
HINM_INLINE Vec mul_add(Vec a, Vec b, Vec c) { return hn::MulAdd(a, b, c); }
/// Consecutive bfloat16 values, widened.
HINM_INLINE Vec load_wide(const std::uint16_t* from) {
  const hn::Rebind<hwy::bfloat16_t, Tag> narrow;
  return hn::PromoteTo(Tag(), hn::LoadU(narrow, reinterpret_cast<const hwy::bfloat16_t*>(from)));
}
/// table[index[i]] in lane i; the table has 64 floats.
HINM_INLINE Vec look_up(const float* table, const std::uint8_t* index) {
#if HWY_TARGET == HWY_AVX3
  const __m512i places = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(index)));
  const __m512 low = _mm512_permutex2var_ps(_mm512_load_ps(table), places, _mm512_load_ps(table + 16));
  const __m512 high = _mm512_permutex2var_ps(_mm512_load_ps(table + 32), places, _mm512_load_ps(table + 48));
  return Vec{_mm512_mask_blend_ps(_mm512_test_epi32_mask(places, _mm512_set1_epi32(32)), low, high)};
#else
  const hn::RebindToSigned<Tag> places;
  return hn::GatherIndex(Tag(), table, hn::PromoteTo(places, hn::LoadU(hn::Rebind<std::uint8_t, Tag>(), index)));
#endif
}
/// Four floats repeated in every 128-bit block; `from` is 16-byte aligned.
HINM_INLINE Vec load_four(const float* from) { return hn::LoadDup128(Tag(), from); }
/// Entry `index` of such four in every lane.
template <int index>
HINM_INLINE Vec broadcast(Vec four) {
  return hn::Broadcast<index>(four);
}

#else

constexpr int lanes = 4;
struct Vec {
  float v[4];
};

HINM_INLINE Vec zero() { return {{0, 0, 0, 0}}; }
HINM_INLINE Vec load(const float* from) { return {{from[0], from[1], from[2], from[3]}}; }
HINM_INLINE Vec load_unaligned(const float* from) { return load(from); }
HINM_INLINE void store(Vec a, float* to) { std::memcpy(to, a.v, sizeof a.v); }
HINM_INLINE void store_unaligned(Vec a, float* to) { store(a, to); }
HINM_INLINE Vec add(Vec a, Vec b) { return {{a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2], a.v[3] + b.v[3]}}; }
HINM_INLINE Vec mul_add(Vec a, Vec b, Vec c) {
  return {{a.v[0] * b.v[0] + c.v[0], a.v[1] * b.v[1] + c.v[1], a.v[2] * b.v[2] + c.v[2], a.v[3] * b.v[3] + c.v[3]}};
}
HINM_INLINE Vec load_wide(const std::uint16_t* from) {
  Vec wide;
  for (int i = 0; i < lanes; ++i) {
    const std::uint32_t bits = static_cast<std::uint32_t>(from[i]) << 16;
    std::memcpy(&wide.v[i], &bits, sizeof bits);
  }
  return wide;
}
HINM_INLINE Vec look_up(const float* table, const std::uint8_t* index) {
  return {{table[index[0]], table[index[1]], table[index[2]], table[index[3]]}};
}
HINM_INLINE Vec load_four(const float* from) { return load(from); }
template <int index>
HINM_INLINE Vec broadcast(Vec four) {
  return {{four.v[index], four.v[index], four.v[index], four.v[index]}};
}

#endif

}  // namespace
}  // namespace hinm::kernels::HINM_SIMD_NAMESPACE
