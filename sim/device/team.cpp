#include "sim/device/team.h"

#include <algorithm>
#include <cassert>
#include <system_error>

namespace weft {
namespace {

constexpr unsigned kSpinsBeforeYield = 1000;   // about 20 microseconds
constexpr unsigned kSpinsBeforeSleep = 10000;  // about 0.2 ms: longer than the gaps between loops of a step

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void wait_a_little(unsigned spins) {
  if (spins % kSpinsBeforeYield == 0) std::this_thread::yield();
  else pause();
}

}  // namespace

ThreadTeam::ThreadTeam(int threads) : size_(std::max(1, threads)), slots_(new Slot[size_]) {
  try {
    for (int m = 1; m < size_; ++m) threads_.emplace_back([this, m] { work(m); });
  } catch (const std::system_error&) {
    // The system has no more threads. No one waits for a member that does not start; the others do its part.
  }
}

ThreadTeam::~ThreadTeam() {
  stop_ = true;
  calls_.fetch_add(1);
  calls_.notify_all();
  for (auto& t : threads_) t.join();
}

void ThreadTeam::call(Job job, const void* body, int members) {
  assert(!busy_);
  busy_ = true;
  job_ = job;
  body_ = body;
  // A member that accepts the offer sees the two above; others never read them.
  for (int m = 1; m < members; ++m) slots_[m].state.store(offered, std::memory_order_release);
  calls_.fetch_add(1);
  if (sleeping_.load() > 0) calls_.notify_all();
  job(body, 0);
  for (int m = 1; m < members; ++m) {
    std::atomic<int>& state = slots_[m].state;
    int expected = offered;
    if (state.compare_exchange_strong(expected, idle, std::memory_order_acq_rel)) continue;
    for (unsigned spins = 1; state.load(std::memory_order_acquire) != idle; ++spins) wait_a_little(spins);
  }
  busy_ = false;
}

void ThreadTeam::wait_until_finished(int chunk, int iterations) {
  const std::atomic<int>& finished = slots_[chunk].finished;
  for (unsigned spins = 1; finished.load(std::memory_order_acquire) < iterations; ++spins)
    wait_a_little(spins);
}

void ThreadTeam::work(int member) {
  std::atomic<int>& state = slots_[member].state;
  uint32_t seen = 0;
  for (;;) {
    for (unsigned spins = 1; calls_.load(std::memory_order_acquire) == seen; ++spins) {
      if (spins < kSpinsBeforeSleep) {
        wait_a_little(spins);
        continue;
      }
      // The caller searches for sleepers after its call, and wait() compares once more, so no call is missed.
      sleeping_.fetch_add(1);
      calls_.wait(seen);
      sleeping_.fetch_sub(1);
      spins = 1;
    }
    // In this order: a call that is taken as seen is either before the team's end or finds stop_ set.
    seen = calls_.load(std::memory_order_acquire);
    if (stop_) return;
    int expected = offered;
    if (!state.compare_exchange_strong(expected, joined, std::memory_order_acq_rel)) continue;
    job_(body_, member);
    state.store(idle, std::memory_order_release);
  }
}

}  // namespace weft
