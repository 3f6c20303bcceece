#include "cuda/launch_support.h"

#include <nvtx3/nvToolsExt.h>

#include "cuda/check.h"
#include "cuda/cuda_device.h"

namespace weft::cuda {

LaunchScope::LaunchScope(Device& device, const char* name)
    : device_(device), name_(name), stream_(static_cast<cudaStream_t>(device.stream())) {
  nvtxRangePushA(name);
}

LaunchScope::~LaunchScope() { nvtxRangePop(); }

int LaunchScope::full_grid(int threads_per_block) const {
  constexpr int kThreadsPerMultiprocessor = 2048;  // most that any architecture keeps resident
  return cuda_device(device_).multiprocessors() * (kThreadsPerMultiprocessor / threads_per_block);
}

void LaunchScope::check() const { cuda::check(cudaGetLastError(), name_); }

}  // namespace weft::cuda
