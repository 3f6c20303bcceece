#include "viewer/session/first_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "sim/base/work_watch.h"
#include "sim/dressing/dress.h"
#include "sim/run/simulation.h"
#include "viewer/commands/scene_input.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kShareOfStep = 0.85;        // of the time that a step simulates: the rest is for the picture
constexpr int kFewest = 1000, kRound = 500;  // vertices
constexpr double kMeasured = 1;              // s of wall-clock time
constexpr int kFirstSteps = 2;               // with allocations and lists that grow

/// The scene in motion from its beginning.
Scene without_waiting(Scene scene) {
  for (Pin& pin : scene.pins) {
    if (pin.motion.keys.empty()) continue;
    const auto begin = pin.motion.keys.front().time;
    for (MotionKey& key : pin.motion.keys) key.time -= begin;
  }
  return scene;
}

}  // namespace

int fitting_vertices(int vertices, double seconds, double dt) {
  const double share = kShareOfStep * dt / std::max(seconds, 1e-9);
  if (share >= 1 || vertices <= kFewest) return vertices;
  return std::max(kFewest, int(share * vertices) / kRound * kRound);
}

double measure_first_scene(const Scene& scene, DeviceChoice choice, int threads) {
  const auto device = Device::create(choice, threads);
  const auto opened = open_simulation(without_waiting(scene), *device);
  Simulation& simulation = *opened;
  for (int k = 0; k < kFirstSteps; ++k) simulation.step(WorkWatch::asked());
  const auto begin = Clock::now();
  int steps = 0;
  double passed = 0;
  for (; passed < kMeasured; ++steps) {
    WorkWatch::report("Measuring what this computer simulates in real time", passed / kMeasured);
    simulation.step(WorkWatch::asked());
    passed = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  return passed / steps;
}

std::string name_of_device(DeviceChoice choice, int threads) {
  std::string cpu, gpu;
  for (const DeviceInfo& device : list_devices())
    if (device.usable) (device.kind == DeviceKind::cuda ? gpu : cpu) = device.name;
  return choice != DeviceChoice::cpu && !gpu.empty() ? gpu : fmt::format("{}, {} threads", cpu, threads);
}

WindowOptions with_fitting_mesh(WindowOptions options, WindowSettings& settings, int threads,
                                const MeasureScene& measure) {
  if (options.fresh || !options.input.empty() || !options.playback.empty()) return options;
  const int all = options.scene.cloths.front().vertices;
  const std::string device = name_of_device(options.device, threads);
  int vertices = int(settings.number("first_scene.vertices", 0));
  if (vertices < kFewest || vertices > all || settings.text("first_scene.device", "") != device) {
    Scene scene = options.scene;
    for (const auto& [key, text] : options.overrides)
      if (key.rfind("view.", 0) != 0) scene.set(key, text);
    vertices = fitting_vertices(all, measure(scene, options.device, threads), double(scene.step.dt));
    settings.set("first_scene.vertices", float(vertices));
    settings.set("first_scene.device", device);
    settings.save();
  }
  if (vertices == all) return options;
  options.input = vertices_argument(vertices);
  set_vertices(options.scene, vertices);
  return options;
}

}  // namespace weft
