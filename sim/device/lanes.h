// Kernels that run 16 rows side by side on the CPU and one row per thread on the GPU, from one body. The body is a
// template over the number type: `float`, or `Pack`, 16 floats in vector registers.
#pragma once
#if defined(__AVX512F__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

#include "sim/base/math.h"
#include "sim/base/span.h"

namespace weft {

constexpr int kLanes = 16;  // one AVX-512 register
HD inline int padded_rows(int rows) { return (rows + kLanes - 1) / kLanes * kLanes; }
/// Where component c of item i lies when n components of 16 items are interleaved.
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
HD inline R dot(const Vec3<R>& a, const Vec3<R>& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

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
  HD static Vec3<Real> gather(const vec3* v, const int* index) { return {v[*index].x, v[*index].y, v[*index].z}; }
  HD static Vec3<Real> rows(const vec3* v) { return {v->x, v->y, v->z}; }
  HD static void store_rows(vec3* v, const Vec3<Real>& a) { *v = vec3(a.x, a.y, a.z); }
  HD static Vec3<Real> load3(const float* p) { return {p[0], p[kLanes], p[2 * kLanes]}; }
  HD static void store3(float* p, const Vec3<Real>& a) { p[0] = a.x, p[kLanes] = a.y, p[2 * kLanes] = a.z; }
};

#ifdef __CUDACC__
// nvcc refuses vector types in templates that are also compiled for the device. It never runs 16 rows at a time:
// `launch` is the host compiler's alone (launch.h).
struct SixteenRows : OneRow {};
#else
/// Access for 16 consecutive rows; host only. Pointers are those of the first row.
struct SixteenRows {
  using Real = Pack;
  static Real splat(float v) { return Pack{} + v; }
  static Real load(const float* p) {
    Real v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
  }
  static void store(float* p, const Real& v) { __builtin_memcpy(p, &v, sizeof v); }
  static Real root(const Real& v) {
#if defined(__AVX512F__) && !defined(__CUDACC__)
    return Real(_mm512_maskz_sqrt_ps(__mmask16(0xffff), __m512(v)));
#else
    Real r;
    for (int l = 0; l < kLanes; ++l) r[l] = __builtin_sqrtf(v[l]);
    return r;
#endif
  }
  static Real larger(const Real& a, const Real& b) { return a > b ? a : b; }
  static Real smaller(const Real& a, const Real& b) { return a < b ? a : b; }
  static Real where(const Real& flag, const Real& v) { return flag > 0.0f ? v : Pack{}; }
  static Vec3<Real> gather(const vec3* v, const int* index) {
    const float* f = &v->x;
#if defined(__AVX512F__) && !defined(__CUDACC__)
    // The compiler does not find the gather instructions by itself; they take a third of the time of single loads.
    const __m512i i = _mm512_loadu_si512(index), i3 = _mm512_add_epi32(i, _mm512_add_epi32(i, i));
    // Masked forms: the plain ones read an undefined register, which this compiler's own header is warned about.
    const __m512 zero = _mm512_setzero_ps();
    auto part = [&](const float* base) { return Real(_mm512_mask_i32gather_ps(zero, __mmask16(0xffff), i3, base, 4)); };
    return {part(f), part(f + 1), part(f + 2)};
#else
    Vec3<Real> r;
    for (int l = 0; l < kLanes; ++l) r.x[l] = f[3 * index[l]];
    for (int l = 0; l < kLanes; ++l) r.y[l] = f[3 * index[l] + 1];
    for (int l = 0; l < kLanes; ++l) r.z[l] = f[3 * index[l] + 2];
    return r;
#endif
  }
  static Vec3<Real> rows(const vec3* v) {
    const float* f = &v->x;
    Vec3<Real> r;
    for (int l = 0; l < kLanes; ++l) r.x[l] = f[3 * l], r.y[l] = f[3 * l + 1], r.z[l] = f[3 * l + 2];
    return r;
  }
  static void store_rows(vec3* v, const Vec3<Real>& a) {
    float* f = &v->x;
    for (int l = 0; l < kLanes; ++l) f[3 * l] = a.x[l], f[3 * l + 1] = a.y[l], f[3 * l + 2] = a.z[l];
  }
  static Vec3<Real> load3(const float* p) { return {load(p), load(p + kLanes), load(p + 2 * kLanes)}; }
  static void store3(float* p, const Vec3<Real>& a) { store(p, a.x), store(p + kLanes, a.y), store(p + 2 * kLanes, a.z); }
};
#endif

}  // namespace weft
