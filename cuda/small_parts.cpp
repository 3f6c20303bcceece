#include "cuda/small_parts.h"

#include <utility>

#include "cuda/check.h"
#include "cuda/conditional.h"

namespace weft::cuda {
namespace {

constexpr int kFlags = 1024;  // parts of one recording; those beyond have nodes

/// Sets a variable for the length of a scope.
template <class T>
struct Set {
  T& variable;
  T before;
  Set(T& v, T now) : variable(v), before(std::exchange(v, now)) {}
  ~Set() { variable = before; }
};

}  // namespace

SmallParts::SmallParts() {
  check(cudaMalloc(reinterpret_cast<void**>(&flags_), kFlags * sizeof(int)), "conditional step");
}

SmallParts::~SmallParts() { cudaFree(flags_); }

bool SmallParts::fits(const std::function<void()>& work) {
  if (!on || used_ + kMost > kFlags) return false;
  const Set<bool> now(counting_, true);
  count_ = 0;
  work();
  return count_ <= kMost;
}

void SmallParts::record(cudaStream_t stream, const int* flag, const std::function<void()>& work) {
  int* const copied = flags_ + used_++;
  copy_condition(stream, copied, flag, wanted_);
  const Set<const int*> now(wanted_, copied);
  work();
}

}  // namespace weft::cuda
