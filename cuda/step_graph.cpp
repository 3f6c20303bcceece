#include "cuda/step_graph.h"

#include "cuda/check.h"

namespace weft::cuda {

StepGraph::~StepGraph() {
  if (graph_) cudaGraphExecDestroy(graph_);
}

bool StepGraph::run(cudaStream_t stream, uint64_t signature, const std::function<void()>& work) {
  if (!graph_ || recorded_ != signature) {
    if (!seen_ || last_ != signature) {
      seen_ = true;
      last_ = signature;
      work();
      return false;
    }
    record(stream, work);
    recorded_ = signature;
  }
  check(cudaGraphLaunch(graph_, stream), "step graph");
  return true;
}

void StepGraph::record(cudaStream_t stream, const std::function<void()>& work) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "step graph");
  try {
    work();
  } catch (...) {
    cudaStreamEndCapture(stream, &graph);
    if (graph) cudaGraphDestroy(graph);
    throw;
  }
  check(cudaStreamEndCapture(stream, &graph), "step graph");
  // The same sequence with other arguments is the usual case, and patching the graph takes a tenth of making it.
  cudaGraphExecUpdateResultInfo info;
  if (graph_ && cudaGraphExecUpdate(graph_, graph, &info) != cudaSuccess) {
    cudaGetLastError();
    cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
  }
  const cudaError_t code = graph_ ? cudaSuccess : cudaGraphInstantiate(&graph_, graph, 0);
  cudaGraphDestroy(graph);
  check(code, "step graph");
}

}  // namespace weft::cuda
