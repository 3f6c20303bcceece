#include "tests/cuda_double/races.h"

#if WEFT_DOUBLE_RACES
#include <sched.h>

#include <atomic>

// Of the thread sanitizer's own interface.
extern "C" {
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void __tsan_on_report(const void* report);
}

namespace cuda_double::races {
namespace {

constexpr unsigned kOrdersNothing = 1;

std::atomic<long> counted{0};
thread_local void* threads[kThreads];
thread_local void* home = nullptr;
thread_local char began, ended;  // their addresses stand for what is ordered by them

}  // namespace

long reports() { return counted; }

void stay_on_one_processor() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
}

void begin_launch() {
  home = __tsan_get_current_fiber();
  for (void*& t : threads)
    if (!t) t = __tsan_create_fiber(0);
  __tsan_release(&began);
}

void end_launch() { __tsan_acquire(&ended); }
void go_on_with(unsigned thread) { __tsan_switch_to_fiber(threads[thread % kThreads], kOrdersNothing); }
void go_home() { __tsan_switch_to_fiber(home, kOrdersNothing); }
void begin_thread() { __tsan_acquire(&began); }
void end_thread() { __tsan_release(&ended); }
void arrive(void* barrier) { __tsan_release(barrier); }
void leave(void* barrier) { __tsan_acquire(barrier); }

}  // namespace cuda_double::races

void __tsan_on_report(const void*) { ++cuda_double::races::counted; }

// Volatile accesses, as those of atomic_read and atomic_write in kernels, do not race.
#define VOLATILE(name) \
  extern "C" void __tsan_volatile_##name(void*) {}
VOLATILE(read1)
VOLATILE(read2)
VOLATILE(read4)
VOLATILE(read8)
VOLATILE(read16)
VOLATILE(write1)
VOLATILE(write2)
VOLATILE(write4)
VOLATILE(write8)
VOLATILE(write16)
#endif
