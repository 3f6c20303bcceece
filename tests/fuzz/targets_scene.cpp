#include <cmath>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "sim/collision/two_way/two_way_params.h"
#include "sim/run/simulation.h"
#include "sim/scene/command.h"
#include "sim/scene/text/scene_file.h"
#include "sim/solvers/descent/descent_params.h"
#include "sim/solvers/newton/newton_params.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets.h"

namespace weft::fuzz {
namespace {

Device& device() {
  static const std::unique_ptr<Device> one_thread = Device::create(DeviceChoice::cpu, 1);
  return *one_thread;
}

/// A mesh that takes a millisecond. Sizes that a mesh must refuse are small: they cost nothing.
bool is_small(const Cloth& c) {
  if (c.shape == ClothShape::garment) return false;  // a target of its own
  constexpr double kMost = 400, kRefused = 2e8;
  if (!c.file.empty()) return false;
  if (c.edge <= 0) return c.vertices <= kMost;
  const auto cells = [&](double length) { return std::max(1.0, length / double(c.edge)); };
  const double all = cells(c.size.x) * cells(c.size.y);
  return all <= kMost || all > 1.1 * kRefused;
}

/// No field of a mesh: one of a body that bends takes seconds with all the checks on.
bool is_small(const Obstacle& o) { return o.file.empty() && o.sequence.empty() && o.bones.empty(); }

/// Few of everything, no other files, and iterations for a step of some milliseconds.
bool is_small(const Scene& s) {
  if (s.cloths.size() > 3 || s.obstacles.size() > 3 || s.drags.size() > 3) return false;
  if (std::max({s.of<DescentParams>().fine_iterations, s.of<DescentParams>().middle_iterations,
                s.of<DescentParams>().coarse_iterations}) > 400)
    return false;
  if (double(s.of<TwoWayParams>().handlings) * s.of<TwoWayParams>().step_limit > 600) return false;
  if (s.of<NewtonParams>().steps > 20 || s.of<NewtonParams>().cg_iterations > 200) return false;
  for (const Cloth& c : s.cloths)
    if (!is_small(c)) return false;
  for (const Obstacle& o : s.obstacles)
    if (!is_small(o)) return false;
  return true;
}

/// Steps end in numbers or in an Error.
void run_two_steps(Simulation& simulation) {
  for (int step = 0; step < 2; ++step) simulation.step();
  for (const vec3& p : simulation.positions())
    require(std::isfinite(p.x + p.y + p.z), "positions are finite");
  simulation.stats();
  simulation.handles();
  simulation.device_normals();
}

/// A square that is pinned, held and lies on a body: every part of a state is in play.
Scene held_square() {
  Scene scene;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.vertices = 20;
  cloth.size = {0.2f, 0.2f};
  Pin& pin = scene.pins.emplace_back();
  pin.where = "top_left";
  Obstacle& ball = scene.obstacles.emplace_back();
  ball.placement.position = {0, -0.15f, 0.05f};
  scene.drags.push_back({"", {0.5f, 0.5f}, 0, 1, {}});
  return scene;
}

/// The same with contact between triangles, which keeps where bodies have come.
Scene held_two_way() {
  Scene scene = held_square();
  scene.set("step.collision", "two_way");
  scene.set("step.solver", "newton");
  // Few triangles and steps: what a broken state tears apart takes all the steps that there may be, with all
  // the checks on.
  scene.obstacles[0].shape = ObstacleShape::box;
  scene.set("two_way.step_limit", "24");
  return scene;
}

}  // namespace

void scene(const std::string& bytes) {
  try {
    const Scene read = parse_scene(bytes, "input.toml");
    const std::string text = write_scene(read);
    try {
      require(parse_scene(text, "input.toml") == read, "a scene that was written reads back as it was");
    } catch (const Error& e) {
      throw std::logic_error(std::string("broken promise: a scene that was written can be read: ") +
                             e.what() + "\n" + text);
    }
  } catch (const Error&) {}
}

void scene_build(const std::string& bytes) {
  set_console_level(LogLevel::error);
  try {
    const Scene read = parse_scene(bytes, "input.toml");
    if (!is_small(read)) return;
    Simulation simulation(read, device());
    run_two_steps(simulation);
    simulation.failed_end_conditions();
    simulation.scene_to_save();
  } catch (const Error&) {}
}

void hands(const std::string& bytes) {
  const ScratchFolder& folder = ScratchFolder::get();
  try {
    const HandRecording read = read_hands(folder.write("hands.toml", bytes));
    write_hands(folder / "again.toml", read);
    HandRecording again;
    try {
      again = read_hands(folder / "again.toml");
    } catch (const Error& e) {
      throw std::logic_error(std::string("broken promise: a recording that was written can be read: ") +
                             e.what());
    }
    require(again.scene_path == read.scene_path && again.overrides == read.overrides &&
                again.steps == read.steps && again.commands.size() == read.commands.size(),
            "a recording that was written reads back as it was");
    set_console_level(LogLevel::error);
    Simulation simulation(held_square(), device());
    for (const TimedCommand& c : read.commands) {
      const auto* set = std::get_if<SetParam>(&c.command);
      if (set && set->key.find("iterations") != std::string::npos) continue;  // some settings ask for minutes
      try {
        simulation.apply(c.command);
      } catch (const Error&) {}
    }
    run_two_steps(simulation);
  } catch (const Error&) {}
}

namespace {

/// A simulation that every input begins from anew.
struct Restored {
  explicit Restored(Scene scene) : simulation(std::move(scene), device()), start(simulation.snapshot()) {}
  Simulation simulation;
  Snapshot start;
};

void restore_and_run(Restored& to, const Snapshot& read) {
  to.simulation.restore(to.start);
  to.simulation.step();
  const uint64_t before = to.simulation.hash();
  bool restored = false;
  try {
    to.simulation.restore(read);
    restored = true;
  } catch (const Error&) {}
  require(restored || to.simulation.hash() == before, "a snapshot that is refused changes nothing");
  try {
    run_two_steps(to.simulation);
  } catch (const Error&) {}
}

}  // namespace

void snapshot(const std::string& bytes) {
  set_console_level(LogLevel::error);
  try {
    const Snapshot read = read_snapshot(ScratchFolder::get().write("input.snapshot", bytes));
    static Restored with_fields(held_square()), two_way(held_two_way());
    for (Restored* to : {&with_fields, &two_way}) restore_and_run(*to, read);
  } catch (const Error&) {}
}

namespace {

void write_snapshot_seeds(const std::string& folder, const std::string& ending, Scene scene) {
  Simulation simulation(std::move(scene), device());
  write_snapshot(folder + "/start" + ending + ".snapshot", simulation.snapshot());
  simulation.apply(GrabBegin{3, 2, {0.25f, 0.25f, 0.5f}, 0.05f});
  simulation.apply(PinVertex{7, true});
  simulation.apply(PinVertex{8, true});
  for (int step = 0; step < 10; ++step) simulation.step();
  write_snapshot(folder + "/held" + ending + ".snapshot", simulation.snapshot());
}

}  // namespace

void write_snapshot_seeds(const std::string& folder) {
  write_snapshot_seeds(folder, "", held_square());
  write_snapshot_seeds(folder, "_two_way", held_two_way());
}

}  // namespace weft::fuzz
