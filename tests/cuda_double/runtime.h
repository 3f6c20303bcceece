// The inside of the double of the CUDA runtime (double.h): memory, streams and recordings under one lock.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/cuda_double/double.h"

/// An event: how often it was recorded, and how many of these the worker has passed.
struct CUevent_st {
  bool timed = false;
  uint64_t recorded = 0, passed = 0;
  std::chrono::steady_clock::time_point at{};
};

namespace cuda_double {

/// One piece of work: a launch, or something else that runs; or a part or loop with a condition.
struct Work {
  enum class Kind { launch, other, conditional };
  Kind kind = Kind::other;
  const char* name = "";
  Launch launch;
  std::function<void()> other;
  cudaGraphConditionalHandle handle = 0;
  bool loop = false;
  std::vector<Work> body;  // of a conditional in an executable graph
};

/// What a stream has in line: work, or an event to record or to wait for.
struct Entry {
  std::function<void()> run;
  std::shared_ptr<CUevent_st> event;
  uint64_t turn = 0;  // of the event
  bool waits = false;
};

struct Capture {
  cudaGraph_t graph = nullptr;
  std::vector<cudaGraphNode_t> last;
  std::thread::id thread;
  bool valid = true, into_body = false;
};

}  // namespace cuda_double

struct CUstream_st {
  std::deque<cuda_double::Entry> line;
  std::unique_ptr<cuda_double::Capture> capture;
  bool destroyed = false;
};

struct CUgraphNode_st {
  cuda_double::Work work;
  cudaGraph_t graph = nullptr, body = nullptr;
  std::vector<cudaGraphNode_t> after;
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<cudaGraph_t> bodies;  // of its conditional nodes
  cudaGraph_t outer = nullptr;
};

struct CUgraphExec_st {
  std::vector<cuda_double::Work> work;  // in an order that dependencies allow
  std::vector<std::pair<cudaGraphConditionalHandle, unsigned>> first_values;
};

namespace cuda_double {

enum class Side { pinned, device };

struct Block {
  size_t bytes;
  Side side;
  unsigned char* pages;  // device: its pages and one after them, out of reach
  size_t page_bytes;
};

struct Handle {
  cudaGraph_t graph;
  unsigned first_value, value;
  bool assigned, used;
};

class Runtime {
 public:
  static Runtime& get();

  std::mutex mutex;
  std::condition_variable queued, passed;
  std::mt19937 random{20261126};
  std::map<unsigned char*, Block> blocks;
  std::map<cudaStream_t, std::unique_ptr<CUstream_st>> streams;
  std::map<cudaEvent_t, std::shared_ptr<CUevent_st>> events;
  std::map<cudaGraph_t, std::unique_ptr<CUgraph_st>> graphs;
  std::map<cudaGraphExec_t, std::shared_ptr<CUgraphExec_st>> executables;
  std::map<cudaGraphConditionalHandle, Handle> handles;
  std::map<const void*, int> shared_limits;  // of functions
  cudaGraphConditionalHandle last_handle = 0;
  size_t device_bytes = 0;
  Counts counted;
  cudaError_t lost = cudaSuccess;  // what every call returns once a kernel has failed

  // With the lock held:
  CUstream_st* stream(cudaStream_t handle);  // nullptr and a violation where there is none
  std::shared_ptr<CUevent_st> event(cudaEvent_t handle);
  bool holds(const void* memory, size_t bytes, Side side) const;
  cudaError_t allocate(size_t bytes, Side side, void** memory);
  cudaError_t release(void* memory, Side side);
  /// Queues or records.
  cudaError_t submit(cudaStream_t handle, Work work);
  void push(CUstream_st& stream, Entry entry);
  /// True where the calling thread records: what it then asks for ends the recording.
  bool breaks_capture();
  void destroy(cudaGraph_t graph);
  /// Waits until nothing is queued.
  void drain(std::unique_lock<std::mutex>& lock);

 private:
  Runtime();
  void worker();
  CUstream_st* ready();
  unsigned char* arena_ = nullptr;
  size_t arena_used_ = 0;
  int key_ = -1;
};

/// Keeps a failure as this thread's latest error; returns it.
cudaError_t result(cudaError_t code);
/// Runs pieces of work in turn, on the worker.
void run_all(const std::vector<Work>& work);

/// Locks the runtime for one call of its interface.
struct Call {
  Runtime& r = Runtime::get();
  std::unique_lock<std::mutex> lock{r.mutex};
};

}  // namespace cuda_double
