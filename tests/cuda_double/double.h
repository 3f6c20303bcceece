// A double of the CUDA runtime, for tests: what cuda/ calls of cuda_runtime_api.h, on one host thread.
// Nothing here is a GPU, and nothing that ran here "ran on CUDA".
//
// Work that is queued runs later, on a worker that is late on purpose. Where the processor has protection
// keys it alone may touch device memory, which is full of garbage when it is handed out and out of reach
// when it is given back; no address is handed out twice.
#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cuda_double {

/// What the GPU that this is the double of can do. To be set while there is no Device.
struct Gpu {
  int multiprocessors = 2;  // few, so that kernels stride
  int threads = 128;  // of a multiprocessor: up to 128 rows are shared by threads, more take a thread each
  int major = 9;      // of the compute capability; clusters from 9 on
  int driver = CUDART_VERSION;      // as cudaDriverGetVersion gives it
  size_t memory = size_t(2) << 30;  // bytes
  int devices = 1;
  int largest_cluster = 8;  // blocks that find room at once
  bool late = true;         // the worker waits now and then
};
Gpu& gpu();

/// What has been done since the program began.
struct Counts {
  long launches = 0, recordings = 0, instantiations = 0, updates = 0, played = 0, whiles = 0, ifs = 0;
};
Counts counts();

/// A launch: its sizes, and what one thread of it does.
struct Launch {
  const char* name = "";
  unsigned grid = 1, block = 1;
  unsigned cluster = 0;  // blocks; 0: the launch names none
  bool cooperative = false;
  size_t shared_bytes = 0;
  std::function<void()> thread;
};

/// What the real runtime would not notice, or would crash of: a message and abort, unless a test expects it.
void violation(const std::string& what);

/// While this lives violations are collected, and do not abort.
class Expected {
 public:
  Expected();
  ~Expected();
  /// All so far, in the order in which they came.
  std::vector<std::string> seen() const;
};

/// Forgets an error that the runtime keeps, and all that was queued.
void reset();

/// Names of kernel types that are compiled in and were never launched.
std::vector<std::string> never_launched();
bool note_kernel(const char* name);

/// For include/: checks a launch and queues or records it; the same for work that is no launch of ours.
cudaError_t launch(const cudaLaunchConfig_t&, const void* function, const char* name, std::function<void()>);
cudaError_t queue(cudaStream_t stream, const char* name, std::function<void()> work);

// For kernels that run.
enum class Group { block, cluster, grid };
void barrier(Group group);
/// __syncwarp and __shfl_sync: of the threads of the calling one's warp that `mask` names.
void warp_barrier(unsigned mask);
uint32_t shuffle(unsigned mask, uint32_t value, unsigned from_lane);
/// Where `mine`, in this block's shared memory, lies in that of block `rank` of the cluster.
void* shared_of_rank(void* mine, unsigned rank);
unsigned char* shared_memory();
void set_condition(cudaGraphConditionalHandle handle, unsigned value);

/// Runs all threads of a launch, on the calling one. Those that wait for others are fibers.
void run(const Launch& launch);

}  // namespace cuda_double

inline thread_local dim3 gridDim, blockDim;
inline thread_local uint3 threadIdx, blockIdx;
