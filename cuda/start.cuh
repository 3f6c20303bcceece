// A launch as a function call, which any C++ compiler can read.
#pragma once
#include <cuda_runtime_api.h>

namespace weft::cuda {

/// Queues `kernel` with so many blocks and threads in each. Its error is also CUDA's latest.
template <class... Parameters, class... Arguments>
cudaError_t start(cudaStream_t stream, unsigned blocks, unsigned threads, void (*kernel)(Parameters...),
                  const Arguments&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

}  // namespace weft::cuda
