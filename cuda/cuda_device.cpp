#include "cuda/cuda_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "cuda/check.h"
#include "cuda/conditional.h"
#include "cuda/disabled_options.h"
#include "sim/base/error.h"
#include "sim/base/hash.h"
#include "sim/base/log.h"

namespace weft::cuda {
namespace {

/// Thrown where work memory turns out too small while a step is recorded, when none may be allocated.
struct ScratchTooSmall {
  size_t wanted;
};

/// Makes the GPU current before the members that need it are made.
int make_current(int ordinal) {
  check(cudaSetDevice(ordinal), "GPU");
  return ordinal;
}

}  // namespace

constexpr int kNestedParts = 8;  // streams to begin with; recorded steps are nested six deep

Stream::Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream"); }
Stream::~Stream() { cudaStreamDestroy(stream_); }

CudaDevice::CudaDevice(int ordinal) : ordinal_(make_current(ordinal)) {
  cudaDeviceProp p;
  check(cudaGetDeviceProperties(&p, ordinal), "GPU");
  name_ = fmt::format("{}, CUDA", p.name);
  multiprocessors_ = p.multiProcessorCount;
  threads_ = p.maxThreadsPerMultiProcessor;
  current_ = stream_.get();
  int clusters = 0;
  check(cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, ordinal), "GPU");
  has_clusters_ = clusters != 0;
  int cooperative = 0;
  check(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, ordinal), "GPU");
  cooperative_iterations = cooperative != 0;
  int shared = 0;
  check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, ordinal), "GPU");
  shared_limit_ = size_t(shared);
  int driver = 0;
  check(cudaDriverGetVersion(&driver), "GPU");
  cooperative_in_parts_ = driver >= 12060;
  if (const char* names = std::getenv("WEFT_CUDA_OFF")) {
    const DisabledOptions off = parse_disabled_options(names);
    graphs &= !off.graphs;
    resident_iterations &= !off.resident;
    cooperative_iterations &= !off.cooperative;
  }
  for (int k = 0; k < kNestedParts; ++k) body_streams_.push_back(std::make_unique<Stream>());
  clock_ = std::make_unique<EventClock>(stream_.get());
  profiler().set_clock(clock_.get());
}

CudaDevice::~CudaDevice() {
  profiler().set_clock(nullptr);
  cudaSetDevice(ordinal_);
  cudaStreamSynchronize(stream_.get());
  if (scratch_) cudaFree(scratch_);
}

void CudaDevice::must_not_record(const char* what) const {
  if (recording_)
    throw Error(fmt::format("{} in a step that is being recorded", what), name_, "do it before");
}

void* CudaDevice::allocate(size_t bytes, const char* name) {
  must_not_record("new memory");
  // buffers are also made outside of `run`, by threads whose current GPU is the first one
  make_current(ordinal_);
  void* memory = nullptr;
  const cudaError_t code = bytes > within_limit(SIZE_MAX) ? cudaErrorMemoryAllocation
                                                          : cudaMalloc(&memory, std::max<size_t>(bytes, 1));
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // else the next launch would report it as its own
    size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    free = within_limit(free);
    throw Error(
        fmt::format(
            "no GPU memory for '{}': {:.1f} MB needed, {:.1f} MB of {:.0f} MB free, {:.1f} MB in use here",
            name, double(bytes) * 1e-6, double(free) * 1e-6, double(total) * 1e-6,
            double(bytes_in_use_) * 1e-6),
        name_, "use a coarser mesh, close other programs that use the GPU, or --device cpu");
  }
  check(code, name);
  bytes_in_use_ += bytes;
  return memory;
}

void CudaDevice::release(void* memory, size_t bytes) {
  bytes_in_use_ -= bytes;
  if (recording_) return released_.push_back(memory);
  // Called by destructors: an error that is pending here shows at the next call that can throw.
  cudaStreamSynchronize(stream_.get());
  cudaFree(memory);
}

size_t CudaDevice::bytes_free() const {
  size_t free = 0, total = 0;
  cudaSetDevice(ordinal_);
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) {
    cudaGetLastError();
    return within_limit(SIZE_MAX);  // the allocation itself will tell
  }
  return within_limit(free);
}

void CudaDevice::upload(void* to, const void* from, size_t bytes) {
  must_not_record("an upload");
  staging_.upload(to, from, bytes, stream_.get());
}

void CudaDevice::download(void* to, const void* from, size_t bytes) {
  must_not_record("a download");
  staging_.download(to, from, bytes, stream_.get());
}

void CudaDevice::copy(void* to, const void* from, size_t bytes) {
  if (bytes == 0) return;
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, current_), "copy");
}

void CudaDevice::clear(void* memory, size_t bytes) {
  if (bytes == 0) return;
  check(cudaMemsetAsync(memory, 0, bytes, current_), "clear");
}

void CudaDevice::synchronize() {
  must_not_record("a wait");
  check(cudaStreamSynchronize(stream_.get()), "synchronize");
}

void CudaDevice::run(const std::function<void()>& work) {
  make_current(ordinal_);  // a property of the calling thread
  work();
}

void CudaDevice::replay(uint64_t signature, const std::function<void()>& work) {
  // Events between stages cannot be read back from a graph that plays many times: a measured step is launched
  // one by one.
  if (!graphs || profiler().sampling()) return work();
  // A recording names the work memory of primitives, which may have moved since.
  const uint64_t key = hash_combine(signature, uint64_t(scratch_moves_));
  const StepGraph::Next next = graph_.next(key);
  if (next == StepGraph::Next::launch || (next == StepGraph::Next::record && !record_step(key, work)))
    return work();
  graph_.play(stream_.get());
  profiler().played_back();
}

void CudaDevice::record(uint64_t key, const std::function<void()>& work) {
  const auto end = [this] {
    recording_ = false;
    if (released_.empty()) return;
    cudaStreamSynchronize(stream_.get());
    for (void* memory : released_) cudaFree(memory);
    released_.clear();
  };
  recording_ = true;
  try {
    graph_.record(stream_.get(), key, work);
  } catch (...) {
    end();
    throw;
  }
  end();
}

bool CudaDevice::record_step(uint64_t key, const std::function<void()>& work) {
  try {
    record(key, work);
    return true;
  } catch (const ScratchTooSmall& e) {  // in a part of the step that had not run yet
    scratch(e.wanted);
  } catch (const DeviceLost&) {
    throw;
  } catch (const Error& e) {
    graphs = false;
    log_warning(
        "Steps are launched piece by piece on this GPU from here on, which is slower: recording one failed "
        "({})",
        e.what());
  }
  return false;
}

bool CudaDevice::capturing() const {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(current_, &status), "conditional step");
  return status != cudaStreamCaptureStatusNone;
}

bool CudaDevice::flag_set(Span<const int> flag) {
  int value = 0;
  download(&value, flag.data, sizeof value);
  return value != 0;
}

void CudaDevice::when(Span<const int> flag, const std::function<void()>& work) {
  if (!capturing()) return flag_set(flag) ? work() : void();
  record_body(record_when, flag, work);
}

void CudaDevice::repeat(Span<const int> flag, const std::function<void()>& work) {
  if (capturing()) return record_body(record_repeat, flag, work);
  while (flag_set(flag)) work();
}

void CudaDevice::record_body(decltype(record_when)& record, Span<const int> flag,
                             const std::function<void()>& work) {
  if (size_t(depth_) == body_streams_.size()) body_streams_.push_back(std::make_unique<Stream>());
  const cudaStream_t outer = current_, inner = body_streams_[depth_]->get();
  ++depth_;
  try {
    record(outer, inner, flag.data, [&] {
      current_ = inner;
      work();
    });
  } catch (...) {
    current_ = outer;
    --depth_;
    throw;
  }
  current_ = outer;
  --depth_;
}

void* CudaDevice::scratch(size_t bytes) {
  if (bytes > scratch_bytes_) {
    const size_t wanted = std::max(bytes, scratch_bytes_ * 2);
    if (capturing()) throw ScratchTooSmall{wanted};
    if (scratch_) release(scratch_, scratch_bytes_);
    scratch_ = nullptr;
    scratch_bytes_ = 0;
    scratch_ = allocate(wanted, "scratch");
    scratch_bytes_ = wanted;
    ++scratch_moves_;
  }
  return scratch_;
}

}  // namespace weft::cuda
