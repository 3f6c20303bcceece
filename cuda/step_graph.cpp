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

void StepGraph::record(cudaStream_t stream, uint64_t signature, const std::function<void()>& work) {
  const bool had_conditions = conditions_;
  conditions_ = false;
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "step graph");
  try {
    work();
  } catch (...) {
    cudaStreamEndCapture(stream, &graph);
    cudaGetLastError();  // of a capture that was broken off: told by what is thrown
    if (graph) cudaGraphDestroy(graph);
    drop();
    throw;
  }
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  if (ended != cudaSuccess) drop();
  check(ended, "step graph");
  if (!had_conditions && !conditions_ && patch(graph)) {
    cudaGraphDestroy(graph);
  } else {
    drop();
    source_ = graph;
    const cudaError_t code = cudaGraphInstantiate(&graph_, source_, 0);
    if (code != cudaSuccess) graph_ = nullptr, drop();
    check(code, "step graph");
  }
  recorded_ = signature;
}

/// The same sequence with other arguments is the usual case, and patching the graph takes a tenth of making it. Not with conditional nodes: each
/// recording has new handles, which its kernels set, and nothing says that the nodes that were made before look at those.
bool StepGraph::patch(cudaGraph_t graph) {
  if (!graph_) return false;
  cudaGraphExecUpdateResultInfo info;
  if (cudaGraphExecUpdate(graph_, graph, &info) == cudaSuccess) return true;
  cudaGetLastError();
  return false;
}

void StepGraph::play(cudaStream_t stream) { check(cudaGraphLaunch(graph_, stream), "step graph"); }

}  // namespace weft::cuda
