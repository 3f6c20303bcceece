// Which GPUs there are, and why one cannot be used.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "cuda/check.h"
#include "cuda/cuda_device.h"
#include "cuda/probe.h"
#include "sim/base/error.h"
#include "sim/device/cuda_hooks.h"

namespace weft::cuda {
namespace {

std::string version_text(int v) { return fmt::format("{}.{}", v / 1000, v % 1000 / 10); }

/// Number of GPUs; 0 and the reason where there is none.
int count_gpus(std::string& why_not) {
  int driver = 0, count = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
    why_not = "no NVIDIA driver is installed";
    return 0;
  }
  const cudaError_t code = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (code == cudaErrorInsufficientDriver)
    why_not = fmt::format("the NVIDIA driver supports CUDA {}, this program needs {}: update the driver",
                          version_text(driver), version_text(CUDART_VERSION));
  else if (code == cudaErrorNoDevice || (code == cudaSuccess && count == 0))
    why_not = "no NVIDIA GPU is visible";
  else if (code != cudaSuccess) why_not = fmt::format("CUDA: {}", cudaGetErrorString(code));
  return code == cudaSuccess ? count : 0;
}

/// Empty if the GPU can be used. Makes it current.
std::string obstacle_to_use(int ordinal, const cudaDeviceProp& p) {
  const cudaError_t code = cudaSetDevice(ordinal);
  if (code != cudaSuccess) {
    cudaGetLastError();
    return fmt::format("CUDA: {}", cudaGetErrorString(code));
  }
  if (!has_code_for_current_gpu())
    return fmt::format("this build has no code for its compute capability {}.{} (WEFT_CUDA_ARCHITECTURES)",
                       p.major, p.minor);
  return {};
}

}  // namespace

std::vector<DeviceInfo> list_devices() {
  std::string why_not;
  const int count = count_gpus(why_not);
  if (count == 0) return {{DeviceKind::cuda, "CUDA", false, why_not}};
  int current = 0;  // of the calling thread, which may be the window's
  const bool had_current = cudaGetDevice(&current) == cudaSuccess;
  std::vector<DeviceInfo> all;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp p;
    const cudaError_t code = cudaGetDeviceProperties(&p, i);
    if (code != cudaSuccess) {
      all.push_back({DeviceKind::cuda, fmt::format("GPU {}", i), false, cudaGetErrorString(code)});
      continue;
    }
    const std::string obstacle = obstacle_to_use(i, p);
    all.push_back({DeviceKind::cuda, p.name, obstacle.empty(),
                   !obstacle.empty() ? obstacle
                                     : fmt::format("{:.1f} GB, {} multiprocessors, compute capability {}.{}",
                                                   double(p.totalGlobalMem) * 1e-9, p.multiProcessorCount,
                                                   p.major, p.minor)});
  }
  if (had_current) cudaSetDevice(current);
  return all;
}

std::unique_ptr<Device> make_device(std::string& why_not) {
  const int count = count_gpus(why_not);
  for (int i = 0; i < count; ++i) {
    try {
      cudaDeviceProp p;
      check(cudaGetDeviceProperties(&p, i), "GPU");
      std::string obstacle = obstacle_to_use(i, p);
      if (obstacle.empty()) return std::make_unique<CudaDevice>(i);
      why_not = std::string(p.name) + ": " + obstacle;
    } catch (const Error& e) {
      cudaGetLastError();
      why_not = e.what_happened;
    }
  }
  return nullptr;
}

}  // namespace weft::cuda
