// The clock that a kernel reads.
#pragma once
#include <cstdint>

#include "sim/base/math.h"

#if !defined(__CUDA_ARCH__) || !defined(__CUDACC__)
#include <chrono>
#endif

namespace weft {

/// Nanoseconds since some moment; the device's own, not to be compared with the host's.
HD inline int64_t clock_nanoseconds() {
#if defined(__CUDA_ARCH__) && defined(__CUDACC__)  // a GPU; the double of its runtime has the host's clock
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return int64_t(now);
#else
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
#endif
}

}  // namespace weft
