// The one call that runs a kernel: a plain struct with `HD void operator()(int i) const`.
//
// nvcc sees none of it: it compiles kernels and their launches on the GPU (cuda/launch.cuh), the host compiler all else.
#pragma once
#include "sim/device/device.h"
#include "sim/device/lanes.h"
#ifndef __CUDACC__
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#include <algorithm>

#if WEFT_CUDA
#include "sim/device/cuda_hooks.h"
#endif

namespace weft {

/// Below this many elements a parallel loop costs more than it saves (measured: a fork and join of two threads takes
/// 3 to 6 microseconds, as long as about 500 elements of a light kernel).
constexpr int kSerialCount = 512;

/// Runs body(begin, end) over [0, count) on the device's threads. Elements must be independent of each other.
template <class Body>
void parallel_blocks(int count, const Body& body, int serial_count = kSerialCount) {
  if (count <= serial_count) {
    if (count > 0) body(0, count);
    return;
  }
  const int grain = std::max(serial_count / 2, count / 64);
  oneapi::tbb::parallel_for(
      oneapi::tbb::blocked_range<int>(0, count, grain),
      [&](const oneapi::tbb::blocked_range<int>& r) { body(r.begin(), r.end()); }, oneapi::tbb::auto_partitioner());
}

/// Runs `kernel(i)` for 0 <= i < count on the chosen device. `name` is a string literal; it names the stage in the
/// profiler and in NVTX. On CUDA the call returns at once; work on one device keeps its order. A kernel that also has
/// `sixteen(int first)` (lanes.h) runs 16 rows at a time on the CPU; its buffers are padded to whole slices.
template <class Kernel>
void launch(Device& device, const char* name, int count, const Kernel& kernel) {
  if (count <= 0) return;
  StageScope stage(device.profiler(), name);
  device.profiler().count_launch();
#if WEFT_CUDA
  if (device.is_cuda()) return cuda::launch(device, name, count, kernel);
#endif
  if constexpr (requires { kernel.sixteen(0); }) {
    parallel_blocks((count + kLanes - 1) / kLanes, [&](int begin, int end) {
      const Kernel local = kernel;
      for (int slice = begin; slice < end; ++slice) local.sixteen(slice * kLanes);
    }, kSerialCount / kLanes);
  } else {
    parallel_blocks(count, [&](int begin, int end) {
      const Kernel local = kernel;  // a copy on this thread's stack: the compiler then knows that no store aliases it
      for (int i = begin; i < end; ++i) local(i);
    });
  }
}

/// The same where the count lives in device memory (for example the pairs that were found in this step). Runs
/// min(*count, capacity) elements; no host round trip on CUDA.
template <class Kernel>
void launch_counted(Device& device, const char* name, Span<const int> count, int capacity, const Kernel& kernel) {
  if (capacity <= 0) return;
#if WEFT_CUDA
  if (device.is_cuda()) {
    StageScope stage(device.profiler(), name);
    device.profiler().count_launch();
    return cuda::launch_counted(device, name, count.data, capacity, kernel);
  }
#endif
  launch(device, name, std::min(count[0], capacity), kernel);
}

}  // namespace weft
#endif
