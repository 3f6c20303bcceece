#include "tests/cuda_double/fibers.h"

#include <cstdint>
#include <cstdlib>

namespace cuda_double {
namespace {

constexpr size_t kStack = 64 * 1024;
thread_local Fiber* current = nullptr;

}  // namespace

#if WEFT_OWN_SWITCH

// void weft_switch(void** from, void* to): registers that a called function keeps go onto the stack, and
// those of the other one come from its stack.
extern "C" void weft_switch(void** from, void* to);
asm(R"(
.text
.type weft_switch, @function
weft_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size weft_switch, .-weft_switch
)");

namespace {

void change(Place& from, Place& to) { weft_switch(&from.stack_pointer, to.stack_pointer); }

/// As if `function` were about to be entered: its stack pointer is 8 below a multiple of 16.
void prepare(Place& place, char* stack, void (*function)()) {
  auto* top = reinterpret_cast<void**>((reinterpret_cast<uintptr_t>(stack) + kStack) / 16 * 16);
  *--top = nullptr;  // nobody to return to
  *--top = reinterpret_cast<void*>(function);
  for (int registers = 0; registers < 6; ++registers) *--top = nullptr;
  place.stack_pointer = top;
}

}  // namespace

#else

namespace {

void change(Place& from, Place& to) { swapcontext(&from.context, &to.context); }

void prepare(Place& place, char* stack, void (*function)()) {
  getcontext(&place.context);
  place.context.uc_stack.ss_sp = stack;
  place.context.uc_stack.ss_size = kStack;
  place.context.uc_link = nullptr;
  makecontext(&place.context, function, 0);
}

}  // namespace

#endif

void Fiber::main() {
  Fiber* const me = current;
  me->function_();
  me->done_ = true;
  change(me->here_, me->outside_);
  std::abort();  // resumed after its end
}

void Fiber::start(void (*function)()) {
  if (!stack_) stack_.reset(new char[kStack]);
  function_ = function;
  done_ = false;
  prepare(here_, stack_.get(), main);
}

void Fiber::resume() {
  current = this;
  change(outside_, here_);
}

void Fiber::wait() { change(here_, outside_); }

}  // namespace cuda_double
