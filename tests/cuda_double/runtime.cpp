// Memory, streams and events of the double of the CUDA runtime (double.h).
#include "tests/cuda_double/runtime.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace cuda_double {
namespace {

constexpr size_t kPage = 4096;
// Bytes of addresses, of which few get memory.
#if WEFT_DOUBLE_RACES
constexpr size_t kArena = size_t(1) << 39;  // as far as the thread sanitizer goes
#else
constexpr size_t kArena = size_t(1) << 42;
#endif
constexpr unsigned char kGarbage = 0xcd;

thread_local cudaError_t latest = cudaSuccess;
thread_local int current_device = 0;

std::mutex violations_mutex;
std::vector<std::string> violations;
int expecting = 0;

size_t rounded(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

Gpu& gpu() {
  static Gpu g;
  return g;
}

Counts counts() { return Call().r.counted; }

void violation(const std::string& what) {
  const std::lock_guard lock(violations_mutex);
  if (expecting > 0) return violations.push_back(what);
  std::fprintf(stderr, "\ndouble of the CUDA runtime: %s\n", what.c_str());
  std::abort();
}

Expected::Expected() {
  const std::lock_guard lock(violations_mutex);
  if (expecting++ == 0) violations.clear();
}

Expected::~Expected() {
  const std::lock_guard lock(violations_mutex);
  --expecting;
}

std::vector<std::string> Expected::seen() const {
  const std::lock_guard lock(violations_mutex);
  return violations;
}

cudaError_t result(cudaError_t code) {
  if (code != cudaSuccess) latest = code;
  return code;
}

Runtime& Runtime::get() {
  static Runtime& runtime = *new Runtime;  // never ends: its thread has no end either
  return runtime;
}

Runtime::Runtime() {
  void* const arena = mmap(nullptr, kArena, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED) std::perror("double of the CUDA runtime"), std::abort();
  arena_ = static_cast<unsigned char*>(arena);
  key_ = pkey_alloc(
      0,
      PKEY_DISABLE_ACCESS);  // -1 where the processor has none: then the host may touch device memory unseen
  std::thread([this] { worker(); }).detach();
}

CUstream_st* Runtime::stream(cudaStream_t handle) {
  const auto at = streams.find(handle);
  if (at != streams.end() && !at->second->destroyed) return at->second.get();
  violation("a stream that is not there");
  return nullptr;
}

std::shared_ptr<CUevent_st> Runtime::event(cudaEvent_t handle) {
  const auto at = events.find(handle);
  if (at != events.end()) return at->second;
  violation("an event that is not there");
  return nullptr;
}

bool Runtime::holds(const void* memory, size_t bytes, Side side) const {
  auto* const at = static_cast<unsigned char*>(const_cast<void*>(memory));
  auto block = blocks.upper_bound(at);
  if (block == blocks.begin()) return false;
  --block;
  const size_t offset = size_t(at - block->first);
  return block->second.side == side && offset <= block->second.bytes && bytes <= block->second.bytes - offset;
}

/// Ends of blocks lie on ends of pages, up to their alignment of 256 bytes, and the page after each is out of
/// reach.
cudaError_t Runtime::allocate(size_t bytes, Side side, void** memory) {
  Block block{bytes, side, nullptr, rounded(std::max<size_t>(bytes, 1), kPage)};
  if (side == Side::device && device_bytes + bytes > gpu().memory) return cudaErrorMemoryAllocation;
  block.pages = arena_ + arena_used_;
  arena_used_ += block.page_bytes + kPage;
  if (mprotect(block.pages, block.page_bytes, PROT_READ | PROT_WRITE) != 0) return cudaErrorMemoryAllocation;
  std::memset(block.pages, kGarbage, block.page_bytes);
  if (side == Side::device) {
    device_bytes += bytes;
    if (key_ >= 0) pkey_mprotect(block.pages, block.page_bytes, PROT_READ | PROT_WRITE, key_);
  }
  auto* const start = block.pages + block.page_bytes - rounded(std::max<size_t>(bytes, 1), 256);
  blocks[start] = block;
  *memory = start;
  return cudaSuccess;
}

cudaError_t Runtime::release(void* memory, Side side) {
  const auto at = blocks.find(static_cast<unsigned char*>(memory));
  if (at == blocks.end() || at->second.side != side) {
    violation("memory is given back that is not there");
    return cudaErrorInvalidValue;
  }
  const Block& block = at->second;
  if (side == Side::device) device_bytes -= block.bytes;
  // Its addresses stay taken: whoever still uses them is out of luck at once.
  mmap(block.pages, block.page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
       0);
  blocks.erase(at);
  return cudaSuccess;
}

void Runtime::push(CUstream_st& stream, Entry entry) {
  stream.line.push_back(std::move(entry));
  queued.notify_one();
}

bool Runtime::breaks_capture() {
  bool broken = false;
  for (auto& [handle, s] : streams)
    if (s->capture && s->capture->thread == std::this_thread::get_id())
      s->capture->valid = false, broken = true;
  return broken;
}

/// One of the streams whose first entry may run, at random.
CUstream_st* Runtime::ready() {
  std::vector<CUstream_st*> all;
  for (auto& [handle, s] : streams)
    if (!s->line.empty() && !(s->line.front().waits && s->line.front().event->passed < s->line.front().turn))
      all.push_back(s.get());
  return all.empty() ? nullptr : all[random() % all.size()];
}

void Runtime::worker() {
  if (key_ >= 0) pkey_set(key_, 0);
  std::unique_lock lock(mutex);
  for (;;) {
    CUstream_st* const s = ready();
    if (!s) {
      std::erase_if(streams, [](const auto& at) { return at.second->destroyed && at.second->line.empty(); });
      queued.wait(lock);
      continue;
    }
    Entry& entry = s->line.front();
    if (gpu().late && random() % 32 == 0) {
      lock.unlock();
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      lock.lock();
    }
    if (entry.run && lost == cudaSuccess) {
      lock.unlock();
      cudaError_t failed = cudaSuccess;
      try {
        entry.run();
      } catch (const std::exception& e) {
        violation(e.what());
        failed = cudaErrorIllegalAddress;
      }
      lock.lock();
      if (failed != cudaSuccess) lost = failed;
    }
    if (entry.event && !entry.waits) {
      entry.event->passed = entry.turn;
      entry.event->at = std::chrono::steady_clock::now();
    }
    if (!s->line.empty()) s->line.pop_front();
    passed.notify_all();
  }
}

void Runtime::drain(std::unique_lock<std::mutex>& lock) {
  passed.wait(lock, [&] {
    return std::all_of(streams.begin(), streams.end(),
                       [](const auto& at) { return at.second->line.empty(); });
  });
}

void reset() {
  Call c;
  c.r.drain(c.lock);
  c.r.lost = cudaSuccess;
  latest = cudaSuccess;
}

cudaError_t queue(cudaStream_t stream, const char* name, std::function<void()> work) {
  Call c;
  if (c.r.lost != cudaSuccess) return result(c.r.lost);
  Work w;
  w.name = name;
  w.other = std::move(work);
  return result(c.r.submit(stream, std::move(w)));
}

}  // namespace cuda_double

using namespace cuda_double;

#define ENTER \
  Call c;     \
  if (c.r.lost != cudaSuccess) return result(c.r.lost)
#define NOT_IN_A_CAPTURE \
  if (c.r.breaks_capture()) return result(cudaErrorStreamCaptureUnsupported)

// Errors.

cudaError_t cudaGetLastError() {
  const cudaError_t lost = Call().r.lost;
  return lost != cudaSuccess ? lost : std::exchange(latest, cudaSuccess);
}

const char* cudaGetErrorName(cudaError_t error) {
#define NAME(e) \
  case e: return #e
  switch (error) {
    NAME(cudaSuccess);
    NAME(cudaErrorMemoryAllocation);
    NAME(cudaErrorNotReady);
    NAME(cudaErrorInvalidValue);
    NAME(cudaErrorInvalidDevice);
    NAME(cudaErrorNoDevice);
    NAME(cudaErrorIllegalAddress);
    NAME(cudaErrorInvalidConfiguration);
    NAME(cudaErrorInvalidResourceHandle);
    NAME(cudaErrorCooperativeLaunchTooLarge);
    NAME(cudaErrorInvalidClusterSize);
    NAME(cudaErrorStreamCaptureUnsupported);
    NAME(cudaErrorStreamCaptureInvalidated);
    NAME(cudaErrorStreamCaptureIsolation);
    NAME(cudaErrorGraphExecUpdateFailure);
    default: return "an error that the double has no name for";
  }
#undef NAME
}

const char* cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }

// Devices.

cudaError_t cudaDriverGetVersion(int* version) {
  *version = gpu().driver;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = gpu().devices;
  return result(*count > 0 ? cudaSuccess : cudaErrorNoDevice);
}

cudaError_t cudaSetDevice(int device) {
  ENTER;
  if (device < 0 || device >= gpu().devices) return result(cudaErrorInvalidDevice);
  current_device = device;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = current_device;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  ENTER;
  if (device < 0 || device >= gpu().devices) return result(cudaErrorInvalidDevice);
  *p = {};
  std::snprintf(p->name, sizeof p->name, "no GPU but a double of the runtime");
  p->multiProcessorCount = gpu().multiprocessors;
  p->maxThreadsPerMultiProcessor = gpu().threads;
  p->major = gpu().major;
  p->totalGlobalMem = gpu().memory;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrCooperativeLaunch: *value = 1; break;
    case cudaDevAttrClusterLaunch: *value = gpu().major >= 9; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = gpu().major >= 9 ? 232448 : 65536; break;
    default: return result(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  ENTER;
  *total = gpu().memory;
  *free = gpu().memory - std::min(gpu().memory, c.r.device_bytes);
  return cudaSuccess;
}

// Memory.

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  ENTER;
  NOT_IN_A_CAPTURE;
  return result(c.r.allocate(bytes, Side::device, memory));
}

cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned) {
  ENTER;
  NOT_IN_A_CAPTURE;
  return result(c.r.allocate(bytes, Side::pinned, memory));
}

cudaError_t cudaFree(void* memory) {
  Call c;
  NOT_IN_A_CAPTURE;
  return result(memory ? c.r.release(memory, Side::device) : cudaSuccess);
}

cudaError_t cudaFreeHost(void* memory) {
  Call c;
  NOT_IN_A_CAPTURE;
  return result(memory ? c.r.release(memory, Side::pinned) : cudaSuccess);
}

/// Pageable memory is refused, which the real runtime takes and copies in its own time.
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  ENTER;
  const Side to_side = kind == cudaMemcpyDeviceToHost ? Side::pinned : Side::device;
  const Side from_side = kind == cudaMemcpyHostToDevice ? Side::pinned : Side::device;
  if (!c.r.holds(to, bytes, to_side) || !c.r.holds(from, bytes, from_side))
    return result(cudaErrorInvalidValue);
  auto *const t = static_cast<unsigned char*>(to), *const f = const_cast<unsigned char*>(
                                                       static_cast<const unsigned char*>(from));
  if (t < f + bytes && f < t + bytes) return result(cudaErrorInvalidValue);
  Work w;
  w.name = "copy";
  w.other = [=] { std::memcpy(to, from, bytes); };
  return result(c.r.submit(stream, std::move(w)));
}

cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  ENTER;
  if (!c.r.holds(memory, bytes, Side::device)) return result(cudaErrorInvalidValue);
  Work w;
  w.name = "clear";
  w.other = [=] { std::memset(memory, value, bytes); };
  return result(c.r.submit(stream, std::move(w)));
}

// Streams and events.

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  ENTER;
  auto made = std::make_unique<CUstream_st>();
  *stream = made.get();
  c.r.streams[*stream] = std::move(made);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  Call c;
  CUstream_st* const s = c.r.stream(stream);
  if (!s) return result(cudaErrorInvalidResourceHandle);
  if (s->capture) violation("a stream is destroyed while it records");
  s->destroyed = true;
  c.r.queued.notify_one();
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  ENTER;
  CUstream_st* const s = c.r.stream(stream);
  if (!s) return result(cudaErrorInvalidResourceHandle);
  NOT_IN_A_CAPTURE;
  c.r.passed.wait(c.lock, [&] { return s->line.empty(); });
  return result(c.r.lost);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  ENTER;
  CUstream_st* const s = c.r.stream(stream);
  const auto e = c.r.event(event);
  if (!s || !e) return result(cudaErrorInvalidResourceHandle);
  if (s->capture) return s->capture->valid = false, result(cudaErrorStreamCaptureIsolation);
  c.r.push(*s, {nullptr, e, e->recorded, true});
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  ENTER;
  const auto made = std::make_shared<CUevent_st>();
  made->timed = !(flags & cudaEventDisableTiming);
  *event = made.get();
  c.r.events[*event] = made;
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  Call c;
  if (!c.r.event(event)) return result(cudaErrorInvalidResourceHandle);
  c.r.events.erase(event);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  ENTER;
  CUstream_st* const s = c.r.stream(stream);
  const auto e = c.r.event(event);
  if (!s || !e) return result(cudaErrorInvalidResourceHandle);
  // The real one takes it, and the event cannot be asked about; nothing in cuda/ wants that.
  if (s->capture) return s->capture->valid = false, result(cudaErrorStreamCaptureUnsupported);
  c.r.push(*s, {nullptr, e, ++e->recorded, false});
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  ENTER;
  const auto e = c.r.event(event);
  if (!e) return result(cudaErrorInvalidResourceHandle);
  NOT_IN_A_CAPTURE;
  return result(e->passed >= e->recorded ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  ENTER;
  const auto e = c.r.event(event);
  if (!e) return result(cudaErrorInvalidResourceHandle);
  NOT_IN_A_CAPTURE;
  const uint64_t turn = e->recorded;
  c.r.passed.wait(c.lock, [&] { return e->passed >= turn; });
  return result(c.r.lost);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  ENTER;
  const auto b = c.r.event(begin), e = c.r.event(end);
  if (!b || !e || !b->timed || !e->timed || b->recorded == 0 || e->recorded == 0)
    return result(cudaErrorInvalidResourceHandle);
  if (b->passed < b->recorded || e->passed < e->recorded) return result(cudaErrorNotReady);
  *milliseconds = std::chrono::duration<float, std::milli>(e->at - b->at).count();
  return cudaSuccess;
}
