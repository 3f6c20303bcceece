#include "cuda/step_graph.h"

#include "cuda/check.h"

namespace weft::cuda {

StepGraph::~StepGraph() { drop(); }

void StepGraph::drop() {
  if (graph_) cudaGraphExecDestroy(graph_);
  if (source_) cudaGraphDestroy(source_);
  graph_ = nullptr;
  source_ = nullptr;
}

StepGraph::Next StepGraph::next(uint64_t signature) {
  if (graph_ && recorded_ == signature) return Next::play;
  if (seen_ && last_ == signature) return Next::record;
  seen_ = true;
  last_ = signature;
  return Next::launch;
}

// Always made anew. cudaGraphExecUpdate would take a tenth of the time, but it leaves the cluster dimensions
// of what was made before (a coarsest mesh of other size has others), and conditional parts have handles of
// their recording.
void StepGraph::record(cudaStream_t stream, uint64_t signature, const std::function<void()>& work) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "step graph");
  try {
    work();
  } catch (...) {
    cudaStreamEndCapture(stream, &graph);
    cudaGetLastError();  // of a capture that was broken off: reported by what is thrown
    if (graph) cudaGraphDestroy(graph);
    drop();
    throw;
  }
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  if (ended != cudaSuccess) drop();
  check(ended, "step graph");
  drop();
  source_ = graph;
  const cudaError_t code = cudaGraphInstantiate(&graph_, source_, 0);
  if (code != cudaSuccess) graph_ = nullptr, drop();
  check(code, "step graph");
  recorded_ = signature;
}

void StepGraph::play(cudaStream_t stream) { check(cudaGraphLaunch(graph_, stream), "step graph"); }

}  // namespace weft::cuda
