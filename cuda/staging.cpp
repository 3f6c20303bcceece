#include "cuda/staging.h"

#include <algorithm>
#include <cstring>

#include "cuda/check.h"

namespace weft::cuda {
namespace {
// all positions of a cloth of 87,000 vertices; larger copies take turns
constexpr size_t kHalfBytes = size_t(1) << 20;
}  // namespace

Staging::Staging() {
  try {
    for (Half& half : halves_) {
      check(cudaHostAlloc(reinterpret_cast<void**>(&half.memory), kHalfBytes, cudaHostAllocDefault),
            "pinned memory");
      check(cudaEventCreateWithFlags(&half.passed, cudaEventDisableTiming), "event");
    }
  } catch (...) {
    free_all();
    throw;
  }
}

Staging::~Staging() { free_all(); }

void Staging::free_all() {
  for (Half& half : halves_) {
    if (half.passed) {
      cudaEventSynchronize(half.passed);
      cudaEventDestroy(half.passed);
    }
    if (half.memory) cudaFreeHost(half.memory);
    half = {};
  }
}

void Staging::upload(void* to, const void* from, size_t bytes, cudaStream_t stream) {
  for (size_t done = 0; done < bytes; done += kHalfBytes) {
    const size_t part = std::min(kHalfBytes, bytes - done);
    Half& half = halves_[turn_];
    turn_ = 1 - turn_;
    check(cudaEventSynchronize(half.passed), "upload");
    std::memcpy(half.memory, static_cast<const unsigned char*>(from) + done, part);
    check(cudaMemcpyAsync(static_cast<unsigned char*>(to) + done, half.memory, part, cudaMemcpyHostToDevice,
                          stream),
          "upload");
    check(cudaEventRecord(half.passed, stream), "upload");
  }
}

void Staging::download(void* to, const void* from, size_t bytes, cudaStream_t stream) {
  const size_t parts = (bytes + kHalfBytes - 1) / kHalfBytes;
  const auto begin = [&](size_t p) { return p * kHalfBytes; };
  const auto length = [&](size_t p) { return std::min(kHalfBytes, bytes - p * kHalfBytes); };
  // Part p is fetched while part p - 1 is copied out. Both halves are free for it: work on one stream keeps
  // its order, and a half that is being read by the host is not fetched into before that copy has returned.
  for (size_t p = 0; p <= parts; ++p) {
    if (p < parts) {
      Half& half = halves_[p % 2];
      check(cudaMemcpyAsync(half.memory, static_cast<const unsigned char*>(from) + begin(p), length(p),
                            cudaMemcpyDeviceToHost, stream),
            "download");
      check(cudaEventRecord(half.passed, stream), "download");
    }
    if (p > 0) {
      const Half& half = halves_[(p - 1) % 2];
      check(cudaEventSynchronize(half.passed), "download");
      std::memcpy(static_cast<unsigned char*>(to) + begin(p - 1), half.memory, length(p - 1));
    }
  }
}

}  // namespace weft::cuda
