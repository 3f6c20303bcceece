#include "cuda/stage_clock.h"

#include <nvtx3/nvToolsExt.h>

#include "cuda/check.h"

namespace weft::cuda {

EventClock::~EventClock() {
  for (cudaEvent_t e : events_) cudaEventDestroy(e);
}

size_t EventClock::mark() {
  // Called from destructors (StageScope), so it must not throw: a sample that could not be taken is dropped,
  // and the fault itself shows at the next launch or copy.
  if (used_ == events_.size()) {
    cudaEvent_t event = nullptr;
    if (cudaEventCreate(&event) != cudaSuccess) {
      cudaGetLastError();  // else the next launch would report it as its own
      failed_ = true;
      return 0;
    }
    events_.push_back(event);
  }
  if (cudaEventRecord(events_[used_], stream_) != cudaSuccess) {
    cudaGetLastError();
    failed_ = true;
  }
  return used_++;
}

void EventClock::begin() {
  used_ = 0;
  failed_ = false;
  spans_.clear();
  open_.clear();
  enter(0);
}

void EventClock::enter(int node) {
  open_.push_back(spans_.size());
  spans_.push_back({node, mark(), 0});
}

void EventClock::leave(int node) {
  // A sampled step may begin inside an open stage, whose end is then none of ours.
  if (open_.empty() || spans_[open_.back()].node != node) return;
  spans_[open_.back()].last = mark();
  open_.pop_back();
}

void EventClock::end() {
  while (!open_.empty()) leave(spans_[open_.back()].node);
}

bool EventClock::collect(std::vector<StageMark>& out) {
  if (used_ == 0 || failed_) return true;
  // The root's end was recorded last.
  if (!has_passed(events_[used_ - 1], "stage times")) return false;
  for (const Span& s : spans_) {
    float milliseconds = 0;
    float begin = 0;
    check(cudaEventElapsedTime(&milliseconds, events_[s.first], events_[s.last]), "stage times");
    check(cudaEventElapsedTime(&begin, events_[0], events_[s.first]), "stage times");
    out.push_back({s.node, double(milliseconds), double(begin)});
  }
  return true;
}

void EventClock::open_range(const char* name) { nvtxRangePushA(name); }
void EventClock::close_range() { nvtxRangePop(); }

}  // namespace weft::cuda
