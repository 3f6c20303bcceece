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

void fill_vertices(Simulation& simulation, Simulation::Scalar scalar, Frame& frame) {
  Device& device = simulation.device();
  const Span<const vec3> normals = simulation.device_normals();
  const Span<const float> values = simulation.device_scalar(scalar);
  download(device, simulation.device_positions(), frame.positions);
  download(device, normals, frame.normals);
  download(device, values, frame.scalar);
  frame.scalar_kind = scalar;
}

}  // namespace

SceneView scene_view_of(Simulation& simulation, const std::string& device_note) {
  const Topology& host = simulation.model().host;
  SceneView view;
  view.model_id = next_model_id++;
  view.scene = simulation.scene();
  view.triangles = host.triangles;
  view.edges = host.edges;
  view.uv = host.uv;
  view.rest = host.rest;
  view.cloths = host.cloths;
  view.obstacle_meshes = simulation.obstacle_meshes();
  view.device_name = simulation.device().name();
  view.device_note = device_note;
  view.guarantee = simulation.guarantee();
  view.notices = simulation.model().notices;
  return view;
}

void fill_frame(Simulation& simulation, Simulation::Scalar scalar, Frame& frame) {
  Device& device = simulation.device();
  frame.step = simulation.state().step;
  frame.time = simulation.state().time;
  frame.vertex_count = simulation.model().vertex_count();
  device.run([&] { fill_vertices(simulation, scalar, frame); });
  frame.handles = simulation.handles();
  frame.obstacles = simulation.obstacles();
  frame.pinned = simulation.pinned_vertices();
  frame.stats = simulation.stats();
  frame.stages = device.profiler().stages();
  frame.launches = device.profiler().launches();
}

void Runner::Impl::rebuild_view(bool new_model) {
  auto fresh = std::make_shared<SceneView>(scene_view_of(*simulation, device_note));
  std::lock_guard lock(mutex);
  if (!new_model && view) fresh->model_id = view->model_id;
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

void Runner::Impl::publish() {
  std::shared_ptr<Frame> frame = free_frame();
  fill_frame(*simulation, scalar, *frame);
  frame->steps_per_second = pace.steps_per_second();
  frame->real_time_factor = pace.real_time_factor();
  frame->too_slow = pace.too_slow();
  dirty = false;
  std::lock_guard lock(mutex);
  frame->id = next_frame_id++;
  frame->model_id = view->model_id;
  latest = std::move(frame);
}

}  // namespace weft
