// Launches in the double of the CUDA runtime (double.h): blocks, threads, barriers, shared memory.
#include <ucontext.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "tests/cuda_double/runtime.h"

namespace cuda_double {
namespace {

constexpr unsigned kThreadsPerBlock = 1024, kLargestCluster = 8;  // at most
constexpr int kSharedBytes = 48 * 1024;                           // without cudaFuncSetAttribute
constexpr size_t kStack = 64 * 1024;
constexpr unsigned char kGarbage = 0xcd;

std::map<std::string, bool>& kernels() {  // by name, and whether each was launched
  static std::map<std::string, bool> all;
  return all;
}

struct Barrier {
  unsigned members = 0, arrived = 0;
  uint64_t passed = 0;
};

struct Fiber {
  ucontext_t context{};
  std::unique_ptr<char[]> stack;
  unsigned block = 0, thread = 0;
  bool done = false;
};

/// The launch that is under way on this thread.
struct Running {
  const Launch& launch;
  unsigned cluster;
  std::vector<std::vector<unsigned char>> shared;  // of each block
  std::vector<unsigned> at_work;                   // threads of each block that have not ended
  Barrier grid;
  std::vector<Barrier> clusters, blocks;
  std::vector<Fiber> fibers;
  Fiber* now = nullptr;
  ucontext_t home{};
  uint64_t events = 0;  // barriers passed and threads ended: without any all wait for ever
  std::string failed;

  explicit Running(const Launch& l) : launch(l), cluster(std::max(1u, l.cluster)) {
    shared.assign(l.grid, std::vector<unsigned char>(l.shared_bytes, kGarbage));
    at_work.assign(l.grid, l.block);
    grid.members = l.grid * l.block;
    clusters.assign(l.grid / cluster, Barrier{cluster * l.block});
    blocks.assign(l.grid, Barrier{l.block});
  }
};

thread_local Running* running = nullptr;

void take_place(unsigned block, unsigned thread) {
  blockIdx = {block, 0, 0};
  threadIdx = {thread, 0, 0};
}

void fiber_main() {
  Running& r = *running;
  try {
    r.launch.thread();
  } catch (const std::exception& e) {
    r.failed = e.what();
  }
  Fiber* const me = r.now;
  me->done = true;
  --r.at_work[me->block];
  ++r.events;
  swapcontext(&me->context, &r.home);
}

void make_fibers(Running& r) {
  r.fibers.resize(size_t(r.launch.grid) * r.launch.block);
  for (size_t i = 0; i < r.fibers.size(); ++i) {
    Fiber& f = r.fibers[i];
    f.block = unsigned(i) / r.launch.block, f.thread = unsigned(i) % r.launch.block;
    f.stack.reset(new char[kStack]);
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.get();
    f.context.uc_stack.ss_size = kStack;
    f.context.uc_link = nullptr;
    makecontext(&f.context, fiber_main, 0);
  }
}

/// Each round lets every thread go on to its next barrier, in another order.
void run_fibers(Running& r) {
  static thread_local std::mt19937 random(7);
  make_fibers(r);
  std::vector<Fiber*> live;
  for (Fiber& f : r.fibers) live.push_back(&f);
  while (!live.empty() && r.failed.empty()) {
    std::shuffle(live.begin(), live.end(), random);
    const uint64_t before = r.events;
    for (Fiber* f : live) {
      r.now = f;
      take_place(f->block, f->thread);
      swapcontext(&r.home, &f->context);
      if (!r.failed.empty()) break;
    }
    if (r.events == before)
      r.failed = "threads wait at a barrier for others that have ended or wait elsewhere";
    std::erase_if(live, [](const Fiber* f) { return f->done; });
  }
  if (!r.failed.empty()) throw std::runtime_error(std::string(r.launch.name) + ": " + r.failed);
}

/// Without barriers one after the other is enough, in an order that is none.
void run_scattered(const Launch& l) {
  static thread_local uint64_t launches = 0;
  const uint64_t all = uint64_t(l.grid) * l.block, mixed = ++launches * 0x9e3779b97f4a7c15ull;
  const uint64_t first = (mixed >> 20) % all;
  uint64_t stride = (mixed >> 33) % all + 1;
  while (std::gcd(stride, all) != 1) ++stride;
  stride %= all;
  for (uint64_t n = 0, i = first; n < all; ++n, i = (i + stride) % all) {
    take_place(unsigned(i / l.block), unsigned(i % l.block));
    l.thread();
  }
}

Running& at_barrier() {
  if (running && running->now) return *running;
  throw std::runtime_error(
      "a barrier in a launch that has neither shared memory nor clusters and is not cooperative");
}

/// What the GPU refuses of a launch.
cudaError_t check_launch(const Launch& l, int shared_limit) {
  if (l.grid == 0 || l.block == 0 || l.block > kThreadsPerBlock) return cudaErrorInvalidConfiguration;
  if (l.shared_bytes > size_t(shared_limit)) return cudaErrorInvalidValue;
  if (l.cluster > 0) {
    if (gpu().major < 9) return cudaErrorNotSupported;
    if (l.cluster > std::min(kLargestCluster, unsigned(gpu().largest_cluster)) || l.grid % l.cluster != 0)
      return cudaErrorInvalidClusterSize;
  }
  if (l.cooperative && l.grid > unsigned(gpu().multiprocessors)) return cudaErrorCooperativeLaunchTooLarge;
  return cudaSuccess;
}

}  // namespace

bool note_kernel(const char* name) { return kernels().emplace(name, false).second; }

std::vector<std::string> never_launched() {
  const Call c;
  std::vector<std::string> names;
  for (const auto& [name, launched] : kernels())
    if (!launched) names.push_back(name.substr(name.find("First = ") + 8));  // and "]"
  return names;
}

void barrier(Group group) {
  Running& r = at_barrier();
  Fiber* const me = r.now;
  if (group == Group::grid && !r.launch.cooperative)
    throw std::runtime_error("a barrier of the grid in a launch that is not cooperative");
  Barrier& b = group == Group::grid      ? r.grid
               : group == Group::cluster ? r.clusters[me->block / r.cluster]
                                         : r.blocks[me->block];
  const uint64_t turn = b.passed;
  if (++b.arrived == b.members) b.arrived = 0, ++b.passed, ++r.events;
  do swapcontext(&me->context, &r.home);
  while (b.passed == turn);
}

unsigned char* shared_memory() { return at_barrier().shared[running->now->block].data(); }

void* shared_of_rank(void* mine, unsigned rank) {
  Running& r = at_barrier();
  const unsigned block = r.now->block, other = block / r.cluster * r.cluster + rank;
  if (rank >= r.cluster) throw std::runtime_error("shared memory of a block beyond the cluster");
  if (r.at_work[other] == 0) throw std::runtime_error("shared memory of a block that has ended");
  const auto offset = static_cast<unsigned char*>(mine) - r.shared[block].data();
  if (offset < 0 || size_t(offset) > r.launch.shared_bytes)
    throw std::runtime_error("this is not shared memory of the block");
  return r.shared[other].data() + offset;
}

void run(const Launch& l) {
  gridDim = dim3(l.grid);
  blockDim = dim3(l.block);
  if (l.cluster > 0 && l.grid % l.cluster != 0)
    throw std::runtime_error(std::string(l.name) + ": the grid is not made of whole clusters");
  Running r(l);
  running = &r;
  try {
    if (l.cooperative || l.cluster > 0 || l.shared_bytes > 0)
      run_fibers(r);
    else
      run_scattered(l);
  } catch (...) {
    running = nullptr;
    throw;
  }
  running = nullptr;
}

cudaError_t launch(const cudaLaunchConfig_t& config, const void* function, const char* name,
                   std::function<void()> thread) {
  Call c;
  if (c.r.lost != cudaSuccess) return result(c.r.lost);
  Work w;
  w.kind = Work::Kind::launch;
  w.name = name;
  Launch& l = w.launch;
  l.name = name;
  l.grid = config.gridDim.x, l.block = config.blockDim.x;
  if (config.gridDim.y != 1 || config.gridDim.z != 1 || config.blockDim.y != 1 || config.blockDim.z != 1)
    return result(cudaErrorNotSupported);  // by the double
  l.shared_bytes = config.dynamicSmemBytes;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& a = config.attrs[i];
    if (a.id == cudaLaunchAttributeCooperative)
      l.cooperative = a.val.cooperative != 0;
    else if (a.id == cudaLaunchAttributeClusterDimension)
      l.cluster = a.val.clusterDim.x;
    else
      return result(cudaErrorNotSupported);
  }
  const auto limit = c.r.shared_limits.find(function);
  if (const cudaError_t code =
          check_launch(l, limit == c.r.shared_limits.end() ? kSharedBytes : limit->second);
      code != cudaSuccess)
    return result(code);
  l.thread = std::move(thread);
  kernels()[name] = true;
  ++c.r.counted.launches;
  return result(c.r.submit(config.stream, std::move(w)));
}

}  // namespace cuda_double

using namespace cuda_double;

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  attributes->maxThreadsPerBlock = int(kThreadsPerBlock);
  attributes->ptxVersion = attributes->binaryVersion = gpu().major * 10;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return result(cudaErrorInvalidValue);
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  if (value < 0 || value > most) return result(cudaErrorInvalidValue);
  Call().r.shared_limits[function] = value;
  return cudaSuccess;
}

/// One, so that a cooperative grid is small and its threads take many rows each.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, size_t) {
  *blocks = 1;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void*, const cudaLaunchConfig_t* config) {
  unsigned blocks = 1;
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
      blocks = config->attrs[i].val.clusterDim.x;
  *clusters = gpu().major >= 9 && blocks <= unsigned(gpu().largest_cluster) ? 1 : 0;
  return cudaSuccess;
}
