// Fibers of the double of the CUDA runtime: functions that may stop in the middle and go on later, on one
// thread.
#pragma once
#include <cstddef>
#include <memory>

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define WEFT_OWN_SWITCH 1
#else
#define WEFT_OWN_SWITCH 0
#include <ucontext.h>
#endif

namespace cuda_double {

/// Where a thread of execution stands. Of swapcontext, which asks the system at each switch, only where there
/// is no other way.
struct Place {
#if WEFT_OWN_SWITCH
  void* stack_pointer = nullptr;
#else
  ucontext_t context{};
#endif
};

class Fiber {
 public:
  /// From now on `function`, which must not throw, on this fiber's stack. Only where the last one is done.
  void start(void (*function)());
  /// From outside: goes on until it waits or is done.
  void resume();
  /// From inside: back to who resumed.
  void wait();
  bool done() const { return done_; }

 private:
  static void main();
  void (*function_)() = nullptr;
  std::unique_ptr<char[]> stack_;
  Place here_, outside_;
  bool done_ = true;
};

}  // namespace cuda_double
