// Frames: from the simulation's buffers to the window.
#include <algorithm>
#include <atomic>
#include <utility>

#include "sim/run/runner_impl.h"

namespace weft {
namespace {

std::atomic<uint64_t> next_model_id{1};

}  // namespace

SceneView scene_view_of(Simulation& simulation, const std::string& device_note) {
  const Topology& host = simulation.model().host;
  SceneView view;
  view.model_id = next_model_id++;
  view.scene = simulation.scene();
  view.triangles = host.triangles;
  view.edges = host.edges;
  view.cells = host.cells;
  view.lines = host.lines;
  view.uv = host.uv;
  view.rest = host.rest;
  view.parts = host.parts;
  view.obstacle_meshes = simulation.obstacle_meshes();
  view.device_name = simulation.device().name();
  view.device_note = device_note;
  view.guarantee = simulation.guarantee();
  view.notices = simulation.model().notices;
  return view;
}

void fill_frame(Simulation& simulation, const std::string& field, FrameRing& ring, bool host_copy,
                Frame& frame, FrameExtras extras) {
  Device& device = simulation.device();
  frame.step = simulation.state().step;
  frame.time = simulation.state().time;
  frame.field = field;
  device.run([&] {
    const Span<const vec3> normals = simulation.device_normals();
    const Span<const float> values = simulation.device_field(field);
    ring.fill(frame, simulation.device_positions(), normals, values, host_copy);
  });
  frame.handles = simulation.handles();
  frame.handle_force = 0;
  for (const HandleView& h : frame.handles) frame.handle_force = std::max(frame.handle_force, h.force);
  frame.obstacles = simulation.obstacles();
  frame.obstacle_positions.clear();
  for (const ObstacleView& o : frame.obstacles) frame.obstacle_positions.push_back(o.deformed);
  frame.pinned = simulation.pinned_vertices();
  frame.hand_pins = simulation.hand_pins();
  frame.ground_height = simulation.scene().contact.ground_height;
  frame.stats = simulation.stats();
  frame.collision = simulation.scene().step.collision;
  frame.remarks = simulation.collision_remarks(frame.stats);
  frame.contact_pairs.clear();
  if (extras.contact_pairs) frame.contact_pairs = simulation.contact_pairs(kMostPairs);
  frame.active_samples.clear();
  if (extras.active_samples) frame.active_samples = simulation.active_samples(kMostSamples);
  frame.stages = device.profiler().stages();
  frame.launches = device.profiler().launches();
}

void Runner::Impl::rebuild_view(bool new_model) {
  auto fresh = std::make_shared<SceneView>(scene_view_of(*simulation, device_note));
  fresh->load = history.loaded;
  std::lock_guard lock(mailbox.mutex);
  if (!new_model && published.view) fresh->model_id = published.view->model_id;
  else published.verdict.reset();
  published.view = std::move(fresh);
  frames.dirty = true;
}

void Runner::Impl::see(Simulation& on_the_way) {
  constexpr auto kInterval = std::chrono::milliseconds(80);
  if (Clock::now() - loads.seen_at < kInterval) return;
  SeenWork seen;
  {
    std::lock_guard lock(mailbox.mutex);
    if (loads.work) seen = loads.work->seen;
  }
  const bool same = seen.frame && seen.frame->step < on_the_way.state().step;  // else another simulation
  if (!same) seen.view = std::make_shared<SceneView>(scene_view_of(on_the_way));
  FrameRing host(on_the_way.device());
  auto frame = std::make_shared<Frame>();
  fill_frame(on_the_way, "none", host, true, *frame);
  static_cast<FrameVertices&>(*frame) = {.positions = std::move(frame->positions),
                                         .normals = std::move(frame->normals),
                                         .vertex_count = frame->vertex_count};
  frame->model_id = seen.view->model_id;
  seen.frame = std::move(frame);
  loads.seen_at = Clock::now();
  std::lock_guard lock(mailbox.mutex);
  if (loads.work) loads.work->seen = std::move(seen);
  else loads.work = Work{{}, 0, std::move(seen)};
}

std::shared_ptr<Frame> Runner::Impl::free_frame() {
  for (auto& frame : frames.pool) {
    if (frame.use_count() > 1) continue;
    // The reader's last access happened before it gave up its share; make that hold for this thread too.
    std::atomic_thread_fence(std::memory_order_acquire);
    return frame;
  }
  frames.pool.push_back(std::make_shared<Frame>());
  return frames.pool.back();
}

std::shared_ptr<const VerdictRecord> Runner::Impl::verdict(const Frame& frame) {
  if (!frames.extras.verdict) return nullptr;
  std::shared_ptr<const VerdictRecord> before;
  {
    std::lock_guard lock(mailbox.mutex);
    before = published.verdict;
  }
  auto record = before ? std::make_shared<VerdictRecord>(*before) : std::make_shared<VerdictRecord>();
  // A state that was not made just now is tested here: the start, and one to which the run went back.
  const std::shared_ptr<StateVerdict> made = std::exchange(frames.tested, nullptr);
  set_test();
  record->take(made && made->step == frame.step ? *made : (*frames.test.lock())(*simulation));
  return record;
}

void Runner::Impl::publish() {
  std::shared_ptr<Frame> frame = free_frame();
  fill_frame(*simulation, frames.field, *ring, options.host_copy, *frame, frames.extras);
  if (!crossings.words.empty() && !frame->remarks.empty()) frame->remarks.front() = crossings.words;
  frame->steps_per_second = play.pace.steps_per_second();
  frame->real_time_factor = play.pace.real_time_factor();
  frame->too_slow = play.pace.too_slow();
  frames.dirty = false;
  frame->watched.clear();
  for (const int v : frames.watched)
    if (v >= 0 && v < int(frame->positions.size()))
      frame->watched.emplace_back(v, frame->positions[size_t(v)]);
  if (listener) listener->published(frame->stats);
  const auto found = verdict(*frame);
  auto timeline = std::make_shared<RunTimeline>(
      history.rewind.timeline(simulation->recorded().size() > history.recorded_from));
  std::lock_guard lock(mailbox.mutex);
  published.timeline = std::move(timeline);
  published.verdict = found;
  frame->id = frames.next_id++;
  frame->model_id = published.view->model_id;
  if (published.numbers.size() >= kMostNumbers) published.numbers.pop_front();
  published.numbers.push_back(*frame);
  published.latest = std::move(frame);
}

}  // namespace weft
