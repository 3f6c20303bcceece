// Integer atomics for kernels. There is no float atomic add on purpose: its result depends on the order of
// threads.
#pragma once
#include <cstdint>

#include "sim/base/math.h"

namespace weft {

/// Reads a value that other threads of the launch may be writing; returns one of the written values.
HD inline int atomic_read(const int* address) {
#ifdef __CUDA_ARCH__
  return *const_cast<const volatile int*>(address);
#else
  return __atomic_load_n(address, __ATOMIC_RELAXED);
#endif
}

/// For others that read or write it in the same launch.
HD inline void atomic_write(int* address, int value) {
#ifdef __CUDA_ARCH__
  *const_cast<volatile int*>(address) = value;
#else
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
#endif
}

/// Returns the old value.
HD inline int atomic_add(int* address, int value) {
#ifdef __CUDA_ARCH__
  return atomicAdd(address, value);
#else
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
#endif
}

/// The same for sums that outgrow an int.
HD inline int64_t atomic_add(int64_t* address, int64_t value) {
#ifdef __CUDA_ARCH__
  static_assert(sizeof(int64_t) == sizeof(unsigned long long));
  return int64_t(
      atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value)));
#else
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
#endif
}

/// Sets *address to the larger of the two; returns the old value.
HD inline int atomic_max(int* address, int value) {
#ifdef __CUDA_ARCH__
  return atomicMax(address, value);
#else
  int old = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (old < value &&
         !__atomic_compare_exchange_n(address, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
  return old;
#endif
}

/// Sets *address to the smaller of the two, neither of which may be negative. Does not depend on the order of
/// threads.
HD inline void atomic_min(float* address, float value) {
  static_assert(sizeof(int) == sizeof(float));  // floats that are not negative are ordered as their bits are
#ifdef __CUDA_ARCH__
  atomicMin(reinterpret_cast<int*>(address), __float_as_int(value));
#else
  float old;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  while (value < old &&
         !__atomic_compare_exchange(address, &old, &value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
#endif
}

/// Sets bits; returns the old value.
HD inline int atomic_or(int* address, int bits) {
#ifdef __CUDA_ARCH__
  return atomicOr(address, bits);
#else
  return __atomic_fetch_or(address, bits, __ATOMIC_RELAXED);
#endif
}

}  // namespace weft
