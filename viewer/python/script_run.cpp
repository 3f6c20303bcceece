#include "viewer/python/script_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "sim/base/error.h"
#include "sim/base/nearest.h"
#include "sim/base/work_watch.h"
#include "sim/dressing/dress.h"
#include "sim/run/runner.h"
#include "sim/run/simulation_run.h"
#include "sim/scene/camera_path.h"
#include "viewer/commands/run_origin.h"
#include "viewer/gl/context.h"
#include "viewer/interact/camera.h"
#include "viewer/render/renderer.h"

namespace weft {

void ScriptRecording::frame(const RunFrame& frame) {
  const std::lock_guard lock(mutex_);
  if (writer_) writer_->frame(frame), ++frames_;
}
void ScriptRecording::close() {
  const std::lock_guard lock(mutex_);
  if (const std::unique_ptr<FrameWriter> writer = std::move(writer_)) writer->finish();
}
bool ScriptRecording::open() const {
  const std::lock_guard lock(mutex_);
  return writer_ != nullptr;
}
int ScriptRecording::frames() const {
  const std::lock_guard lock(mutex_);
  return frames_;
}

ScriptRun::ScriptRun(const ScriptScene& scene, const std::string& device, int threads,
                     const std::function<bool()>& give_up)
    : files_(scene.files()) {
  if (threads < 0 || threads > 4096)
    throw Error(fmt::format("{} threads cannot be", threads), "start", "give 0 for all cores, or a number");
  if (part_count(scene.scene()) == 0 && scene.scene().obstacles.empty() && scene.scene().path.empty())
    throw Error("the scene is empty", "start", "add a cloth, or load a scene");
  device_ = Device::create(parse_device_choice(device), threads);
  const WorkWatch watch(give_up);
  simulation_ = open_simulation(scene.scene(), *device_);
  simulation_->set_recorded(false);  // nobody reads it, and a program may pose bodies in every step
}

ScriptRun::~ScriptRun() {
  for (const std::shared_ptr<ScriptRecording>& recording : recordings_) try {
      recording->close();
    } catch (const std::exception&) {  // nobody is left to be told
    }
}

ScriptRun::Turn::Turn(ScriptRun& run) : run_(run) {
  if (run.user_ == std::this_thread::get_id())
    throw Error("the simulation is in use by this thread", "simulation", "call it after the step has ended");
  run.mutex_.lock();
  run.user_ = std::this_thread::get_id();
}
ScriptRun::Turn::~Turn() {
  run_.user_ = std::thread::id();
  run_.mutex_.unlock();
}

void ScriptRun::step(const std::function<bool()>& give_up) {
  const Turn turn(*this);
  turn->step(give_up);
  if (recordings_.empty()) return;
  RunFrame frame;
  read_state(*turn, frame);
  std::exception_ptr fault;
  std::erase_if(recordings_, [&](const std::shared_ptr<ScriptRecording>& recording) {
    try {
      recording->frame(frame);
      return !recording->open();
    } catch (const std::exception&) {
      fault = std::current_exception();
      return true;  // the others go on
    }
  });
  if (fault) std::rethrow_exception(fault);
}

void ScriptRun::apply(const Command& command) {
  const Turn turn(*this);
  turn->apply(command);
}

int ScriptRun::grab(GrabBegin grab) {
  const Turn turn(*this);
  grab.handle = last_handle_ + 1;
  turn->apply(grab);
  return ++last_handle_;
}

int ScriptRun::grab(GrabVertices grab) {
  const Turn turn(*this);
  grab.handle = last_handle_ + 1;
  turn->apply(grab);
  return ++last_handle_;
}

std::vector<vec3> ScriptRun::world_positions() {
  const Turn turn(*this);
  RunFrame frame;
  read_state(*turn, frame);
  return std::move(frame.positions);
}

ScriptCheck ScriptRun::check(const std::vector<vec3>& since) {
  const Turn turn(*this);
  RunFrame frame;
  read_state(*turn, frame);
  if (!since.empty() && since.size() != frame.positions.size())
    throw Error(fmt::format("it has {} rows, and the state has {}", since.size(), frame.positions.size()),
                "check", "give what world_positions returned for an earlier state");
  const Topology& host = turn->model().host;
  std::vector<ivec3> triangles = host.triangles;
  for (const ivec2& line : host.lines) triangles.push_back(check::line_of(line));
  const int own = int(triangles.size());
  int first = turn->model().vertex_count();
  const auto& meshes = turn->obstacle_meshes();
  for (size_t i = 0; i < meshes.size(); ++i) {
    if (turn->scene().obstacles[i].shape != ObstacleShape::plane)
      for (const ivec3& t : meshes[i].triangles) triangles.push_back(t + ivec3(first));
    first += meshes[i].vertex_count();
  }
  const check::Surface surface{triangles, own};
  const std::span<const vec3> now(frame.positions);
  ScriptCheck found;
  found.state = check::find_crossings(now, surface);
  if (since.empty()) return found;
  found.path_checked = true;
  found.path = check::find_path_contacts(std::span<const vec3>(since), now, surface);
  return found;
}

RunInfo ScriptRun::info() { return recorded_info(*simulation_, "python"); }

void ScriptRun::export_state(const std::string& path) {
  const Turn turn(*this);
  ScriptRecording file(path, info());
  RunFrame frame;
  read_state(*turn, frame);
  file.frame(frame);
  file.close();
}

std::shared_ptr<ScriptRecording> ScriptRun::record(const std::string& path) {
  const Turn turn(*this);
  auto recording = std::make_shared<ScriptRecording>(path, info());
  RunFrame frame;
  read_state(*turn, frame);
  recording->frame(frame);
  recordings_.push_back(recording);
  return recording;
}

Image ScriptRun::picture(ivec2 size, const ViewSettings& view, const std::optional<CameraPose>& pose) {
  const Turn turn(*this);
  gl::HeadlessContext context;
  Renderer renderer;
  FrameRing ring(turn->device());
  const SceneView shown = scene_view_of(*turn);
  renderer.set_scene(shown);
  Frame frame;
  frame.id = 1, frame.model_id = shown.model_id;
  fill_frame(*turn, view.needed_field(), ring, true, frame, view.needed_extras());
  renderer.update(frame);
  CameraPose from = pose.value_or(CameraPose());
  if (!pose) {
    if (const auto start = start_camera(shown.scene)) {
      from = *start;
    } else {
      Camera camera;
      camera.frame(renderer.bounds(), size);
      from = camera.pose();
    }
  }
  renderer.draw(Camera(from).view(size), view);
  return gl::read_pixels(renderer.picture()->id(), size);
}

ScriptScene ScriptRun::scene() {
  const Turn turn(*this);
  return ScriptScene(turn->scene_to_save(), files_);
}

int ScriptRun::body(const std::string& name) {
  const Turn turn(*this);
  std::vector<std::string> names;
  for (const Obstacle& o : turn->scene().obstacles) names.push_back(o.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return int(found - names.begin());
  throw Error("there is no body of this name", "body " + name, did_you_mean(name, names));
}

std::vector<std::pair<std::string, double>> step_numbers(Simulation& simulation) {
  std::vector<std::pair<std::string, double>> numbers;
  const Profiler& profiler = simulation.device().profiler();
  numbers.emplace_back("step", simulation.state().step);
  numbers.emplace_back("wall_ms", profiler.wall_ms());
  numbers.emplace_back("launches", profiler.launches());
  for (const auto& number : simulation.stats().all()) numbers.push_back(number);
  for (const StageTime& stage : profiler.stages())
    if (stage.depth > 0) numbers.emplace_back(stage.path.substr(stage.path.find('/') + 1) + "_ms", stage.now);
  return numbers;
}

}  // namespace weft
