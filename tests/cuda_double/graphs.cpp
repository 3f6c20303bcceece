// Recordings in the double of the CUDA runtime (double.h): what is captured, made executable and played.
#include <stdexcept>

#include "tests/cuda_double/runtime.h"

namespace cuda_double {
namespace {

constexpr long kMostRounds = 1000000;

CUgraphNode_st& add(CUgraph_st& graph, Work work, std::vector<cudaGraphNode_t> after) {
  graph.nodes.push_back(std::make_unique<CUgraphNode_st>());
  CUgraphNode_st& node = *graph.nodes.back();
  node.work = std::move(work);
  node.graph = &graph;
  node.after = std::move(after);
  return node;
}

std::vector<Work> in_order(Runtime& r, const CUgraph_st& graph);

Work finished(Runtime& r, const CUgraphNode_st& node) {
  Work work = node.work;
  if (!node.body) return work;
  if (node.body->nodes.empty()) violation("a part without a node: drivers before 12.8 wait for ever for it");
  work.body = in_order(r, *node.body);
  return work;
}

/// One of the orders that dependencies allow, at random.
std::vector<Work> in_order(Runtime& r, const CUgraph_st& graph) {
  std::map<const CUgraphNode_st*, size_t> open;
  std::map<const CUgraphNode_st*, std::vector<const CUgraphNode_st*>> next;
  std::vector<const CUgraphNode_st*> ready;
  for (const auto& node : graph.nodes) {
    open[node.get()] = node->after.size();
    if (node->after.empty()) ready.push_back(node.get());
    for (const CUgraphNode_st* before : node->after) next[before].push_back(node.get());
  }
  std::vector<Work> all;
  while (!ready.empty()) {
    std::swap(ready[r.random() % ready.size()], ready.back());
    const CUgraphNode_st* const node = ready.back();
    ready.pop_back();
    all.push_back(finished(r, *node));
    for (const CUgraphNode_st* after : next[node])
      if (--open[after] == 0) ready.push_back(after);
  }
  return all;
}

void collect_handles(const Runtime& r, const std::vector<Work>& work, CUgraphExec_st& exec) {
  for (const Work& w : work) {
    if (w.kind != Work::Kind::conditional) continue;
    const Handle& h = r.handles.at(w.handle);
    if (h.assigned) exec.first_values.push_back({w.handle, h.first_value});
    collect_handles(r, w.body, exec);
  }
}

unsigned condition(cudaGraphConditionalHandle handle) {
  Call c;
  const auto at = c.r.handles.find(handle);
  if (at != c.r.handles.end()) return at->second.value;
  violation("a condition whose recording is gone");
  return 0;
}

/// As cudaGraphExecUpdate does it where it does: everything is taken over but the cluster's dimensions.
bool update(std::vector<Work>& old, const std::vector<Work>& made) {
  if (old.size() != made.size()) return false;
  for (size_t i = 0; i < old.size(); ++i)
    if (old[i].kind != made[i].kind || old[i].kind == Work::Kind::conditional) return false;
  for (size_t i = 0; i < old.size(); ++i) {
    const unsigned cluster = old[i].launch.cluster;
    old[i] = made[i];
    old[i].launch.cluster = cluster;
  }
  return true;
}

}  // namespace

void run_all(const std::vector<Work>& work) {
  for (const Work& w : work) {
    if (w.kind == Work::Kind::launch) {
      run(w.launch);
    } else if (w.kind == Work::Kind::other) {
      w.other();
    } else {
      { ++(w.loop ? Call().r.counted.whiles : Call().r.counted.ifs); }
      for (long round = 0; condition(w.handle) != 0; ++round) {
        run_all(w.body);
        if (!w.loop) break;
        if (round == kMostRounds) throw std::runtime_error("a loop that does not end");
      }
    }
  }
}

void set_condition(cudaGraphConditionalHandle handle, unsigned value) {
  Call c;
  const auto at = c.r.handles.find(handle);
  if (at == c.r.handles.end()) violation("a kernel sets a condition whose recording is gone");
  else at->second.value = value;
}

cudaError_t Runtime::submit(cudaStream_t handle, Work work) {
  CUstream_st* const s = stream(handle);
  if (!s) return cudaErrorInvalidResourceHandle;
  if (!s->capture) {
    push(*s, {[one = std::make_shared<std::vector<Work>>(1, std::move(work))] { run_all(*one); }, nullptr, 0,
              false});
    return cudaSuccess;
  }
  if (!s->capture->valid) return cudaErrorStreamCaptureInvalidated;
  if (s->capture->thread != std::this_thread::get_id()) return cudaErrorStreamCaptureWrongThread;
  s->capture->last = {&add(*s->capture->graph, std::move(work), s->capture->last)};
  return cudaSuccess;
}

void Runtime::destroy(cudaGraph_t graph) {
  for (cudaGraph_t body : graph->bodies) destroy(body);
  std::erase_if(handles, [&](const auto& h) { return h.second.graph == graph; });
  graphs.erase(graph);
}

}  // namespace cuda_double

using namespace cuda_double;

#define ENTER \
  Call c;     \
  if (c.r.lost != cudaSuccess) return result(c.r.lost)

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  ENTER;
  CUstream_st* const s = c.r.stream(stream);
  if (!s) return result(cudaErrorInvalidResourceHandle);
  *status = !s->capture         ? cudaStreamCaptureStatusNone
            : s->capture->valid ? cudaStreamCaptureStatusActive
                                : cudaStreamCaptureStatusInvalidated;
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  ENTER;
  CUstream_st* const s = c.r.stream(stream);
  if (!s || s->capture || mode != cudaStreamCaptureModeThreadLocal) return result(cudaErrorIllegalState);
  auto graph = std::make_unique<CUgraph_st>();
  s->capture = std::make_unique<Capture>();
  s->capture->graph = graph.get();
  s->capture->thread = std::this_thread::get_id();
  c.r.graphs[graph.get()] = std::move(graph);
  ++c.r.counted.recordings;
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t*,
                                          const cudaGraphEdgeData*, size_t dependencies,
                                          cudaStreamCaptureMode mode) {
  ENTER;
  CUstream_st* const s = c.r.stream(stream);
  if (!s || s->capture || mode != cudaStreamCaptureModeThreadLocal) return result(cudaErrorIllegalState);
  if (!c.r.graphs.contains(graph) || dependencies != 0) return result(cudaErrorInvalidValue);
  s->capture = std::make_unique<Capture>();
  s->capture->graph = graph;
  s->capture->thread = std::this_thread::get_id();
  s->capture->into_body = true;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  Call c;
  CUstream_st* const s = c.r.stream(stream);
  *graph = nullptr;
  if (!s || !s->capture) return result(cudaErrorIllegalState);
  if (s->capture->thread != std::this_thread::get_id()) return result(cudaErrorStreamCaptureWrongThread);
  const auto capture = std::move(s->capture);
  for (const auto& [handle, other] : c.r.streams)
    if (other->capture && other->capture->graph->outer == capture->graph)
      violation("a recording ends before its parts");
  if (capture->valid) return *graph = capture->graph, cudaSuccess;
  if (capture->into_body)
    violation("a recording that was broken off inside of a part: the driver crashes of it (6805256)");
  else c.r.destroy(capture->graph);
  return result(cudaErrorStreamCaptureInvalidated);
}

#if CUDART_VERSION >= 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long*, cudaGraph_t* graph, const cudaGraphNode_t** last,
                                     const cudaGraphEdgeData** edges, size_t* count) {
  *edges = nullptr;
#else
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long*, cudaGraph_t* graph, const cudaGraphNode_t** last,
                                        size_t* count) {
#endif
  if (const cudaError_t code = cudaStreamIsCapturing(stream, status); code != cudaSuccess) return code;
  ENTER;
  if (*status != cudaStreamCaptureStatusActive) return result(cudaErrorStreamCaptureInvalidated);
  const Capture& capture = *c.r.stream(stream)->capture;
  *graph = capture.graph;
  *last = capture.last.data();
  *count = capture.last.size();
  return cudaSuccess;
}

#if CUDART_VERSION >= 13000
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData*, size_t count, unsigned flags) {
#else
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes, size_t count,
                                                unsigned flags) {
#endif
  ENTER;
  CUstream_st* const s = c.r.stream(stream);
  if (!s || !s->capture || !s->capture->valid || flags != cudaStreamSetCaptureDependencies)
    return result(cudaErrorInvalidValue);
  s->capture->last.assign(nodes, nodes + count);
  for (const cudaGraphNode_t node : s->capture->last)
    if (node->graph != s->capture->graph) violation("a recording goes on after a node of another graph");
  return cudaSuccess;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned first_value, unsigned flags) {
  ENTER;
  if (!c.r.graphs.contains(graph)) return result(cudaErrorInvalidValue);
  *handle = ++c.r.last_handle;
  c.r.handles[*handle] = {graph, first_value, 1, (flags & cudaGraphCondAssignDefault) != 0, false};
  return cudaSuccess;
}

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData*, size_t count, cudaGraphNodeParams* params) {
#else
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             size_t count, cudaGraphNodeParams* params) {
#endif
  ENTER;
  if (params->type != cudaGraphNodeTypeConditional || params->conditional.size != 1)
    return result(cudaErrorNotSupported);
  const auto handle = c.r.handles.find(params->conditional.handle);
  if (!c.r.graphs.contains(graph) || handle == c.r.handles.end() || handle->second.graph != graph ||
      handle->second.used)
    return result(cudaErrorInvalidValue);
  handle->second.used = true;
  Work work;
  work.kind = Work::Kind::conditional;
  work.handle = params->conditional.handle;
  work.loop = params->conditional.type == cudaGraphCondTypeWhile;
  CUgraphNode_st& made = add(*graph, std::move(work), {after, after + count});
  auto body = std::make_unique<CUgraph_st>();
  body->outer = graph;
  made.body = body.get();
  graph->bodies.push_back(made.body);
  static thread_local cudaGraph_t out[1];
  out[0] = made.body;
  params->conditional.phGraph_out = out;
  c.r.graphs[made.body] = std::move(body);
  *node = &made;
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  Call c;
  if (!c.r.graphs.contains(graph) || graph->outer) return result(cudaErrorInvalidValue);
  c.r.destroy(graph);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  ENTER;
  if (!c.r.graphs.contains(graph)) return result(cudaErrorInvalidValue);
  auto made = std::make_shared<CUgraphExec_st>();
  made->work = in_order(c.r, *graph);
  collect_handles(c.r, made->work, *made);
  *exec = made.get();
  c.r.executables[*exec] = std::move(made);
  ++c.r.counted.instantiations;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return result(Call().r.executables.erase(exec) == 1 ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  ENTER;
  if (!c.r.graphs.contains(graph) || !c.r.executables.contains(exec)) return result(cudaErrorInvalidValue);
  *info = {};
  c.r.drain(c.lock);  // what is queued plays as it was
  if (!update(exec->work, in_order(c.r, *graph))) {
    info->result = cudaGraphExecUpdateErrorTopologyChanged;
    return result(cudaErrorGraphExecUpdateFailure);
  }
  ++c.r.counted.updates;
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  ENTER;
  CUstream_st* const s = c.r.stream(stream);
  const auto found = c.r.executables.find(exec);
  if (!s || found == c.r.executables.end()) return result(cudaErrorInvalidValue);
  if (s->capture) return s->capture->valid = false, result(cudaErrorStreamCaptureUnsupported);
  ++c.r.counted.played;
  c.r.push(*s, {[kept = found->second] {
                  {
                    Call call;
                    for (const auto& [handle, value] : kept->first_values)
                      if (const auto at = call.r.handles.find(handle); at != call.r.handles.end())
                        at->second.value = value;
                  }
                  run_all(kept->work);
                },
                nullptr, 0, false});
  return cudaSuccess;
}
