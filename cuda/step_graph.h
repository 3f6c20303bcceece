// A sequence of launches, recorded once and played back as a CUDA graph.
#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>

namespace weft::cuda {

class StepGraph {
 public:
  enum class Next { launch, record, play };

  StepGraph() = default;
  ~StepGraph();
  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;
  /// What to do with a sequence of this signature. The first time it is launched as it is, so that what it
  /// needs is allocated and a slider in motion costs no recording; the second time it is recorded; from then
  /// on the recording is played.
  Next next(uint64_t signature);
  /// Records what `work` queues on the stream, and queues nothing. Throws what CUDA or `work` throws; there
  /// is no recording then.
  void record(cudaStream_t stream, uint64_t signature, const std::function<void()>& work);
  /// Queues what was recorded.
  void play(cudaStream_t stream);

 private:
  void drop();
  // kept with what was made of it: the handles of conditional nodes are its own
  cudaGraph_t source_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;
  uint64_t recorded_ = 0, last_ = 0;
  bool seen_ = false;
};

}  // namespace weft::cuda
