// The double of the CUDA runtime itself: what it refuses, what it finds out, and that it is late.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "tests/cuda_double/include/kernels.h"
// As for a GPU before compute capability 9.0: one block, and its barrier.
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ 800
#include "cuda/resident.cuh"

using namespace cuda_double;

namespace {

struct Stream {
  cudaStream_t at = nullptr;
  Stream() { REQUIRE(cudaStreamCreateWithFlags(&at, cudaStreamNonBlocking) == cudaSuccess); }
  ~Stream() { cudaStreamDestroy(at); }
};

template <class T>
struct Memory {
  T* at = nullptr;
  explicit Memory(int count, bool pinned = false) : pinned(pinned) {
    void** const where = reinterpret_cast<void**>(&at);
    REQUIRE((pinned ? cudaHostAlloc(where, size_t(count) * sizeof(T), 0)
                    : cudaMalloc(where, size_t(count) * sizeof(T))) == cudaSuccess);
  }
  ~Memory() { pinned ? cudaFreeHost(at) : cudaFree(at); }
  bool pinned;
};

/// True where the work ends in a signal, tried in a process of its own.
template <class Work>
bool dies(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

cudaLaunchConfig_t sizes(cudaStream_t stream, unsigned blocks, unsigned threads, size_t shared = 0) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks), config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared, config.stream = stream;
  return config;
}

cudaLaunchAttribute clusters_of(unsigned blocks) {
  cudaLaunchAttribute a{};
  a.id = cudaLaunchAttributeClusterDimension;
  a.val.clusterDim = {blocks, 1, 1};
  return a;
}

cudaLaunchAttribute together() {
  cudaLaunchAttribute a{};
  a.id = cudaLaunchAttributeCooperative;
  a.val.cooperative = 1;
  return a;
}

/// As many writes as there are threads, through the shared memory of the block's neighbour in its cluster.
void pass_on(int* out, int with_barrier) {
  const auto cluster = cooperative_groups::this_cluster();
  int* const mine = reinterpret_cast<int*>(dynamic_shared());
  cluster.map_shared_rank(mine, (blockIdx.x + 1) % gridDim.x)[threadIdx.x] =
      int(blockIdx.x * blockDim.x + threadIdx.x);
  if (with_barrier) cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine[threadIdx.x];
}

void leave_early(int) {
  if (threadIdx.x != 0) cooperative_groups::this_grid().sync();
}

void grid_barrier() { cooperative_groups::this_grid().sync(); }

/// Each thread of a block hands its number to one of eight, through shared memory that a barrier orders, and
/// shuffles.
void sum_of_eight(int* out, int with_barrier) {
  float* const shared = dynamic_shared();
  const unsigned mask = 0xffu << (threadIdx.x % 32 / 8 * 8);
  shared[threadIdx.x] = float(threadIdx.x);
  if (with_barrier) __syncthreads();
  float sum = shared[threadIdx.x ^ 32];  // another warp's
  for (int way = 4; way > 0; way /= 2) sum += __shfl_xor_sync(mask, sum, way);
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      int(sum) * 100 + int(__shfl_sync(mask, float(threadIdx.x), 3, 8));
}
void fill(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }

std::vector<int> host(const int* device, int count, cudaStream_t stream) {
  Memory<int> pinned(count, true);
  CHECK(cudaMemcpyAsync(pinned.at, device, size_t(count) * sizeof(int), cudaMemcpyDeviceToHost, stream) ==
        cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  return {pinned.at, pinned.at + count};
}

}  // namespace

TEST_CASE("the double says what it is") {
  cudaDeviceProp p;
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  CHECK(std::string(p.name).find("no GPU") != std::string::npos);
}

TEST_CASE(
    "the host cannot touch memory of the device, and nobody what was given back or lies beyond the end") {
  int* gone = nullptr;
  {
    const Memory<int> device(1000), pinned(1000, true);
    gone = pinned.at;
    CHECK_FALSE(dies([&] { pinned.at[0] = 1; }));
    CHECK(dies([&] { pinned.at[1024] = 1; }));
    if (const int key = pkey_alloc(0, 0); key >= 0) {
      CHECK(dies([&] { device.at[0] = 1; }));
      pkey_free(key);
    } else {
      MESSAGE("this processor has no protection keys: the host can touch memory of the device unseen");
    }
  }
  CHECK(dies([&] { gone[0] = 1; }));
}

TEST_CASE(
    "copies are refused from the wrong side, beyond the end, onto themselves and from pageable memory") {
  const Stream stream;
  const Memory<int> a(100), b(100), pinned(100, true);
  const auto copy = [&](void* to, const void* from, size_t ints, cudaMemcpyKind kind) {
    const cudaError_t code = cudaMemcpyAsync(to, from, ints * sizeof(int), kind, stream.at);
    cudaGetLastError();
    return code == cudaSuccess;
  };
  std::vector<int> pageable(100);
  CHECK(copy(b.at, a.at, 100, cudaMemcpyDeviceToDevice));
  CHECK(copy(a.at, pinned.at, 100, cudaMemcpyHostToDevice));
  CHECK_FALSE(copy(b.at, a.at, 101, cudaMemcpyDeviceToDevice));
  CHECK_FALSE(copy(b.at, pinned.at, 100, cudaMemcpyDeviceToDevice));
  CHECK_FALSE(copy(a.at, pageable.data(), 100, cudaMemcpyHostToDevice));
  CHECK_FALSE(copy(a.at + 1, a.at, 50, cudaMemcpyDeviceToDevice));
  CHECK(cudaStreamSynchronize(stream.at) == cudaSuccess);
}

TEST_CASE("new memory is full of garbage") {
  const Stream stream;
  const Memory<int> a(100);
  CHECK(host(a.at, 100, stream.at) == std::vector<int>(100, int(0xcdcdcdcd)));
}

TEST_CASE("work runs later than it is queued, and an event tells when it has") {
  const Stream stream, other;
  const Memory<int> pinned(1, true), device(1);
  cudaEvent_t event;
  REQUIRE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess);
  int early = 0;
  for (int k = 0; k < 200; ++k) {
    pinned.at[0] = -1;
    for (int n = 0; n < 20; ++n) cudaMemsetAsync(device.at, k & 0x7f, sizeof(int), stream.at);
    cudaEventRecord(event, stream.at);
    early += cudaEventQuery(event) == cudaErrorNotReady;
    // The other stream waits for the event, though nothing holds it otherwise.
    cudaStreamWaitEvent(other.at, event, 0);
    cudaMemcpyAsync(pinned.at, device.at, sizeof(int), cudaMemcpyDeviceToHost, other.at);
    cudaStreamSynchronize(other.at);
    CHECK(pinned.at[0] == (k & 0x7f) * 0x01010101);
  }
  CHECK(early > 100);
  cudaGetLastError();
  cudaEventDestroy(event);
}

TEST_CASE("launches that a GPU refuses are refused") {
  const Stream stream;
  const Memory<int> out(10000);
  const auto start = [&](cudaLaunchConfig_t config, const std::vector<cudaLaunchAttribute>& attributes) {
    config.attrs = const_cast<cudaLaunchAttribute*>(attributes.data()),
    config.numAttrs = unsigned(attributes.size());
    const cudaError_t code = cudaLaunchKernelEx(&config, fill, out.at, 1);
    CHECK(cudaGetLastError() == code);
    return code;
  };
  CHECK(start(sizes(stream.at, 2, 128), {}) == cudaSuccess);
  CHECK(start(sizes(stream.at, 0, 128), {}) == cudaErrorInvalidConfiguration);
  CHECK(start(sizes(stream.at, 1, 1025), {}) == cudaErrorInvalidConfiguration);
  CHECK(start(sizes(stream.at, 1, 128, 49153), {}) == cudaErrorInvalidValue);
  CHECK(start(sizes(stream.at, 3, 128), {clusters_of(2)}) == cudaErrorInvalidClusterSize);
  CHECK(start(sizes(stream.at, 16, 128), {clusters_of(16)}) == cudaErrorInvalidClusterSize);
  CHECK(start(sizes(stream.at, 3, 128), {together()}) == cudaErrorCooperativeLaunchTooLarge);
  CHECK(start(sizes(stream.at, 2, 128), {together()}) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream.at) == cudaSuccess);
}

TEST_CASE("threads of a cluster meet at its barrier, and without it read garbage") {
  const Stream stream;
  const Memory<int> out(4 * 64);
  cudaLaunchAttribute cluster = clusters_of(4);
  for (const int with_barrier : {1, 0}) {
    Launch l;
    cudaLaunchConfig_t config = sizes(stream.at, 4, 64, 64 * sizeof(int));
    config.attrs = &cluster, config.numAttrs = 1;
    const Expected expected;
    CHECK(cudaLaunchKernelEx(&config, pass_on, out.at, with_barrier) == cudaSuccess);
    bool right = cudaStreamSynchronize(stream.at) == cudaSuccess;
    if (right) {
      const std::vector<int> seen = host(out.at, 4 * 64, stream.at);
      for (int i = 0; i < 4 * 64; ++i) right &= seen[size_t(i)] == (i + 3 * 64) % (4 * 64);
    }
    CHECK(right == (with_barrier == 1));
    reset();
  }
}

TEST_CASE("threads of a warp shuffle, and see what others of their block wrote only after a barrier") {
  const Stream stream;
  const Memory<int> out(3 * 64);
  for (const int with_barrier : {1, 0}) {
    const cudaLaunchConfig_t config = sizes(stream.at, 3, 64, 64 * sizeof(float));
    CHECK(cudaLaunchKernelEx(&config, sum_of_eight, out.at, with_barrier) == cudaSuccess);
    const std::vector<int> seen = host(out.at, 3 * 64, stream.at);
    bool right = true;
    for (int i = 0; i < 3 * 64; ++i) {
      const int first = i % 64 / 8 * 8, sum = 8 * (first ^ 32) + 28;
      right &= seen[size_t(i)] == 100 * sum + first + 3;
    }
    CHECK(right == (with_barrier == 1));
  }
}

TEST_CASE("barriers at which not all threads arrive, or that the launch does not have, lose the GPU") {
  const Stream stream;
  const Memory<int> out(100);
  for (const int kind : {0, 1, 2}) {
    cudaLaunchAttribute attribute = kind == 0 ? together() : clusters_of(1);
    cudaLaunchConfig_t config = sizes(stream.at, 1, 32);
    config.attrs = &attribute, config.numAttrs = kind == 2 ? 0 : 1;
    const Expected expected;
    if (kind == 2) cudaLaunchKernelEx(&config, grid_barrier);
    else cudaLaunchKernelEx(&config, leave_early, 0);
    CHECK(cudaStreamSynchronize(stream.at) == cudaErrorIllegalAddress);
    CHECK(expected.seen().size() == 1);
    CHECK(cudaMemsetAsync(out.at, 0, 4, stream.at) == cudaErrorIllegalAddress);  // and it stays lost
    reset();
  }
}

TEST_CASE(
    "while a thread records it gets no memory and waits for nothing, and what it has recorded is void") {
  const Stream stream;
  const Memory<int> out(128);
  const auto broken_by = [&](const auto& call) {
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaStreamBeginCapture(stream.at, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    cudaMemsetAsync(out.at, 0, 4, stream.at);
    const bool refused = call() == cudaErrorStreamCaptureUnsupported;
    const bool ended = cudaStreamEndCapture(stream.at, &graph) == cudaSuccess;
    cudaGetLastError();
    if (graph) cudaGraphDestroy(graph);
    return refused && !ended && !graph;
  };
  void* memory = nullptr;
  CHECK(broken_by([&] { return cudaMalloc(&memory, 10); }));
  CHECK(broken_by([&] { return cudaStreamSynchronize(stream.at); }));
  CHECK_FALSE(broken_by([&] { return cudaMemsetAsync(out.at, 1, 4, stream.at); }));
}

TEST_CASE(
    "what is recorded runs when it is played, as often as it is played, and updating it leaves its "
    "clusters") {
  const Stream stream;
  const Memory<int> out(8 * 64);
  const auto record = [&](unsigned blocks) {
    cudaLaunchAttribute cluster = clusters_of(blocks);
    cudaLaunchConfig_t config = sizes(stream.at, blocks, 64, 64 * sizeof(int));
    config.attrs = &cluster, config.numAttrs = 1;
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaStreamBeginCapture(stream.at, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    CHECK(cudaLaunchKernelEx(&config, pass_on, out.at, 1) == cudaSuccess);
    REQUIRE(cudaStreamEndCapture(stream.at, &graph) == cudaSuccess);
    return graph;
  };
  const cudaGraph_t one = record(1), eight = record(8);
  CHECK(host(out.at, 1, stream.at)[0] == int(0xcdcdcdcd));
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, one, 0) == cudaSuccess);
  for (int k = 0; k < 2; ++k) CHECK(cudaGraphLaunch(exec, stream.at) == cudaSuccess);
  CHECK(host(out.at, 64, stream.at)[63] == 63);
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(exec, eight, &info) == cudaSuccess);
  {
    const Expected expected;
    CHECK(cudaGraphLaunch(exec, stream.at) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream.at) == cudaErrorIllegalAddress);
    REQUIRE(expected.seen().size() == 1);
    CHECK(expected.seen()[0].find("beyond the cluster") != std::string::npos);
    reset();
  }
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(one);
  cudaGraphDestroy(eight);
}

namespace {

/// Rows that take the mean with the next one.
struct Mean {
  weft::vec3* u[2];
  int count;
  weft::vec3 moved(int i, int, const weft::vec3* now, const weft::vec3*) const {
    return 0.5f * (now[i] + now[(i + 1) % count]);
  }
};

}  // namespace

TEST_CASE(
    "iterations in the shared memory of one block, as code for older GPUs has them, are those of one after "
    "the other") {
  const Stream stream;
  for (const int n : {1, 33, 700}) {
    CAPTURE(n);
    const Memory<weft::vec3> even(n), odd(n), pinned(n, true);
    std::vector<weft::vec3> rows[2] = {std::vector<weft::vec3>(size_t(n)),
                                       std::vector<weft::vec3>(size_t(n))};
    for (int i = 0; i < n; ++i)
      pinned.at[i] = rows[0][size_t(i)] = weft::vec3(float(i * i % 97), 1, float(i));
    const size_t bytes = size_t(n) * sizeof(weft::vec3);
    cudaMemcpyAsync(even.at, pinned.at, bytes, cudaMemcpyHostToDevice, stream.at);
    cudaMemsetAsync(odd.at, 0, bytes, stream.at);
    cudaLaunchConfig_t config = sizes(stream.at, 1, 64, weft::cuda::resident_bytes(n));
    CHECK(cudaLaunchKernelEx(&config, weft::cuda::run_resident_kernel<Mean>, Mean{{even.at, odd.at}, n}, n,
                             3) == cudaSuccess);
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < n; ++i)
        rows[1 - k % 2][size_t(i)] = Mean{{nullptr, nullptr}, n}.moved(i, k, rows[k % 2].data(), nullptr);
    CHECK(cudaStreamSynchronize(stream.at) == cudaSuccess);
    cudaMemcpyAsync(pinned.at, odd.at, bytes, cudaMemcpyDeviceToHost, stream.at);
    CHECK(cudaStreamSynchronize(stream.at) == cudaSuccess);
    CHECK(std::memcmp(pinned.at, rows[1].data(), bytes) == 0);
  }
}
