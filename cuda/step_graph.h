// A sequence of launches, recorded once and played back as a CUDA graph.
#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>

namespace weft::cuda {

class StepGraph {
 public:
  StepGraph() = default;
  ~StepGraph();
  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;
  /// Queues `work` on the stream. The first time with a signature `work` runs as it is, so that what it needs is allocated and a
  /// slider in motion costs no recording; the second time it is recorded; from then on the recording is played. Returns true if it was.
  bool run(cudaStream_t stream, uint64_t signature, const std::function<void()>& work);

 private:
  void record(cudaStream_t stream, const std::function<void()>& work);
  cudaGraphExec_t graph_ = nullptr;
  uint64_t recorded_ = 0, last_ = 0;
  bool seen_ = false;
};

}  // namespace weft::cuda
