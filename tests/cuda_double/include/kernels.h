// Included before every .cu file that a host compiler reads: what nvcc knows by itself. See ../double.h.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include "tests/cuda_double/double.h"

#define __launch_bounds__(...)
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 900
#endif

using std::max;
using std::min;

inline float* dynamic_shared() { return reinterpret_cast<float*>(cuda_double::shared_memory()); }
inline void __syncthreads() { cuda_double::barrier(cuda_double::Group::block); }
inline void __syncwarp(unsigned mask = ~0u) { cuda_double::warp_barrier(mask); }
// Of threads `width` (a power of two) in a row; values of four bytes.
template <class T>
T __shfl_sync(unsigned mask, T value, int from, int width = 32) {
  const unsigned lane = threadIdx.x % 32 / unsigned(width) * unsigned(width) + unsigned(from);
  return std::bit_cast<T>(cuda_double::shuffle(mask, std::bit_cast<uint32_t>(value), lane));
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int other) {
  return std::bit_cast<T>(
      cuda_double::shuffle(mask, std::bit_cast<uint32_t>(value), threadIdx.x % 32 ^ unsigned(other)));
}
inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
  cuda_double::set_condition(handle, value);
}

template <class T>
T atomicAdd(T* at, T value) {
  return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
}
inline int atomicOr(int* at, int bits) { return __atomic_fetch_or(at, bits, __ATOMIC_RELAXED); }
inline int atomicMax(int* at, int value) {
  int old = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (old < value &&
         !__atomic_compare_exchange_n(at, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
  return old;
}
inline int atomicMin(int* at, int value) {
  int old = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (value < old &&
         !__atomic_compare_exchange_n(at, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
  return old;
}
inline int __float_as_int(float f) { return __builtin_bit_cast(int, f); }
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __clz(int bits) { return bits == 0 ? 32 : __builtin_clz(unsigned(bits)); }

namespace cuda_double {

/// Kernels by the type of their first parameter: the struct that cuda/launch.cuh runs.
template <class First = void, class...>
struct Known {
  static const char* name() { return __PRETTY_FUNCTION__; }
  inline static const bool noted = note_kernel(name());
};
template <class First, class Second, class... Rest>
struct Known<First, Second, Rest...> : Known<First> {};

}  // namespace cuda_double

template <class... Parameters, class... From>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* c, void (*kernel)(Parameters...), From&&... from) {
  using Known = cuda_double::Known<Parameters...>;
  (void)Known::noted;
  // Arguments are copied when the launch is queued, as CUDA does.
  return cuda_double::launch(*c, reinterpret_cast<const void*>(kernel), Known::name(),
                             [kernel, ... copies = Parameters(from)] { kernel(copies...); });
}

template <class... Parameters>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(Parameters...)) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
