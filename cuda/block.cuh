// Kernels of sim/grid/launch_blocks.h: a thread block per block of the grid, its tile in shared memory.
// Included by files of cuda/kernels.
#pragma once
#include "cuda/launch.cuh"
#include "sim/grid/launch_blocks.h"

namespace weft::cuda {

constexpr int kBlockThreads = 256;  // at most; a thread takes several elements where there are more

template <class Kernel>
__global__ void __launch_bounds__(kBlockThreads)
    run_block_kernel(const __grid_constant__ Kernel kernel, int count) {
  constexpr int W = Kernel::kWidth;
  using Shape = TileShape<W>;
  const int row = int(blockIdx.x);
  if (row >= count) return;
  typename Kernel::Tile& tile = *reinterpret_cast<typename Kernel::Tile*>(dynamic_shared());
  constexpr int wide = W + 4;
  for (int i = int(threadIdx.x); i < wide * wide; i += int(blockDim.x))
    kernel.load(tile, row, i % wide - 2, i / wide - 2);
  __syncthreads();
  const int phases = kernel.phases();
  for (int p = 0; p < phases; ++p) {
    const PhaseKind kind = kernel.kind(tile, p);  // the same for all threads
    if (kind == PhaseKind::none) continue;
    const int low = kind == PhaseKind::cells ? -1 : 0, n = W - low;
    for (int i = int(threadIdx.x); i < n * n; i += int(blockDim.x))
      kernel.template run<OneRow>(tile, row, p, Shape::element(low + i % n, low + i / n));
    __syncthreads();
  }
  for (int i = int(threadIdx.x); i < W * W; i += int(blockDim.x)) kernel.store(tile, row, i % W, i / W);
}

template <class Kernel>
void launch_blocks(Device& device, const char* name, int count, const Kernel& kernel) {
  static_assert(sizeof(Kernel) <= 4000, "kernel parameters have 4 KB");
  const LaunchScope scope(device, name);
  const auto function = run_block_kernel<Kernel>;
  scope.allow_shared(reinterpret_cast<const void*>(function));
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(unsigned(count));
  config.blockDim = dim3(unsigned(std::min(kBlockThreads, Kernel::kWidth * Kernel::kWidth)));
  config.dynamicSmemBytes = sizeof(typename Kernel::Tile);
  config.stream = scope.stream();
  scope.check(cudaLaunchKernelEx(&config, function, kernel, count));
}

}  // namespace weft::cuda

/// Makes `launch_blocks` of one kernel struct. At global scope, no semicolon after it.
#define WEFT_CUDA_BLOCK_KERNEL(...) \
  template void weft::cuda::launch_blocks<__VA_ARGS__>(weft::Device&, const char*, int, const __VA_ARGS__&);
