// What every launch needs besides the kernel: stream, size of the GPU, error check.
#pragma once
#include <cuda_runtime_api.h>

#include "sim/device/device.h"

namespace weft::cuda {

/// One launch under `name`. Its range in NVTX is that of its stage (stage_clock.h).
class LaunchScope {
 public:
  LaunchScope(Device& device, const char* name);
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;

  cudaStream_t stream() const { return stream_; }
  /// Blocks that fill the GPU once with `threads_per_block` threads each.
  int full_grid(int threads_per_block) const;
  /// Whether each of so many long rows is worth several threads (sim/device/row_of_threads.h).
  bool shares_rows(int rows) const;
  /// Whether blocks of this kernel can share memory and barriers: GPU and code of compute capability 9.0.
  /// (Code for an older one runs on a newer GPU too, without clusters.)
  bool has_clusters(const void* kernel) const;
  /// Whether the GPU has room for one cluster of a launch. A part of a shared GPU may have fewer
  /// multiprocessors than blocks.
  bool has_room(const void* kernel, const cudaLaunchConfig_t& config) const;
  /// Blocks of this kernel that the GPU keeps resident at once, at least 1.
  int resident_grid(const void* kernel, int threads_per_block) const;
  /// Whether blocks of a launch can wait for each other. False on GPUs without it, and for tests that hold
  /// one way against the other.
  bool may_be_cooperative() const;
  /// Whether a block can have so many bytes of shared memory. False too for tests that hold launch_resident
  /// against plain launches.
  bool may_be_resident(size_t bytes) const;
  /// Lets a kernel have as much shared memory as there is; 48 KB is what all GPUs grant.
  void allow_shared(const void* kernel) const;
  void check(cudaError_t code) const;
  /// Throws Error naming the launch if it was refused. Faults inside a kernel show at the next copy to the
  /// host.
  void check() const;

 private:
  Device& device_;
  const char* name_;
  cudaStream_t stream_;
};

}  // namespace weft::cuda
