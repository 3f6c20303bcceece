// Kernels that run 16 rows side by side on the CPU and one row per thread on the GPU, from one body. The body
// is a template over the number type: `float`, or `Pack`, 16 floats in vector registers.
#pragma once
#if defined(__AVX512F__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

#include "sim/base/math.h"
#include "sim/base/span.h"

// Out of line these would cost a kernel more than they compute, and where many kernels share a file compilers
// put them there.
#ifdef __CUDACC__
#define WEFT_INLINE HD inline
#else
#define WEFT_INLINE __attribute__((always_inline)) inline
#endif

namespace weft {

constexpr int kLanes = 16;  // one AVX-512 register
HD inline int padded_rows(int rows) { return (rows + kLanes - 1) / kLanes * kLanes; }
/// Index of component c of item i if n components of 16 items are interleaved.
HD inline int interleaved(int i, int c, int n) { return (i / kLanes * n + c) * kLanes + i % kLanes; }

#ifndef __CUDACC__
using Pack = float __attribute__((vector_size(4 * kLanes)));
#endif

template <class R>
struct Vec3 {
  R x, y, z;
  HD friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  HD friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  HD friend Vec3 operator*(const R& s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
};
template <class R>
WEFT_INLINE R dot(const Vec3<R>& a, const Vec3<R>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Access to memory for one row.
struct OneRow {
  using Real = float;
  HD static Real splat(float v) { return v; }
  HD static Real load(const float* p) { return *p; }
  HD static void store(float* p, Real v) { *p = v; }
  HD static Real root(Real v) { return sqrtf(v); }
  HD static Real larger(Real a, Real b) { return a > b ? a : b; }
  HD static Real smaller(Real a, Real b) { return a < b ? a : b; }
  /// v where flag > 0, else 0.
  HD static Real where(Real flag, Real v) { return flag > 0 ? v : 0.0f; }
  HD static Vec3<Real> gather(const vec3* v, const int* index) {
    return {v[*index].x, v[*index].y, v[*index].z};
  }
  /// v[index] of each row.
  HD static Real pick(const float* v, const int* index) { return v[*index]; }
  /// 1 where flag[index] is not 0, else 0.
  HD static Real flags(const int* flag, const int* index) { return flag[*index] ? 1.0f : 0.0f; }
  /// True if value[index] is `wanted` in any row.
  HD static bool any_is(const int* value, const int* index, int wanted) { return value[*index] == wanted; }
  HD static Vec3<Real> rows(const vec3* v) { return {v->x, v->y, v->z}; }
  HD static void store_rows(vec3* v, const Vec3<Real>& a) { *v = vec3(a.x, a.y, a.z); }
  HD static Vec3<Real> load3(const float* p) { return {p[0], p[kLanes], p[2 * kLanes]}; }
  HD static void store3(float* p, const Vec3<Real>& a) { p[0] = a.x, p[kLanes] = a.y, p[2 * kLanes] = a.z; }
};

#ifdef __CUDACC__
// nvcc refuses vector types in templates that are also compiled for the device. It never runs 16 rows at a
// time:
// `launch` is the host compiler's alone (launch.h).
struct SixteenRows : OneRow {};
#else
/// Access for 16 consecutive rows; host only. Pointers are those of the first row.
struct SixteenRows {
  using Real = Pack;
  WEFT_INLINE static Real splat(float v) { return Pack{} + v; }
  WEFT_INLINE static Real load(const float* p) {
    Real v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
  }
  WEFT_INLINE static void store(float* p, const Real& v) { __builtin_memcpy(p, &v, sizeof v); }
  WEFT_INLINE static Real root(const Real& v) {
#if defined(__AVX512F__) && !defined(__CUDACC__)
    return Real(_mm512_maskz_sqrt_ps(__mmask16(0xffff), __m512(v)));
#else
    Real r;
    for (int l = 0; l < kLanes; ++l) r[l] = __builtin_sqrtf(v[l]);
    return r;
#endif
  }
  WEFT_INLINE static Real larger(const Real& a, const Real& b) { return a > b ? a : b; }
  WEFT_INLINE static Real smaller(const Real& a, const Real& b) { return a < b ? a : b; }
  WEFT_INLINE static Real where(const Real& flag, const Real& v) { return flag > 0.0f ? v : Pack{}; }
#if defined(__AVX512F__)
  /// Reads four bytes past the last vertex; Device::allocate adds that padding.
  WEFT_INLINE static Vec3<Real> gather(const vec3* v, const int* index) {
    // Sixteen loads of four floats and a transposition take a fifth of the time of three gather instructions.
    const float* f = &v->x;
    const __m512 a = four(f, index), b = four(f, index + 1), c = four(f, index + 2), d = four(f, index + 3);
    const __m512 ab = _mm512_maskz_unpacklo_ps(kAll, a, b), cd = _mm512_maskz_unpacklo_ps(kAll, c, d);
    const __m512 ab_high = _mm512_maskz_unpackhi_ps(kAll, a, b),
                 cd_high = _mm512_maskz_unpackhi_ps(kAll, c, d);
    return {Real(_mm512_maskz_shuffle_ps(kAll, ab, cd, 0x44)),
            Real(_mm512_maskz_shuffle_ps(kAll, ab, cd, 0xee)),
            Real(_mm512_maskz_shuffle_ps(kAll, ab_high, cd_high, 0x44))};
  }
  WEFT_INLINE static Real pick(const float* v, const int* index) {
    return Real(_mm512_mask_i32gather_ps(_mm512_setzero_ps(), kAll, _mm512_loadu_si512(index), v, 4));
  }
  WEFT_INLINE static Real flags(const int* flag, const int* index) {
    const __m512i f =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), kAll, _mm512_loadu_si512(index), flag, 4);
    return Real(_mm512_maskz_mov_ps(_mm512_test_epi32_mask(f, f), _mm512_set1_ps(1)));
  }
  WEFT_INLINE static bool any_is(const int* value, const int* index, int wanted) {
    const __m512i v =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), kAll, _mm512_loadu_si512(index), value, 4);
    return _mm512_cmpeq_epi32_mask(v, _mm512_set1_epi32(wanted)) != 0;
  }
  WEFT_INLINE static Vec3<Real> rows(const vec3* v) {
    const float* f = &v->x;
    const __m512 a = _mm512_loadu_ps(f), b = _mm512_loadu_ps(f + kLanes), c = _mm512_loadu_ps(f + 2 * kLanes);
    auto part = [&](int first) {
      // Float 3 l + first of the 48: the lower 32 by one permutation, those of the third register by another.
      const __m512i index = _mm512_add_epi32(_mm512_set1_epi32(first),
                                             _mm512_mullo_epi32(_mm512_set1_epi32(3), lane_numbers()));
      const __m512 low = _mm512_permutex2var_ps(a, index, b);
      return Real(_mm512_mask_permutexvar_ps(
          low, _mm512_cmpge_epi32_mask(index, _mm512_set1_epi32(2 * kLanes)), index, c));
    };
    return {part(0), part(1), part(2)};
  }
  WEFT_INLINE static void store_rows(vec3* v, const Vec3<Real>& a) {
    float* f = &v->x;
    const __m512i three = _mm512_set1_epi32(3);
    for (int part = 0; part < 3; ++part) {
      // Float k of the 48 is component k % 3 of row k / 3; k * 43691 >> 17 is k / 3.
      const __m512i k = _mm512_add_epi32(_mm512_set1_epi32(part * kLanes), lane_numbers());
      const __m512i row = _mm512_maskz_srli_epi32(kAll, _mm512_mullo_epi32(k, _mm512_set1_epi32(43691)), 17);
      const __m512i component = _mm512_sub_epi32(k, _mm512_mullo_epi32(row, three));
      const __m512i from_xy = _mm512_add_epi32(row, _mm512_maskz_slli_epi32(kAll, component, 4));
      const __m512 xy = _mm512_permutex2var_ps(__m512(a.x), from_xy, __m512(a.y));
      const __mmask16 is_z = _mm512_cmpge_epi32_mask(component, _mm512_set1_epi32(2));
      _mm512_storeu_ps(f + part * kLanes, _mm512_mask_permutexvar_ps(xy, is_z, row, __m512(a.z)));
    }
  }
#else
  WEFT_INLINE static Vec3<Real> gather(const vec3* v, const int* index) {
    const float* f = &v->x;
    Vec3<Real> r;
    for (int l = 0; l < kLanes; ++l) r.x[l] = f[3 * index[l]];
    for (int l = 0; l < kLanes; ++l) r.y[l] = f[3 * index[l] + 1];
    for (int l = 0; l < kLanes; ++l) r.z[l] = f[3 * index[l] + 2];
    return r;
  }
  WEFT_INLINE static Real pick(const float* v, const int* index) {
    Real r;
    for (int l = 0; l < kLanes; ++l) r[l] = v[index[l]];
    return r;
  }
  WEFT_INLINE static Real flags(const int* flag, const int* index) {
    Real set;
    for (int l = 0; l < kLanes; ++l) set[l] = flag[index[l]] ? 1.0f : 0.0f;
    return set;
  }
  WEFT_INLINE static bool any_is(const int* value, const int* index, int wanted) {
    bool any = false;
    for (int l = 0; l < kLanes; ++l) any |= value[index[l]] == wanted;
    return any;
  }
  WEFT_INLINE static Vec3<Real> rows(const vec3* v) {
    const float* f = &v->x;
    Vec3<Real> r;
    for (int l = 0; l < kLanes; ++l) r.x[l] = f[3 * l], r.y[l] = f[3 * l + 1], r.z[l] = f[3 * l + 2];
    return r;
  }
  WEFT_INLINE static void store_rows(vec3* v, const Vec3<Real>& a) {
    float* f = &v->x;
    for (int l = 0; l < kLanes; ++l) f[3 * l] = a.x[l], f[3 * l + 1] = a.y[l], f[3 * l + 2] = a.z[l];
  }
#endif
  WEFT_INLINE static Vec3<Real> load3(const float* p) {
    return {load(p), load(p + kLanes), load(p + 2 * kLanes)};
  }
  WEFT_INLINE static void store3(float* p, const Vec3<Real>& a) {
    store(p, a.x), store(p + kLanes, a.y), store(p + 2 * kLanes, a.z);
  }

#if defined(__AVX512F__)
 private:
  // Masked forms throughout: the plain ones read an undefined register, which this compiler's own header is
  // warned about.
  static constexpr __mmask16 kAll = 0xffff;
  WEFT_INLINE static __m512i lane_numbers() {
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  }
  /// Vertices index[0], index[4], index[8] and index[12], one in each quarter.
  WEFT_INLINE static __m512 four(const float* f, const int* index) {
    const __m512 r = _mm512_zextps128_ps512(_mm_loadu_ps(f + 3 * index[0]));
    const __m512 s = _mm512_insertf32x4(r, _mm_loadu_ps(f + 3 * index[4]), 1);
    const __m512 t = _mm512_insertf32x4(s, _mm_loadu_ps(f + 3 * index[8]), 2);
    return _mm512_insertf32x4(t, _mm_loadu_ps(f + 3 * index[12]), 3);
  }
#endif
};
#endif

/// Rows that L runs at a time.
template <class L>
constexpr int kRowsOf = int(sizeof(typename L::Real) / sizeof(float));

template <class L>
HD inline float lane(const typename L::Real& v, int l) {
  if constexpr (kRowsOf<L> == 1) return v;
  else return v[l];
}
/// Calls change(l, v) with each row's vector, for code that runs row by row.
template <class L, class Change>
HD inline void change_rows(Vec3<typename L::Real>& v, const Change& change) {
  vec3 row[kRowsOf<L>];
  L::store_rows(row, v);
  for (int l = 0; l < kRowsOf<L>; ++l) change(l, row[l]);
  v = L::rows(row);
}

}  // namespace weft
