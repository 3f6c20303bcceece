// Launches in the double of the CUDA runtime (double.h): blocks, threads, barriers, shared memory.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <stdexcept>

#include "tests/cuda_double/fibers.h"
#include "tests/cuda_double/races.h"
#include "tests/cuda_double/runtime.h"

namespace cuda_double {
namespace {

constexpr unsigned kThreadsPerBlock = 1024, kLargestCluster = 8;  // at most
constexpr unsigned kWarp = 32;
constexpr int kSharedBytes = 48 * 1024;  // without cudaFuncSetAttribute
constexpr unsigned char kGarbage = 0xcd;

std::map<std::string, bool>& kernels() {  // by name, and whether each was launched
  static std::map<std::string, bool> all;
  return all;
}

struct Barrier {
  unsigned members = 0, arrived = 0;
  uint64_t passed = 0;
};

constexpr size_t kMostGroups = 5;  // of a warp

/// Threads of one warp that shuffle together: what each has handed over, in turns.
struct WarpGroup {
  unsigned mask = 0;
  Barrier all;
  uint32_t values[2][kWarp] = {};
};

/// One thread of the launch.
struct Thread : Fiber {
  unsigned block = 0, thread = 0;
};

/// The launch that is under way on this thread.
struct Running {
  const Launch& launch;
  unsigned cluster;
  std::vector<std::vector<unsigned char>> shared;  // of each block
  std::vector<unsigned> at_work;                   // threads of each block that have not ended
  Barrier grid;
  std::vector<Barrier> clusters, blocks;
  std::vector<std::array<std::unique_ptr<WarpGroup>, kMostGroups>>
      warps;  // of the grid; made when one shuffles
  Thread* now = nullptr;
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

void thread_main() {
  Running& r = *running;
  Thread* const me = r.now;
  races::begin_thread();
  try {
    r.launch.thread();
  } catch (const std::exception& e) {
    r.failed = e.what();
  }
  races::end_thread();
  --r.at_work[me->block];
  ++r.events;
}

unsigned number_of(const Running& r, const Thread& t) { return t.block * r.launch.block + t.thread; }

/// Until the thread ends or waits.
void go_on(Running& r, Thread& t) {
  r.now = &t;
  take_place(t.block, t.thread);
  races::go_on_with(number_of(r, t));
  t.resume();
  races::go_home();
  r.now = nullptr;
}

using Threads = std::vector<std::unique_ptr<Thread>>;

/// Threads that have ended, for the next ones: their stacks are warm. Whom the sanitizer takes for different
/// threads have no stack in common.
Threads& ended(unsigned thread) {
  static thread_local Threads all[races::kThreads];
  return all[thread % races::kThreads];
}

/// Those that wait go on to their next barrier, each round in another order, until none is left.
void run_rounds(Running& r, Threads& waiting) {
  static thread_local std::minstd_rand random(7);
  while (!waiting.empty() && r.failed.empty()) {
    std::shuffle(waiting.begin(), waiting.end(), random);
    const uint64_t before = r.events;
    for (auto& t : waiting) {
      go_on(r, *t);
      if (!r.failed.empty()) return;
      if (t->done()) ended(number_of(r, *t)).push_back(std::move(t));
    }
    if (r.events == before)
      r.failed = "threads wait at a barrier for others that have ended or wait elsewhere";
    std::erase(waiting, nullptr);
  }
}

/// The numbers below `count`, each once, in an order that is another one each time.
class Scattered {
 public:
  explicit Scattered(uint64_t count) : count_(count) {
    static thread_local uint64_t made = 0;
    const uint64_t mixed = ++made * 0x9e3779b97f4a7c15ull;
    first_ = (mixed >> 20) % count;
    stride_ = (mixed >> 33) % count + 1;
    while (std::gcd(stride_, count) != 1) ++stride_;
    stride_ %= count;
  }
  unsigned operator()(uint64_t n) const { return unsigned((first_ + stride_ * n) % count_); }

 private:
  uint64_t count_, first_, stride_;
};

/// Begins `count` threads from `first` on, in an order that is none; then goes on with those that wait.
void run_some(Running& r, unsigned first, unsigned count) {
  const Scattered order(count);
  Threads waiting;
  for (unsigned n = 0; n < count && r.failed.empty(); ++n) {
    const unsigned i = first + order(n);
    Threads& spare = ended(i);
    if (spare.empty()) spare.push_back(std::make_unique<Thread>());
    Thread& t = *spare.back();
    t.block = i / r.launch.block, t.thread = i % r.launch.block;
    t.start(thread_main);
    go_on(r, t);
    if (t.done()) continue;
    waiting.push_back(std::move(spare.back()));
    spare.pop_back();
  }
  run_rounds(r, waiting);
}

/// All threads; where blocks cannot meet, one block after the other, in an order that is none.
void run_threads(Running& r) {
  const Launch& l = r.launch;
  races::begin_launch();
  if (l.cooperative || l.cluster > 1) {
    run_some(r, 0, l.grid * l.block);
  } else {
    const Scattered blocks(l.grid);
    for (unsigned b = 0; b < l.grid && r.failed.empty(); ++b) run_some(r, blocks(b) * l.block, l.block);
  }
  races::end_launch();
  if (!r.failed.empty()) throw std::runtime_error(std::string(l.name) + ": " + r.failed);
}

Running& at_barrier() {
  if (running && running->now) return *running;
  throw std::runtime_error("a barrier outside of a launch");
}

/// Waits until all members of a barrier have come.
void meet(Running& r, Barrier& b, bool orders_memory) {
  Thread* const me = r.now;
  if (orders_memory) races::arrive(&b);
  const uint64_t turn = b.passed;
  if (++b.arrived == b.members) b.arrived = 0, ++b.passed, ++r.events;
  do me->wait();
  while (b.passed == turn);
  if (orders_memory) races::leave(&b);
}

/// The group of the calling thread's warp that `mask` names.
WarpGroup& warp_group(Running& r, unsigned mask) {
  const unsigned lane = r.now->thread % kWarp;
  if (!(mask >> lane & 1)) throw std::runtime_error("a thread is not in the mask that it names");
  const unsigned warps = (r.launch.block + kWarp - 1) / kWarp;
  if (r.warps.empty()) r.warps.resize(size_t(r.launch.grid) * warps);
  auto& groups = r.warps[r.now->block * warps + r.now->thread / kWarp];
  for (auto& g : groups) {
    if (g && g->mask != mask) continue;
    if (!g) g = std::make_unique<WarpGroup>(WarpGroup{mask, {unsigned(std::popcount(mask))}});
    return *g;
  }
  throw std::runtime_error("more masks in one warp than the double has room for");
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
  Thread* const me = r.now;
  if (group == Group::grid && !r.launch.cooperative)
    throw std::runtime_error("a barrier of the grid in a launch that is not cooperative");
  Barrier& b = group == Group::grid      ? r.grid
               : group == Group::cluster ? r.clusters[me->block / r.cluster]
                                         : r.blocks[me->block];
  meet(r, b, true);
}

void warp_barrier(unsigned mask) {
  Running& r = at_barrier();
  meet(r, warp_group(r, mask).all, true);
}

// Orders no memory, as on a GPU.
uint32_t shuffle(unsigned mask, uint32_t value, unsigned from) {
  Running& r = at_barrier();
  WarpGroup& g = warp_group(r, mask);
  if (from >= kWarp || !(mask >> from & 1))
    throw std::runtime_error("a shuffle from a thread that is not in its mask");
  uint32_t(&values)[kWarp] =
      g.values[g.all.passed % 2];  // of two, so that the next shuffle overwrites nothing
  values[r.now->thread % kWarp] = value;
  meet(r, g.all, false);
  return values[from];
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
    run_threads(r);
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
    if (a.id == cudaLaunchAttributeCooperative) l.cooperative = a.val.cooperative != 0;
    else if (a.id == cudaLaunchAttributeClusterDimension) l.cluster = a.val.clusterDim.x;
    else return result(cudaErrorNotSupported);
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
