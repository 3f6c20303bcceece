// Frames: from the simulation's buffers to what the window draws.
#include <algorithm>
#include <atomic>

#include "sim/runner_impl.h"

namespace weft {
namespace {

std::atomic<uint64_t> next_model_id{1};

/// Downloads into a vector that keeps its capacity from frame to frame.
template <class T>
void download(Device& device, Span<const T> from, std::vector<T>& to) {
  to.resize(size_t(from.size));
  if (from.size) device.download(to.data(), from.data, size_t(from.size) * sizeof(T));
}

}  // namespace

void Runner::Impl::rebuild_view(bool new_model) {
  auto fresh = std::make_shared<SceneView>();
  const Topology& host = simulation->model().host;
  fresh->model_id = new_model || !view ? next_model_id++ : view->model_id;
  fresh->scene = simulation->scene();
  fresh->triangles = host.triangles;
  fresh->edges = host.edges;
  fresh->uv = host.uv;
  fresh->rest = host.rest;
  fresh->cloths = host.cloths;
  fresh->obstacle_meshes = simulation->obstacle_meshes();
  fresh->device_name = device->name();
  fresh->device_note = device_note;
  fresh->guarantee = simulation->guarantee();
  fresh->notices = simulation->model().notices;
  std::lock_guard lock(mutex);
  view = std::move(fresh);
  dirty = true;
}

std::shared_ptr<Frame> Runner::Impl::free_frame() {
  for (auto& frame : pool) {
    if (frame.use_count() > 1) continue;
    // The reader's last access happened before it gave up its share; make that hold for this thread too.
    std::atomic_thread_fence(std::memory_order_acquire);
    return frame;
  }
  pool.push_back(std::make_shared<Frame>());
  return pool.back();
}

void Runner::Impl::fill_vertices(Frame& frame) {
  const Span<const vec3> normals = simulation->device_normals();
  const Span<const float> values = simulation->device_scalar(scalar);
  download(*device, simulation->device_positions(), frame.positions);
  download(*device, normals, frame.normals);
  download(*device, values, frame.scalar);
  frame.scalar_kind = scalar;
}

void Runner::Impl::fill(Frame& frame) {
  frame.step = simulation->state().step;
  frame.time = simulation->state().time;
  frame.vertex_count = simulation->model().vertex_count();
  device->run([&] { fill_vertices(frame); });
  frame.handles = simulation->handles();
  frame.obstacles = simulation->obstacles();
  frame.pinned = simulation->pinned_vertices();
  frame.stats = simulation->stats();
  frame.stages = device->profiler().stages();
  frame.launches = device->profiler().launches();
  frame.steps_per_second = pace.steps_per_second();
  frame.real_time_factor = pace.real_time_factor();
  frame.too_slow = pace.too_slow();
}

void Runner::Impl::publish() {
  std::shared_ptr<Frame> frame = free_frame();
  fill(*frame);
  dirty = false;
  std::lock_guard lock(mutex);
  frame->id = next_frame_id++;
  frame->model_id = view->model_id;
  latest = std::move(frame);
}

}  // namespace weft
