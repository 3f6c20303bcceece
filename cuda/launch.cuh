// Runs kernel structs on the GPU. Included by the files of cuda/kernels only; each names the kernels of one
// module:
//
//   WEFT_CUDA_KERNEL(weft::descent::RelaxRows)
//   WEFT_CUDA_COUNTED_KERNEL(weft::two_way::MarkContacts)
#pragma once
#include <cooperative_groups.h>

#include <algorithm>

#include "cuda/launch_support.h"
#include "cuda/resident.cuh"
#include "cuda/start.cuh"
#include "sim/device/cuda_hooks.h"
#include "sim/device/row_of_threads.h"

namespace weft::cuda {

// small blocks spread a cloth of 10,000 vertices over most of a large GPU
constexpr int kThreadsPerBlock = 128;

/// For `count` rows, at least one. Not (count + kThreadsPerBlock - 1) / kThreadsPerBlock: a list may have as
/// many entries as an int can tell.
inline int blocks_for(int count) { return (count - 1) / kThreadsPerBlock + 1; }

/// Row of a thread. Unsigned: those of the last block, and what a stride adds to the last row, may be beyond
/// an int.
__device__ inline unsigned first_row() { return blockIdx.x * unsigned(kThreadsPerBlock) + threadIdx.x; }

/// Whether a kernel's rows are worth several threads each (sim/device/row_of_threads.h).
template <class Kernel>
HD constexpr bool long_rows() {
  return requires { Kernel::kLongRows; };
}

/// What one thread does, which has a row (parts: an eighth of one) for itself.
template <bool parts, class Kernel, class... Iteration>
__device__ inline void run_thread(const Kernel& kernel, unsigned thread, Iteration... k) {
  if constexpr (parts) kernel.template row<RowOfThreads>(int(thread / RowOfThreads::kThreads), k...);
  else kernel(int(thread), k...);
}

template <class Kernel, bool parts = false>
__global__ void __launch_bounds__(kThreadsPerBlock)
    run_kernel(const __grid_constant__ Kernel kernel, int threads) {
  const unsigned i = first_row();
  if (i < unsigned(threads)) run_thread<parts>(kernel, i);
}

/// The count is read on the device, so that the grid's size is not known: a grid that fills the GPU strides
/// over it.
template <class Kernel>
__global__ void __launch_bounds__(kThreadsPerBlock)
    run_counted_kernel(const __grid_constant__ Kernel kernel, const int* count, int capacity) {
  const unsigned end = unsigned(max(0, min(*count, capacity)));
  const unsigned stride = gridDim.x * unsigned(kThreadsPerBlock);
  for (unsigned i = first_row(); i < end; i += stride) kernel(int(i));
}

template <class Kernel>
void launch(Device& device, const char* name, int count, const Kernel& kernel) {
  static_assert(sizeof(Kernel) <= 4000, "kernel parameters have 4 KB");
  const LaunchScope scope(device, name);
  const auto start_threads = [&](auto function, int threads) {
    scope.check(
        start(scope.stream(), unsigned(blocks_for(threads)), kThreadsPerBlock, function, kernel, threads));
  };
  if constexpr (long_rows<Kernel>())
    if (scope.shares_rows(count))
      return start_threads(run_kernel<Kernel, true>, count * RowOfThreads::kThreads);
  start_threads(run_kernel<Kernel>, count);
}

template <class Kernel>
void launch_counted(Device& device, const char* name, const int* count, int capacity, const Kernel& kernel) {
  static_assert(sizeof(Kernel) <= 4000, "kernel parameters have 4 KB");
  const LaunchScope scope(device, name);
  const unsigned blocks = unsigned(std::min(blocks_for(capacity), scope.full_grid(kThreadsPerBlock)));
  scope.check(
      start(scope.stream(), blocks, kThreadsPerBlock, run_counted_kernel<Kernel>, kernel, count, capacity));
}

template <class Kernel, bool parts = false>
__global__ void __launch_bounds__(kThreadsPerBlock)
    run_iteration_kernel(const __grid_constant__ Kernel kernel, int threads, int k) {
  const unsigned i = first_row();
  if (i < unsigned(threads)) run_thread<parts>(kernel, i, k);
}

/// All iterations in one launch, with a barrier of the whole grid after each. The grid is no larger than the
/// GPU keeps resident.
template <class Kernel, bool parts = false>
__global__ void __launch_bounds__(kThreadsPerBlock)
    run_cooperative_kernel(const __grid_constant__ Kernel kernel, int threads, int iterations) {
  const auto grid = cooperative_groups::this_grid();
  const unsigned stride = gridDim.x * unsigned(kThreadsPerBlock);
  for (int k = 0; k < iterations; ++k) {
    if (k > 0) grid.sync();
    for (unsigned i = first_row(); i < unsigned(threads); i += stride) run_thread<parts>(kernel, i, k);
  }
}

template <class Kernel, class Function>
void launch_cooperative(const LaunchScope& scope, int threads, int iterations, const Kernel& kernel,
                        Function function) {
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(unsigned(std::min(
      blocks_for(threads), scope.resident_grid(reinterpret_cast<const void*>(function), kThreadsPerBlock))));
  config.blockDim = dim3(kThreadsPerBlock);
  config.stream = scope.stream();
  config.attrs = &together;
  config.numAttrs = 1;
  scope.check(cudaLaunchKernelEx(&config, function, kernel, threads, iterations));
}

/// Returns the number of launches.
template <class Kernel>
int launch_iterated(Device& device, const char* name, int count, int iterations, const Kernel& kernel) {
  static_assert(sizeof(Kernel) <= 4000, "kernel parameters have 4 KB");
  const LaunchScope scope(device, name);
  if constexpr (requires { kernel.moved(0, 0, nullptr, nullptr); })
    if (count <= kResidentRows && iterations > 1 && scope.may_be_resident(resident_bytes(count))) {
      launch_resident(scope, count, iterations, kernel);
      return 1;
    }
  const auto start_threads = [&](auto together, auto alone, int threads) {
    if (iterations > 1 && scope.may_be_cooperative()) {
      launch_cooperative(scope, threads, iterations, kernel, together);
      return 1;
    }
    for (int k = 0; k < iterations; ++k)
      scope.check(
          start(scope.stream(), unsigned(blocks_for(threads)), kThreadsPerBlock, alone, kernel, threads, k));
    return iterations;
  };
  if constexpr (long_rows<Kernel>())
    if (scope.shares_rows(count))
      return start_threads(run_cooperative_kernel<Kernel, true>, run_iteration_kernel<Kernel, true>,
                           count * RowOfThreads::kThreads);
  return start_threads(run_cooperative_kernel<Kernel>, run_iteration_kernel<Kernel>, count);
}

}  // namespace weft::cuda

// How a kernel struct is launched, named by its full name (templates with commas are welcome), at global
// scope, without a semicolon. One line for each way, since each costs nvcc as much as the kernel itself; a
// way that is missing is an undefined reference at link time.

/// By launch().
#define WEFT_CUDA_KERNEL(...) \
  template void weft::cuda::launch<__VA_ARGS__>(weft::Device&, const char*, int, const __VA_ARGS__&);
/// By launch_counted().
#define WEFT_CUDA_COUNTED_KERNEL(...)                                                                \
  template void weft::cuda::launch_counted<__VA_ARGS__>(weft::Device&, const char*, const int*, int, \
                                                        const __VA_ARGS__&);
/// By launch_iterated().
#define WEFT_CUDA_ITERATED_KERNEL(...)                                                        \
  template int weft::cuda::launch_iterated<__VA_ARGS__>(weft::Device&, const char*, int, int, \
                                                        const __VA_ARGS__&);
