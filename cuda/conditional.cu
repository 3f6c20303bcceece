#include "cuda/conditional.h"

#include "cuda/check.h"
#include "cuda/start.cuh"

namespace weft::cuda {
namespace {

__global__ void set_condition(cudaGraphConditionalHandle handle, const int* flag) {
  cudaGraphSetConditional(handle, *flag != 0 ? 1u : 0u);
}

__global__ void do_nothing() {}

/// Graph and last nodes of a stream that is being captured.
struct Capture {
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* last = nullptr;
  size_t count = 0;
  explicit Capture(cudaStream_t stream) {
    cudaStreamCaptureStatus status;
#if CUDART_VERSION >= 13000
    const cudaGraphEdgeData* edges = nullptr;
    check(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &last, &edges, &count),
          "conditional step");
#else
    check(cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &graph, &last, &count), "conditional step");
#endif
  }
};

cudaGraph_t add_conditional(cudaStream_t outer, cudaGraphConditionalHandle handle,
                            cudaGraphConditionalNodeType type) {
  const Capture capture(outer);
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = 1;
  cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
  check(cudaGraphAddNode(&node, capture.graph, capture.last, nullptr, capture.count, &params),
        "conditional step");
  check(cudaStreamUpdateCaptureDependencies(outer, &node, nullptr, 1, cudaStreamSetCaptureDependencies),
        "conditional step");
#else
  check(cudaGraphAddNode(&node, capture.graph, capture.last, capture.count, &params), "conditional step");
  check(cudaStreamUpdateCaptureDependencies(outer, &node, 1, cudaStreamSetCaptureDependencies),
        "conditional step");
#endif
  return params.conditional.phGraph_out[0];
}

void record(cudaStream_t outer, cudaStream_t inner, const int* flag, cudaGraphConditionalNodeType type,
            const std::function<void()>& work) {
  cudaGraphConditionalHandle handle;
  check(cudaGraphConditionalHandleCreate(&handle, Capture(outer).graph, 0, cudaGraphCondAssignDefault),
        "conditional step");
  check(start(outer, 1, 1, set_condition, handle, flag), "conditional step");
  const cudaGraph_t body = add_conditional(outer, handle, type);
  check(cudaStreamBeginCaptureToGraph(inner, body, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal),
        "conditional step");
  cudaGraph_t recorded = nullptr;
  try {
    work();
    if (type == cudaGraphCondTypeWhile) {  // tested again after each round
      check(start(inner, 1, 1, set_condition, handle, flag), "conditional step");
    } else if (Capture(inner).count == 0) {  // drivers before 12.8 wait for ever for a part without a node
      check(start(inner, 1, 1, do_nothing), "conditional step");
    }
  } catch (...) {
    cudaStreamEndCapture(inner, &recorded);
    cudaGetLastError();
    throw;
  }
  check(cudaStreamEndCapture(inner, &recorded), "conditional step");
}

}  // namespace

void record_when(cudaStream_t outer, cudaStream_t inner, const int* flag, const std::function<void()>& work) {
  record(outer, inner, flag, cudaGraphCondTypeIf, work);
}

void record_repeat(cudaStream_t outer, cudaStream_t inner, const int* flag,
                   const std::function<void()>& work) {
  record(outer, inner, flag, cudaGraphCondTypeWhile, work);
}

}  // namespace weft::cuda
