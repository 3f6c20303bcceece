#include "cuda/launch_support.h"

#include <algorithm>

#include "cuda/check.h"
#include "cuda/cuda_device.h"
#include "sim/device/row_of_threads.h"

namespace weft::cuda {

LaunchScope::LaunchScope(Device& device, const char* name)
    : device_(device), name_(name), stream_(static_cast<cudaStream_t>(device.stream())) {}

int LaunchScope::full_grid(int threads_per_block) const {
  const CudaDevice& gpu = cuda_device(device_);
  return gpu.multiprocessors() * std::max(1, gpu.threads() / threads_per_block);
}

bool LaunchScope::shares_rows(int rows) const {
  // Beyond what the GPU keeps resident at once too: a row that has to wait is then done in less time.
  constexpr int kTimesResident = 4;
  const CudaDevice& gpu = cuda_device(device_);
  return rows <= kTimesResident * (gpu.multiprocessors() * gpu.threads() / kThreadsPerRow);
}

bool LaunchScope::has_clusters(const void* kernel) const {
  constexpr int kFirstWithClusters = 90;
  cudaFuncAttributes attributes;
  check(cudaFuncGetAttributes(&attributes, kernel));
  return cuda_device(device_).has_clusters() && attributes.ptxVersion >= kFirstWithClusters;
}

bool LaunchScope::has_room(const void* kernel, const cudaLaunchConfig_t& config) const {
  int clusters = 0;
  if (cudaOccupancyMaxActiveClusters(&clusters, kernel, &config) == cudaSuccess) return clusters > 0;
  cudaGetLastError();  // a refusal is an answer here
  return false;
}

int LaunchScope::resident_grid(const void* kernel, int threads_per_block) const {
  int per_multiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, threads_per_block, 0));
  return std::max(1, per_multiprocessor * cuda_device(device_).multiprocessors());
}

bool LaunchScope::may_be_cooperative() const { return cuda_device(device_).may_be_cooperative(); }

bool LaunchScope::may_be_resident(size_t bytes) const {
  const CudaDevice& device = cuda_device(device_);
  return device.resident_iterations && bytes <= device.shared_limit();
}

void LaunchScope::allow_shared(const void* kernel) const {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(cuda_device(device_).shared_limit())));
}

void LaunchScope::check(cudaError_t code) const { cuda::check(code, name_); }

void LaunchScope::check() const { cuda::check(cudaGetLastError(), name_); }

}  // namespace weft::cuda
