// Garments on mannequins that walk, under the exact checker.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sim/run/layer_order.h"
#include "sim/scene/text/scene_file.h"
#include "tests/safety/path_sample.h"

using namespace weft;

namespace {

struct Garment {
  const char* scene;
  float sinks;  // m, that its top may come down on the body in ten seconds; trousers and skirts must stay up
  bool layered = false;
  const char* cloth = nullptr;  // whose top it is; otherwise all of them
};
constexpr Garment kGarments[] = {{"wu2020/shirt_small", 0.03f},
                                 {"wu2020/dress_small", 0.03f},
                                 {"wu2020/layered_dress_small", 0.03f, true},
                                 {"lan2024/runway_small", 0.03f},
                                 {"wu2020/gown_small", 0.03f, true},
                                 {"tang2018/tiered_small", 0.03f},
                                 {"tang2018/kung_fu_small", 0.03f, false, "trousers"}};
constexpr int kCount = int(std::size(kGarments));

Scene small_scene(const std::string& name) {
  return read_scene(assets_folder() + "/scenes/" + name + ".toml");
}

/// How high the garment's top is above the part of the body that it begins at. The body itself rises and
/// sinks by 6 cm as it walks.
class Top {
 public:
  Top(Simulation& sim, const char* cloth) {
    const auto& cloths = sim.model().host.parts;
    end_ = sim.positions().size();
    for (const ModelPart& c : cloths)
      if (cloth && c.name == cloth) begin_ = size_t(c.first_vertex), end_ = begin_ + size_t(c.vertex_count);
    const float start = highest(sim);
    const std::vector<vec3> body = check::reached_body_points(sim);
    for (size_t v = 0; v < body.size(); ++v)
      // not the arms
      if (std::abs(body[v].y - start) < 0.03f && std::hypot(body[v].x, body[v].z) < 0.15f)
        there_.push_back(v);
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
  float highest(Simulation& sim) const {
    float most = -1e9f;
    for (size_t v = begin_; v < end_; ++v) most = std::max(most, sim.positions()[v].y);
    return most;
  }
  size_t begin_ = 0, end_ = 0;
  std::vector<size_t> there_;
};

check::PathSample path_sample(const Scene& scene) { return {scene.step.dt > 0.02f ? 3 : 10, 6}; }

void check_paths(const check::PathTrial& path) {
  const std::string& contact = path.first_contact;
  CAPTURE(contact);
  MESSAGE(path.pieces << " pieces of " << path.corners << " corners of the path in " << path.steps
                      << " steps were looked at (ways of up to " << 1e3 * path.farthest << " mm), "
                      << path.touching << " touch");
  CHECK(path.touching == 0);
  CHECK(path.pieces > 0);
  CHECK(path.farthest > 1e-5);
}

/// Walks from a jittered start in steps of `dt` (s). Every `every`th state and pieces of the path are looked
/// at.
void walk(const Garment& garment, unsigned seed, float seconds, int every, float dt = 0.01f) {
  const std::string name = garment.scene;
  CAPTURE(name);
  CAPTURE(seed);
  CAPTURE(dt);
  Scene scene = small_scene(name);
  scene.step.dt = dt;
  scene.obstacles[0].mannequin.clips = {{"walk", seconds}};
  std::mt19937 random(seed);
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(scene, *device);
  const double moved = check::jitter(sim, random);
  CAPTURE(moved);
  CHECK(moved > 0.1);  // or the start would hardly be another one
  const Top top(sim, garment.cloth);
  const float start = top.over_body(sim);
  check::Trial trial;
  check::look(sim, trial, check::BodyPlaces::reached);
  check::PathSampler sampler(sim, random, path_sample(scene));
  float stretch = 0;
  const int steps = int(seconds / scene.step.dt + 0.5f);
  for (int k = 1; k <= steps; ++k) {
    sampler.step();
    if (k % every != 0) continue;
    check::look(sim, trial, check::BodyPlaces::reached);
    stretch = std::max(stretch, sim.stats().max_stretch);
  }
  const auto& host = sim.model().host;
  const std::vector<int> layers = layers_of_triangles(host.triangles, host.parts, scene);
  const double disorder = layers_out_of_order(sim.positions(), host.triangles, layers);
  const std::string first = trial.first_crossing;
  CAPTURE(first);
  MESSAGE(name << ", steps of " << dt << " s, seed " << seed << ": " << trial.crossed_states << " of "
               << trial.states << " states crossed; top " << start << " m above the body there at the start, "
               << top.over_body(sim) << " m after " << seconds << " s; longest edge " << stretch << "; "
               << 100 * disorder << " % of outer layers inside");
  CHECK(trial.crossed_states == 0);
  CHECK(trial.unpromised == 0);
  check_paths(sampler.found);
  CHECK(top.over_body(sim) > start - garment.sinks);
  CHECK(std::any_of(layers.begin(), layers.end(), [](int l) { return l > 0; }) == garment.layered);
  if (!garment.layered) return;
  REQUIRE(!std::isnan(disorder));  // something was compared
  CHECK(disorder < 0.02);
}

constexpr const char* kWu[] = {"wu2020/shirt_small", "wu2020/dress_small", "wu2020/dress_hang_small",
                               "wu2020/gown_small", "wu2020/layered_dress_small"};
constexpr const char* kTang[] = {"tang2018/dress_small", "tang2018/tiered_small", "tang2018/kung_fu_small",
                                 "tang2018/swing_small"};
constexpr const char* kWang[] = {"wang2023/layered_dress_small", "wang2023/gown_small"};
constexpr const char* kLan[] = {"lan2024/skirt_kick_small", "lan2024/runway_small"};

/// Runs a scene from a jittered start; each state and pieces of the path are checked.
void run_watched(Scene scene, const std::string& what, unsigned seed, float seconds) {
  CAPTURE(what);
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(scene, *device);
  const double moved = check::jitter(sim, random);
  CAPTURE(moved);
  CHECK(moved > 0.1);  // or the start would hardly be another one
  const auto places = scene.obstacles.empty() ? check::BodyPlaces::ignored : check::BodyPlaces::reached;
  check::Trial trial;
  check::look(sim, trial, places);
  check::PathSampler sampler(sim, random, path_sample(scene));
  float stretch = 0;
  for (int k = 0; k < int(seconds / scene.step.dt + 0.5f); ++k) {
    sampler.step();
    check::look(sim, trial, places);
    stretch = std::max(stretch, sim.stats().max_stretch);
  }
  const std::string first = trial.first_crossing;
  CAPTURE(first);
  MESSAGE(what << ", steps of " << scene.step.dt << " s, seed " << seed << ": " << trial.crossed_states
               << " of " << trial.states << " states crossed; longest edge " << stretch);
  CHECK(trial.crossed_states == 0);
  CHECK(trial.unpromised == 0);
  check_paths(sampler.found);
}

/// A scene as it ships, with its own motion, in steps of `dt` (s). seconds: 0: as long as it lasts.
void as_shipped(const char* name, unsigned seed, float dt, float seconds) {
  Scene scene = small_scene(name);
  scene.step.dt = dt;
  run_watched(scene, name, seed, seconds > 0 ? seconds : float(scene.duration));
}

template <size_t N>
void all_as_shipped(const char* const (&names)[N]) {
  for (const char* name : names)
    for (const float dt : {1.0f / 100, 1.0f / 30}) as_shipped(name, check::safety_seed(), dt, 0);
}

/// A hand tears at the garment while it is worn, in steps of 1/100 and 1/30 s.
void dragged(const char* name) {
  for (const float dt : {1.0f / 100, 1.0f / 30}) {
    Scene scene = small_scene(name);
    scene.step.dt = dt, scene.duration = 2;
    std::mt19937 random(check::safety_seed());
    check::add_violent_drag(scene, random);
    run_watched(scene, std::string(name) + ", dragged", check::safety_seed(), 2);
  }
}

/// Ten seconds in one run, of which every state is checked.
void walk_far(const Garment& garment) { walk(garment, check::safety_seed(), 10, 1); }
void walk_far_in_long_steps(const Garment& garment) { walk(garment, check::safety_seed(), 10, 1, 1.0f / 30); }

void ten_starts(const Garment& garment) {
  for (unsigned k = 0; k < check::full_runs(); ++k) walk(garment, 1000 * check::safety_seed() + k, 3, 5);
}

}  // namespace

TEST_SUITE("safety") {
  TEST_CASE("a garment on a mannequin begins to walk without a crossing") {
    const unsigned seed = check::safety_seed();
    walk(kGarments[seed % kCount], seed, 0.3f, 5);
  }
  TEST_CASE("a garment scene begins as it ships, in steps of 1/30 s, without a crossing") {
    const unsigned seed = check::safety_seed();
    std::vector<const char*> all(std::begin(kWu), std::end(kWu));
    all.insert(all.end(), std::begin(kTang), std::end(kTang)),
        all.insert(all.end(), std::begin(kWang), std::end(kWang));
    all.insert(all.end(), std::begin(kLan), std::end(kLan));
    as_shipped(all[seed % all.size()], seed, 1.0f / 30, 0.4f);
  }
}

TEST_SUITE("full") {
  TEST_CASE(
      "the garment scenes after Wu 2020 move as they ship in steps of 1/100 and 1/30 s without a crossing") {
    all_as_shipped(kWu);
  }
  TEST_CASE(
      "the garment scenes after Tang 2018 move as they ship in steps of 1/100 and 1/30 s without a "
      "crossing") {
    all_as_shipped(kTang);
  }
  TEST_CASE(
      "the garment scenes after Wang 2023 move as they ship in steps of 1/100 and 1/30 s without a "
      "crossing") {
    all_as_shipped(kWang);
  }
  TEST_CASE(
      "the garment scenes after Lan 2024 move as they ship in steps of 1/100 and 1/30 s without a crossing") {
    all_as_shipped(kLan);
  }
  TEST_CASE("a skirt is kicked by a foot at more than 10 m/s without a crossing") {
    Scene scene = small_scene("lan2024/skirt_kick_small");
    scene.obstacles[0].mannequin.params.speed = 1.25f;  // 9 m/s at 1 (tests/mannequin/body_motion_test.cpp)
    for (const float dt : {1.0f / 100, 1.0f / 30}) {
      scene.step.dt = dt;
      run_watched(scene, "kicked", check::safety_seed(), 2.8f);
    }
  }
  TEST_CASE("a dress is torn at by a hand without a crossing") { dragged("wu2020/dress_small"); }
  TEST_CASE("three pieces of clothing are torn at by a hand without a crossing") {
    dragged("tang2018/kung_fu_small");
  }
  TEST_CASE("the small shirt walks far without a crossing and stays up") { walk_far(kGarments[0]); }
  TEST_CASE("the small dress walks far without a crossing and stays up") { walk_far(kGarments[1]); }
  TEST_CASE("the small layered dress walks far without a crossing and stays up") { walk_far(kGarments[2]); }
  TEST_CASE("the small skirt walks far without a crossing and stays up") { walk_far(kGarments[3]); }
  TEST_CASE("the small gown walks far without a crossing and stays up") { walk_far(kGarments[4]); }
  TEST_CASE("the small tiered dress walks far without a crossing and stays up") { walk_far(kGarments[5]); }
  TEST_CASE("trousers and a tunic and a waistcoat walk far without a crossing and the trousers stay up") {
    walk_far(kGarments[6]);
  }
  TEST_CASE("the small shirt walks far in steps of 1/30 s without a crossing and stays up") {
    walk_far_in_long_steps(kGarments[0]);
  }
  TEST_CASE("the small dress walks far in steps of 1/30 s without a crossing and stays up") {
    walk_far_in_long_steps(kGarments[1]);
  }
  TEST_CASE("the small layered dress walks far in steps of 1/30 s without a crossing and stays up") {
    walk_far_in_long_steps(kGarments[2]);
  }
  TEST_CASE("the small skirt walks far in steps of 1/30 s without a crossing and stays up") {
    walk_far_in_long_steps(kGarments[3]);
  }
  TEST_CASE("the small gown walks far in steps of 1/30 s without a crossing and stays up") {
    walk_far_in_long_steps(kGarments[4]);
  }
  TEST_CASE("the small tiered dress walks far in steps of 1/30 s without a crossing and stays up") {
    walk_far_in_long_steps(kGarments[5]);
  }
  TEST_CASE(
      "trousers and a tunic and a waistcoat walk far in steps of 1/30 s without a crossing and the trousers "
      "stay up") {
    walk_far_in_long_steps(kGarments[6]);
  }
  TEST_CASE("the small shirt walks from ten jittered starts without a crossing") { ten_starts(kGarments[0]); }
  TEST_CASE("the small dress walks from ten jittered starts without a crossing") { ten_starts(kGarments[1]); }
  TEST_CASE("the small layered dress walks from ten jittered starts without a crossing") {
    ten_starts(kGarments[2]);
  }
  TEST_CASE("the small skirt walks from ten jittered starts without a crossing") { ten_starts(kGarments[3]); }
  TEST_CASE("the small gown walks from ten jittered starts without a crossing") { ten_starts(kGarments[4]); }
  TEST_CASE("the small tiered dress walks from ten jittered starts without a crossing") {
    ten_starts(kGarments[5]);
  }
  TEST_CASE("trousers and a tunic and a waistcoat walk from ten jittered starts without a crossing") {
    ten_starts(kGarments[6]);
  }
}
