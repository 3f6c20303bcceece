// launch: runs a kernel, a plain struct with `HD void operator()(int i) const`. nvcc sees an empty file: it
// compiles kernels and GPU launches (cuda/launch.cuh), the host compiler everything else.
#pragma once
#include "sim/device/device.h"
#include "sim/device/lanes.h"
#ifndef __CUDACC__
#include <algorithm>

#include "sim/device/team.h"
#if WEFT_ROW_ORDER
#include "sim/device/row_order.h"
#endif

#if WEFT_CUDA
#include "sim/device/cuda_hooks.h"
#endif

namespace weft {

/// Below this many elements a parallel loop costs more than it saves: the threads of a team start and join in
/// about half a microsecond.
constexpr int kSerialCount = 128;

/// Runs body(begin, end) over [0, count) on the threads of a CPU device. Elements must be independent. The
/// division into blocks depends on the count alone, because a vectorised loop may round its last elements
/// differently.
template <class Body>
void parallel_blocks(Device& device, int count, const Body& body, int serial_count = kSerialCount) {
  if (count <= serial_count) {
    if (count > 0) body(0, count);
    return;
  }
  // several per thread, for uneven work and for threads that the system has suspended
  constexpr int kChunks = 32;
  device.team()->for_range(count, std::max({1, serial_count / 2, (count + kChunks - 1) / kChunks}), body);
}

#if defined(__clang__)
#define WEFT_ONE_COPY __attribute__((noinline))
#else
#define WEFT_ONE_COPY __attribute__((noinline, noclone))
#endif
// A loop over rows is compiled once per kernel: the compiler may contract multiplications and additions
// differently in every copy that it makes, and which copy runs must not depend on the number of threads.
template <class Kernel>
WEFT_ONE_COPY void run_rows(const Kernel& kernel, int begin, int end) {
  // a copy on this thread's stack: the compiler then knows that no store aliases it
  const Kernel local = kernel;
  for (int i = begin; i < end; ++i) local(i);
}
template <class Kernel>
WEFT_ONE_COPY void run_slices(const Kernel& kernel, int begin, int end) {
  const Kernel local = kernel;
  for (int slice = begin; slice < end; ++slice) local.sixteen(slice * kLanes);
}
template <class Kernel>
WEFT_ONE_COPY void run_slices(const Kernel& kernel, int begin, int end, int k) {
  const Kernel local = kernel;
  for (int slice = begin; slice < end; ++slice) local.sixteen(slice * kLanes, k);
}

#if WEFT_ROW_ORDER  // in every order by the same code: a row must not be rounded by where it is among others
template <class Kernel, class... Iteration>
WEFT_ONE_COPY void run_row(const Kernel& kernel, int i, Iteration... k) {
  kernel(i, k...);
}
#endif

/// Reports a launch to a device that checks replays, without padding. Returns true if the launch must not run
/// (Device::only_counts).
template <class Kernel>
bool note_launch(Device& device, const char* name, int count, int iterations,
                 [[maybe_unused]] Kernel kernel) {
  if (device.only_counts()) return true;
#if defined(__GNUC__) && !defined(__clang__)
  __builtin_clear_padding(&kernel);
  device.note(&kernel, sizeof kernel);
#endif
  device.note(&count, sizeof count);
  device.note(&iterations, sizeof iterations);
  device.note(&name, sizeof name);
  return false;
}

template <class Kernel>
void run_on_cpu([[maybe_unused]] Device& device, int count, const Kernel& kernel) {
#if WEFT_ROW_ORDER
  const RowOrder row(count);
  for (int n = 0; n < count; ++n) run_row(kernel, row(n));
#else
  if constexpr (requires { kernel.sixteen(0); })
    parallel_blocks(
        device, (count + kLanes - 1) / kLanes, [&](int begin, int end) { run_slices(kernel, begin, end); },
        kSerialCount / kLanes);
  else parallel_blocks(device, count, [&](int begin, int end) { run_rows(kernel, begin, end); });
#endif
}

/// Runs `kernel(i)` for 0 <= i < count on the chosen device. `name` is a string literal; it names the stage
/// in the profiler and in NVTX. On CUDA the call returns at once; work on one device keeps its order. A
/// kernel that also has
/// `sixteen(int first)` (lanes.h) runs 16 rows at a time on the CPU; its buffers are padded to whole slices.
template <class Kernel>
void launch(Device& device, const char* name, int count, const Kernel& kernel) {
  if (count <= 0) return;
  StageScope stage(device.profiler(), name);
  device.profiler().count_launch();
#if WEFT_CUDA
  if (device.is_cuda()) return cuda::launch(device, name, count, kernel);
#endif
  if (device.noting() && note_launch(device, name, count, 1, kernel)) return;
  if (Traffic* traffic = device.traffic()) traffic->launched(&kernel, sizeof kernel, count);
  run_on_cpu(device, count, kernel);
}

/// Runs `kernel(i, k)` for 0 <= i < count, for each k in [0, iterations) in order: iteration k sees
/// everything that the one before wrote. `kernel.sixteen(first, k)` as above. A kernel with `moved` (see
/// descent::Relax) and few enough rows runs all iterations in one launch on the GPU (cuda/resident.cuh).
template <class Kernel>
void launch_iterated(Device& device, const char* name, int count, int iterations, const Kernel& kernel) {
  if (count <= 0 || iterations <= 0) return;
  StageScope stage(device.profiler(), name);
#if WEFT_CUDA
  if (device.is_cuda())
    return device.profiler().count_launch(cuda::launch_iterated(device, name, count, iterations, kernel));
#endif
  device.profiler().count_launch();
  if (device.noting() && note_launch(device, name, count, iterations, kernel)) return;
  if (Traffic* traffic = device.traffic()) traffic->launched(&kernel, sizeof kernel, count, iterations);
#if WEFT_ROW_ORDER
  for (int k = 0; k < iterations; ++k) {
    const RowOrder row(count);
    for (int n = 0; n < count; ++n) run_row(kernel, row(n), k);
  }
#else
  // slices: about a microsecond, several times the cost of waiting for the others
  constexpr int kSmallestChunk = 8;
  device.team()->for_iterations((count + kLanes - 1) / kLanes, kSmallestChunk, iterations,
                                [&](int begin, int end, int k) { run_slices(kernel, begin, end, k); });
#endif
}

/// The same where the count lives in device memory (for example the pairs that were found in this step). Runs
/// min(*count, capacity) elements; no host round trip on CUDA.
template <class Kernel>
void launch_counted(Device& device, const char* name, Span<const int> count, int capacity,
                    const Kernel& kernel) {
  if (capacity <= 0) return;
  StageScope stage(device.profiler(), name);
  device.profiler().count_launch();
#if WEFT_CUDA
  if (device.is_cuda()) return cuda::launch_counted(device, name, count.data, capacity, kernel);
#endif
  // the count is data, not part of the sequence
  if (device.noting() && note_launch(device, name, capacity, 1, kernel)) return;
  const int rows = std::min(count[0], capacity);
  if (Traffic* traffic = device.traffic()) traffic->launched(&kernel, sizeof kernel, rows);
  run_on_cpu(device, rows, kernel);
}

}  // namespace weft
#endif
