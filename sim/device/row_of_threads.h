// A row of a kernel by several threads of a GPU, for rows with dozens of entries of which a GPU has too few
// to hide how long it waits for each entry. The kernel's body stays one: a template over the access L
// (lanes.h), which sums over entries as
//
//   for (o = first + RowParts<L>::part(); o < end; o += RowParts<L>::kCount) sum = sum + ...;
//   sum = RowParts<L>::total(sum);
//
// A kernel with `template <class L> row(i, ...)` of this form says so by `static constexpr bool kLongRows =
// true`.
#pragma once
#include "sim/device/lanes.h"

namespace weft {

constexpr int kThreadsPerRow = 8;  // of a GPU

/// Share of a row's entries that one call of the body sums: all of them.
template <class L>
struct RowParts {
  static constexpr int kCount = 1;
  HD static int part() { return 0; }
  template <class R>
  HD static const R& total(const R& sum) {
    return sum;
  }
  /// Stores what only this call computes: an entry of its share.
  template <class R>
  HD static void store_own(float* p, const R& value) {
    L::store(p, value);
  }
  /// What is to be counted once: by the call that has the row's first share.
  template <class R>
  HD static const R& once(const R& value) {
    return value;
  }
  /// Bits that any call has found.
  HD static unsigned all(unsigned bits) { return bits; }
};

#if defined(__CUDACC__) || defined(__CUDA_ARCH__)  // nvcc, or the double of its runtime in the tests
/// Access for one row by eight threads in a row of a warp: thread t has row t / 8. The first of them stores.
struct RowOfThreads : OneRow {
  static constexpr int kThreads = kThreadsPerRow;
  HD static int part() {
#ifdef __CUDA_ARCH__
    return int(threadIdx.x % kThreads);
#else
    return 0;  // nvcc's pass for the host, which runs none of this
#endif
  }
  // All threads of a row come to each store, together.
  HD static void store(float* p, Real v) {
    meet();
    if (part() == 0) *p = v;
  }
  HD static void store_rows(vec3* v, const Vec3<Real>& a) {
    meet();
    if (part() == 0) *v = vec3(a.x, a.y, a.z);
  }
  HD static void store3(float* p, const Vec3<Real>& a) {
    meet();
    if (part() == 0) OneRow::store3(p, a);
  }
  /// What threads of the row have read before, they have read before any of them writes afterwards: shuffles
  /// order no memory.
  HD static void meet() {
#ifdef __CUDA_ARCH__
    __syncwarp(row_mask());
#endif
  }
  /// The threads of this one's row, as bits of the warp.
  __device__ static unsigned row_mask() {
    return ((1u << kThreads) - 1) << (threadIdx.x % 32 / kThreads * kThreads);
  }
  /// What the first thread of the row has, in all of them, ordered as a store is.
  __device__ static vec3 of_first(const Vec3<Real>& a) {
    const unsigned row = row_mask();
    meet();
    return {__shfl_sync(row, a.x, 0, kThreads), __shfl_sync(row, a.y, 0, kThreads),
            __shfl_sync(row, a.z, 0, kThreads)};
  }
};

template <>
struct RowParts<RowOfThreads> {
  static constexpr int kCount = RowOfThreads::kThreads;
  HD static int part() { return RowOfThreads::part(); }
  HD static Vec3<float> total(Vec3<float> sum) {
#ifdef __CUDA_ARCH__
    const unsigned row = RowOfThreads::row_mask();
    for (int way = kCount / 2; way > 0; way /= 2) {
      sum.x += __shfl_xor_sync(row, sum.x, way);
      sum.y += __shfl_xor_sync(row, sum.y, way);
      sum.z += __shfl_xor_sync(row, sum.z, way);
    }
#endif
    return sum;
  }
  HD static float total(float sum) {
#ifdef __CUDA_ARCH__
    const unsigned row = RowOfThreads::row_mask();
    for (int way = kCount / 2; way > 0; way /= 2) sum += __shfl_xor_sync(row, sum, way);
#endif
    return sum;
  }
  HD static void store_own(float* p, float value) { *p = value; }
  HD static int total(int sum) {
#ifdef __CUDA_ARCH__
    const unsigned row = RowOfThreads::row_mask();
    for (int way = kCount / 2; way > 0; way /= 2) sum += __shfl_xor_sync(row, sum, way);
#endif
    return sum;
  }
  HD static Vec3<float> once(const Vec3<float>& value) { return part() == 0 ? value : Vec3<float>{0, 0, 0}; }
  HD static float once(float value) { return part() == 0 ? value : 0.0f; }
  HD static unsigned all(unsigned bits) {
#ifdef __CUDA_ARCH__
    const unsigned row = RowOfThreads::row_mask();
    for (int way = kCount / 2; way > 0; way /= 2) bits |= __shfl_xor_sync(row, bits, way);
#endif
    return bits;
  }
};
#endif

}  // namespace weft
