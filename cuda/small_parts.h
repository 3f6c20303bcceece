// Conditional parts of a recording that are too small for a node of their own.
//
// Such a node costs 4.7 us where the part is skipped and 8.7 us where it is taken (H200), a kernel that ends
// at once 0.6 us. So parts of few launches are always launched, and their kernels look at a flag first. The
// flag is a copy of the part's condition, made where the part begins: the part may change the condition
// itself.
#pragma once
#include <cuda_runtime_api.h>

#include <functional>

namespace weft::cuda {

class SmallParts {
 public:
  static constexpr int kMost = 8;  // launches of a small part, its parts and their copied conditions included
  static constexpr int kTooMany = kMost + 1;  // of what cannot look at a flag: loops, CUB

  /// On the current GPU.
  SmallParts();
  ~SmallParts();
  SmallParts(const SmallParts&) = delete;
  SmallParts& operator=(const SmallParts&) = delete;

  /// Off: every part has a node.
  bool on = true;
  /// A new recording begins, and none that is older will be played.
  void begin() { used_ = 0; }
  /// Kernels that are launched now do nothing where *wanted() is 0; nullptr: all are wanted.
  const int* wanted() const { return wanted_; }
  bool counting() const { return counting_; }
  /// While a part is counted: adds `launches`, and returns true: they must not be made.
  bool count(int launches) {
    count_ += counting_ ? launches : 0;
    return counting_;
  }
  /// Whether `work`, which is run for it but launches nothing, is small, and there is room for its flags.
  bool fits(const std::function<void()>& work);
  /// Launches what is small on a stream that is being captured, to run where flag[0] is not 0 when its turn
  /// comes.
  void record(cudaStream_t stream, const int* flag, const std::function<void()>& work);

 private:
  int* flags_ = nullptr;  // on the device, one per part of a recording
  int used_ = 0, count_ = 0;
  bool counting_ = false;
  const int* wanted_ = nullptr;
};

}  // namespace weft::cuda
