// Times of stages on the GPU, by events around what each stage queues.
#pragma once
#include <cuda_runtime_api.h>

#include <vector>

#include "sim/device/profiler.h"

namespace weft::cuda {

/// Puts an event on the stream where a stage begins and where it ends; reads them when the GPU has passed the
/// last, without waiting for it.
class EventClock final : public StageClock {
 public:
  explicit EventClock(cudaStream_t stream) : stream_(stream) {}
  ~EventClock() override;
  EventClock(const EventClock&) = delete;
  EventClock& operator=(const EventClock&) = delete;

  void begin() override;
  void enter(int node) override;
  void leave(int node) override;
  void end() override;
  bool collect(std::vector<StageMark>& out) override;
  /// Ranges in NVTX (Nsight Systems shows them); without a tool that listens each costs a branch.
  void open_range(const char* name) override;
  void close_range() override;

 private:
  struct Span {
    int node;
    size_t first, last;  // indices into events_
  };
  size_t mark();

  cudaStream_t stream_;
  std::vector<cudaEvent_t> events_;  // reused by every sampled step
  size_t used_ = 0;
  bool failed_ = false;
  std::vector<Span> spans_;
  std::vector<size_t> open_;  // indices into spans_, innermost last
};

}  // namespace weft::cuda
