// Iterations over few rows in one launch: every block keeps two copies of all rows in shared memory, so that
// what others wrote in the last iteration is a few nanoseconds away, and a barrier takes the place of a
// launch. Included by launch.cuh.
//
// On compute capability 9.0 and newer a cluster of eight blocks works side by side, each on its share of the
// rows, and writes what it found into all eight shared memories; older GPUs do it with one block.
// Coefficients stay in device memory: a block's share of them fits its L1 cache.
#pragma once
#include <cooperative_groups.h>

#include <algorithm>
#include <bit>

#include "cuda/launch_support.h"
#include "sim/base/math.h"
#include "sim/device/row_of_threads.h"

namespace weft::cuda {

// two copies are 96 KB; more rows are worth a launch for each iteration
constexpr int kResidentRows = 4096;
constexpr size_t resident_bytes(int count) { return 2 * size_t(count) * sizeof(vec3); }
constexpr int kResidentBlocks = 8;      // the largest cluster that every GPU with clusters takes
constexpr int kResidentThreads = 1024;  // at most, per block

#ifdef __CUDACC__  // the double of the runtime in the tests has its own
/// What the launch asked for of the block's shared memory.
__device__ inline float* dynamic_shared() {
  extern __shared__ float memory[];
  return memory;
}
#endif

/// Threads of a row.
template <class Kernel>
HD constexpr int resident_parts() {
  if constexpr (requires { Kernel::kLongRows; }) return RowOfThreads::kThreads;
  else return 1;
}
template <class Kernel>
__device__ inline vec3 resident_row(const Kernel& kernel, int i, int k, const vec3* now, const vec3* before) {
  if constexpr (resident_parts<Kernel>() > 1) {
    return RowOfThreads::of_first(kernel.template moved<RowOfThreads>(i, k, now, before));
  } else {
    return kernel.moved(i, k, now, before);
  }
}

template <class Kernel>
__global__ void __launch_bounds__(kResidentThreads)
    run_resident_kernel(const __grid_constant__ Kernel kernel, int count, int iterations) {
  constexpr int kParts = resident_parts<Kernel>();
  float* const memory = dynamic_shared();
  vec3* const copy[2] = {reinterpret_cast<vec3*>(memory), reinterpret_cast<vec3*>(memory) + count};
  const int block = int(blockIdx.x), blocks = int(gridDim.x);
  for (int i = int(threadIdx.x); i < count; i += int(blockDim.x)) {
    copy[0][i] = kernel.u[0][i];
    copy[1][i] = kernel.u[1][i];
  }
#if __CUDA_ARCH__ >= 900
  const auto cluster = cooperative_groups::this_cluster();
  cluster.sync();
#else
  __syncthreads();
#endif
  const int first = int((long long)(count)*block / blocks),
            last = int((long long)(count) * (block + 1) / blocks);
  for (int k = 0; k < iterations; ++k) {
    const vec3* const now = copy[k % 2];
    vec3* const next = copy[1 - k % 2];
    for (int t = first * kParts + int(threadIdx.x); t < last * kParts; t += int(blockDim.x)) {
      const int i = t / kParts, part = t % kParts;
      const vec3 moved = resident_row(kernel, i, k, now, next);
#if __CUDA_ARCH__ >= 900
      // Nobody reads these rows of `next` in this iteration but the threads that own them, which have read
      // them.
      for (int b = part; b < blocks; b += kParts) cluster.map_shared_rank(next, unsigned(b))[i] = moved;
#else
      if (part == 0) next[i] = moved;
#endif
    }
    // Also after the last iteration: a block must not end while others write into its memory.
#if __CUDA_ARCH__ >= 900
    cluster.sync();
#else
    __syncthreads();
#endif
  }
  for (int i = first + int(threadIdx.x); i < last; i += int(blockDim.x)) {
    kernel.u[0][i] = copy[0][i];
    kernel.u[1][i] = copy[1][i];
  }
}

/// Queues it. Call with count <= kResidentRows, and where a block can have resident_bytes(count), only.
template <class Kernel>
void launch_resident(const LaunchScope& scope, int count, int iterations, const Kernel& kernel) {
  const auto function = run_resident_kernel<Kernel>;
  scope.allow_shared(reinterpret_cast<const void*>(function));
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cudaLaunchConfig_t config{};
  config.dynamicSmemBytes = resident_bytes(count);
  config.stream = scope.stream();
  config.attrs = &cluster;
  const auto share_out = [&](int blocks) {
    cluster.val.clusterDim = {unsigned(blocks), 1, 1};
    config.gridDim = dim3(unsigned(blocks));
    const int per_block = (count + blocks - 1) / blocks * resident_parts<Kernel>();
    config.blockDim = dim3(unsigned(std::min(kResidentThreads, (per_block + 31) / 32 * 32)));
  };
  config.numAttrs = scope.has_clusters(reinterpret_cast<const void*>(function)) ? 1 : 0;
  // Clusters of 3 are not promised anywhere.
  share_out(config.numAttrs
                ? std::min(kResidentBlocks,
                           int(std::bit_ceil(unsigned(count * resident_parts<Kernel>() + 63) / 64)))
                : 1);
  if (config.numAttrs && !scope.has_room(reinterpret_cast<const void*>(function), config)) share_out(1);
  scope.check(cudaLaunchKernelEx(&config, function, kernel, count, iterations));
}

}  // namespace weft::cuda
