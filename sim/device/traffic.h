// Memory traffic of a step for measurements: bytes that its launches refer to, the same on every device.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>

namespace weft {

/// Counts for a CPU device (Device::meter). A kernel is a struct that holds its arguments by value, so its
/// own bytes show which buffers it refers to. Each of them counts once per launch and iteration: completely,
/// or, for launches of few rows, with the cache lines that these can touch. Data that caches keep between
/// launches counts again; data that rows read twice counts once.
class Traffic {
 public:
  /// Registers memory that kernels may refer to, and removes it.
  void allocated(const void* memory, size_t bytes) { buffers_[uintptr_t(memory)] = bytes; }
  void released(const void* memory) { buffers_.erase(uintptr_t(memory)); }

  void launched(const void* kernel, size_t kernel_bytes, int rows, int iterations = 1);
  /// By copies, clears and primitives.
  void moved(double bytes) {
    if (counting) bytes_ += bytes;
  }

  bool counting = false;
  /// While it was counting.
  double bytes() const { return bytes_; }

 private:
  std::map<uintptr_t, size_t> buffers_;  // by their address
  double bytes_ = 0;
};

}  // namespace weft
