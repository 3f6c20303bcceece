// Copies between pageable host memory and the GPU through two halves of pinned memory.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

namespace weft::cuda {

/// Two pinned blocks that take turns: while one is under way on the stream, the host fills or empties the
/// other. An upload returns as soon as its data is in pinned memory, so that small uploads inside a step cost
/// no wait.
class Staging {
 public:
  Staging();
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  void upload(void* to, const void* from, size_t bytes, cudaStream_t stream);
  /// Waits for all work that was queued on `stream` before.
  void download(void* to, const void* from, size_t bytes, cudaStream_t stream);

 private:
  struct Half {
    unsigned char* memory = nullptr;
    cudaEvent_t passed = nullptr;  // the stream has passed the last copy that uses this half
  };
  void free_all();
  Half halves_[2];
  int turn_ = 0;
};

}  // namespace weft::cuda
