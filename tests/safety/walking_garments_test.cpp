// Garments on mannequins that walk, under the exact checker.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sim/run/layer_order.h"
#include "sim/scene/scene_file.h"
#include "tests/safety/scene_trials.h"

using namespace weft;

namespace {

struct Garment {
  const char* scene;
  float sinks;  // m, that its top may come down on the body in ten seconds; trousers and skirts must stay up
  bool layered = false;
};
constexpr Garment kGarments[] = {{"wu2020/shirt_small", 0.03f},
                                 {"wu2020/dress_small", 0.03f},
                                 {"wu2020/layered_dress_small", 0.03f, true},
                                 {"lan2024/runway_small", 0.03f}};
constexpr int kCount = int(std::size(kGarments));

/// How high the garment's top is above the part of the body that it begins at. The body itself rises and sinks by 6 cm as it walks.
class Top {
 public:
  explicit Top(Simulation& sim) {
    const float start = highest(sim);
    const std::vector<vec3> body = check::reached_body_points(sim);
    for (size_t v = 0; v < body.size(); ++v)
      if (std::abs(body[v].y - start) < 0.03f && std::hypot(body[v].x, body[v].z) < 0.15f) there_.push_back(v);  // not the arms
    REQUIRE(there_.size() > 10);
  }
  /// m
  float over_body(Simulation& sim) const {
    const std::vector<vec3> body = check::reached_body_points(sim);
    double sum = 0;
    for (const size_t v : there_) sum += double(body[v].y);
    return highest(sim) - float(sum / double(there_.size()));
  }

 private:
  static float highest(Simulation& sim) {
    float most = -1e9f;
    for (const vec3& p : sim.positions()) most = std::max(most, p.y);
    return most;
  }
  std::vector<size_t> there_;
};

/// Walks from a jittered start; every `every`th state is looked at.
void walk(const Garment& garment, unsigned seed, float seconds, int every) {
  const std::string name = garment.scene;
  CAPTURE(name);
  CAPTURE(seed);
  Scene scene = read_scene(assets_folder() + "/scenes/" + name + ".toml");
  scene.obstacles[0].mannequin.clips = {{"walk", seconds}};
  std::mt19937 random(seed);
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(scene, *device);
  check::jitter(sim, random);
  const Top top(sim);
  const float start = top.over_body(sim);
  check::Trial trial;
  check::look(sim, trial, check::BodyPlaces::reached);
  float stretch = 0;
  const int steps = int(seconds / scene.step.dt + 0.5f);
  for (int k = 1; k <= steps; ++k) {
    sim.step();
    if (k % every != 0) continue;
    check::look(sim, trial, check::BodyPlaces::reached);
    stretch = std::max(stretch, sim.stats().max_stretch);
  }
  const auto& host = sim.model().host;
  const std::vector<int> layers = layers_of_triangles(host.triangles, host.cloths, scene);
  const double disorder = layers_out_of_order(sim.positions(), host.triangles, layers);
  const std::string first = trial.first_crossing;
  CAPTURE(first);
  MESSAGE(name << ", seed " << seed << ": " << trial.crossed_states << " of " << trial.states << " states crossed; top " << start
               << " m above the body there at the start, " << top.over_body(sim) << " m after " << seconds << " s; longest edge " << stretch << "; "
               << 100 * disorder << " % of outer layers inside");
  CHECK(trial.crossed_states == 0);
  CHECK(trial.unpromised == 0);
  CHECK(top.over_body(sim) > start - garment.sinks);
  CHECK(std::any_of(layers.begin(), layers.end(), [](int l) { return l > 0; }) == garment.layered);
  if (!garment.layered) return;
  REQUIRE(!std::isnan(disorder));  // something was compared
  CHECK(disorder < 0.02);
}

constexpr const char* kScenes[] = {"wu2020/shirt_small",    "wu2020/dress_small",       "wu2020/layered_dress_small", "wang2023/layered_dress_small",
                                   "tang2018/dress_small",  "lan2024/skirt_kick_small", "lan2024/runway_small"};

/// A scene as it ships, with its own motion, from a jittered start and in steps of `dt` (s); each state is looked at.
void as_shipped(const char* scene_name, unsigned seed, float dt, float seconds) {
  CAPTURE(scene_name);
  CAPTURE(seed);
  CAPTURE(dt);
  Scene scene = read_scene(assets_folder() + "/scenes/" + std::string(scene_name) + ".toml");
  scene.step.dt = dt;
  if (seconds <= 0) seconds = float(scene.duration);
  std::mt19937 random(seed);
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(scene, *device);
  check::jitter(sim, random);
  check::Trial trial;
  check::look(sim, trial, check::BodyPlaces::reached);
  float stretch = 0;
  for (int k = 0; k < int(seconds / dt + 0.5f); ++k) {
    sim.step();
    check::look(sim, trial, check::BodyPlaces::reached);
    stretch = std::max(stretch, sim.stats().max_stretch);
  }
  const std::string first = trial.first_crossing;
  CAPTURE(first);
  MESSAGE(std::string(scene_name) << ", steps of " << dt << " s, seed " << seed << ": " << trial.crossed_states << " of " << trial.states
                                  << " states crossed; longest edge " << stretch);
  CHECK(trial.crossed_states == 0);
  CHECK(trial.unpromised == 0);
}

/// Ten seconds in one run, of which every state is looked at, and ten jittered starts.
void walk_far(const Garment& garment) {
  walk(garment, check::safety_seed(), 10, 1);
  for (unsigned k = 0; k < 10; ++k) walk(garment, 1000 * check::safety_seed() + k, 3, 5);
}

}  // namespace

TEST_SUITE("safety") {
  TEST_CASE("a garment on a mannequin begins to walk without a crossing") {
    const unsigned seed = check::safety_seed();
    walk(kGarments[seed % kCount], seed, 0.5f, 5);
  }
  TEST_CASE("a garment scene begins as it ships, in steps of 1/30 s, without a crossing") {
    const unsigned seed = check::safety_seed();
    as_shipped(kScenes[seed % std::size(kScenes)], seed, 1.0f / 30, 0.4f);
  }
}

TEST_SUITE("full") {
  TEST_CASE("every small garment scene moves as it ships in steps of 1/100 and 1/30 s without a crossing") {
    for (const char* scene : kScenes)
      for (const float dt : {1.0f / 100, 1.0f / 30}) as_shipped(scene, check::safety_seed(), dt, 0);
  }
  TEST_CASE("the small shirt walks far and from ten jittered starts without a crossing and stays up") { walk_far(kGarments[0]); }
  TEST_CASE("the small dress walks far and from ten jittered starts without a crossing and stays up") { walk_far(kGarments[1]); }
  TEST_CASE("the small layered dress walks far and from ten jittered starts without a crossing and stays up") { walk_far(kGarments[2]); }
  TEST_CASE("the small skirt walks far and from ten jittered starts without a crossing and stays up") { walk_far(kGarments[3]); }
}
