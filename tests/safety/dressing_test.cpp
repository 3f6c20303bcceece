// Garments are sewn and put on under the exact checker.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/dressing/dress.h"
#include "sim/dressing/dress_cache.h"
#include "sim/garment/point_seam.h"
#include "sim/garment/sewing_params.h"
#include "sim/mannequin/body_mesh.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/rest_shape.h"
#include "sim/run/layer_order.h"
#include "sim/scene/text/scene_file.h"
#include "test_paths.h"
#include "tests/safety/scene_trials.h"
#include "tests/support/flat_patterns.h"
#include "tests/support/folder.h"

using namespace weft;

namespace {

std::string pattern(const std::string& name) {
  return std::string(WEFT_TEST_ASSETS) + "/../assets/garments/" + name + ".json";
}

Scene coarse_dressing(const std::string& name, double edge) {
  MannequinParams measures;
  measures.edge = 0.02f;
  Scene scene = dressing_scene(pattern(name), {}, edge, measures);
  scene.of<SewingParams>().settle = 0.5f;
  return scene;
}

Scene flat_dressing(const Pattern& pattern) {
  MannequinParams measures;
  measures.edge = 0.02f;
  Scene scene = dressing_scene("", {}, 0, measures);
  scene.cloths[0].file.clear(), scene.cloths[0].sewing_pattern = pattern;
  scene.of<SewingParams>().settle = 0.5f;
  return scene;
}

DressOptions quiet() {
  DressOptions options;
  options.device = DeviceChoice::cpu;
  options.cached = false;
  return options;
}

/// A skirt of two halves around a post, which overlap in front, the right one on top, with two buttons there.
Scene buttoned_skirt() {
  constexpr double kRadius = 0.115, kOverlap = 0.05, kWidth = M_PI * kRadius + kOverlap, kHeight = 0.3;
  Pattern p;
  p.edge = 0.03;
  for (const bool right : {false, true}) {
    Panel half;
    half.name = right ? "right" : "left";
    half.loops = {
        {{.start = {0, 0}}, {.start = {kWidth, 0}}, {.start = {kWidth, kHeight}}, {.start = {0, kHeight}}}};
    // bent about its middle, which is at the side of the post
    half.bend_radius = kRadius, half.bend_center = {kWidth / 2, 0};
    half.rotation = {0, right ? -90.0 : 90.0, 0};
    half.layer = right;
    const double side = right ? -1 : 1;
    // the middle, turned a little to the front, so that the overlap is there and the backs meet
    half.rotation.y -= side * glm::degrees(kOverlap / 2 / kRadius);
    const double turn = glm::radians(half.rotation.y);
    half.position = dvec3(kRadius * std::sin(turn) - std::cos(turn) * kWidth / 2, 0.7,
                          kRadius * std::cos(turn) + std::sin(turn) * kWidth / 2);
    p.panels.push_back(half);
  }
  // the left half runs from the front (x = 0) to the back, the right one from the back to the front
  p.seams.push_back({"back", {{0, 1, 0, 1}, {1, 3, 1, 0}}});
  for (const double y : {0.1, 0.24})
    p.seams.push_back({"button", {point_side(0, {kOverlap, y}), point_side(1, {kWidth - kOverlap, y})}});
  Scene scene = dressing_scene("", {}, 0, {});
  scene.cloths[0].file.clear(), scene.cloths[0].sewing_pattern = p;
  scene.obstacles[0] = {};
  scene.obstacles[0].name = "post", scene.obstacles[0].shape = ObstacleShape::capsule;
  scene.obstacles[0].size = {0.1f, 0.6f, 0.1f}, scene.obstacles[0].placement.position = {0, 0.85f, 0};
  scene.of<SewingParams>().settle = 0.3f;
  return scene;
}

struct Watched {
  Dressed dressed;
  check::Trial trial;
};

/// Dresses, and checks every so many states.
Watched watched(const Scene& scene, int every) {
  Watched out;
  DressOptions options = quiet();
  int state = 0;
  options.state = [&](Simulation& sim) {
    if (state++ % every == 0) check::look(sim, out.trial, check::BodyPlaces::reached);
  };
  out.dressed = dress(scene, options);
  return out;
}

/// Sheets that are worn turned, their right side inwards: between pleats, a collar on its stand.
bool is_turned(const Panel& panel) { return panel.name.starts_with("return") || panel.name == "collar"; }

/// Share of the area of each panel that looks away from the nearest point of the body, or towards it where it
/// is worn turned; the least of all panels.
double outward_share(const DressedGarment& g, const GarmentMesh& made, const TriMesh& body) {
  std::vector<vec3> normal(body.positions.size(), vec3(0));
  for (const ivec3& t : body.triangles)
    for (int k = 0; k < 3; ++k)
      normal[size_t(t[k])] += glm::cross(body.positions[size_t(t.y)] - body.positions[size_t(t.x)],
                                         body.positions[size_t(t.z)] - body.positions[size_t(t.x)]);
  std::vector<double> all(made.panels.size(), 0), outward(made.panels.size(), 0);
  for (size_t t = 0; t < g.mesh.triangles.size(); ++t) {
    const ivec3& tri = g.mesh.triangles[t];
    const vec3 a = g.mesh.positions[size_t(tri.x)], b = g.mesh.positions[size_t(tri.y)],
               c = g.mesh.positions[size_t(tri.z)], n = glm::cross(b - a, c - a), middle = (a + b + c) / 3.0f;
    size_t nearest = 0;
    for (size_t v = 0; v < body.positions.size(); ++v)
      if (glm::length(body.positions[v] - middle) < glm::length(body.positions[nearest] - middle))
        nearest = v;
    const size_t panel = size_t(made.panel_of_triangle[t]);
    all[panel] += double(glm::length(n));
    const bool turned = is_turned(made.pattern.panels[panel]);
    if ((glm::dot(n, normal[nearest]) > 0) != turned) outward[panel] += double(glm::length(n));
  }
  double least = 1;
  for (size_t p = 0; p < all.size(); ++p) least = std::min(least, outward[p] / all[p]);
  return least;
}

/// settle: s, for which it hangs before stretch at seams counts.
void dressed_as_promised(const std::string& name, double edge, int every, float settle = 0.5f) {
  CAPTURE(name);
  Scene scene = coarse_dressing(name, edge);
  scene.of<SewingParams>().settle = settle;
  const Watched w = watched(scene, every);
  const std::string first = w.trial.first_crossing;
  CAPTURE(first);
  CHECK(w.trial.states > 10);
  CHECK(w.trial.crossed_states == 0);
  REQUIRE(w.dressed.garments.size() == 1);
  const DressedGarment& g = w.dressed.garments[0];
  std::vector<GarmentMesh> made;
  std::vector<std::string> notices;
  scene_of_dressing(scene, made, notices);
  MannequinParams measures;
  measures.edge = 0.02f;
  const double outward = outward_share(g, made[0], make_body_mesh(measures)->mesh);
  MESSAGE(name << ": " << w.dressed.steps << " steps, " << w.trial.states
               << " states looked at, stretch at seams " << g.seam_stretch << ", " << outward
               << " of each panel's area faces outwards");
  CHECK(g.seam_stretch < 1.1);
  CHECK(outward > 0.8);
}

}  // namespace

TEST_SUITE("safety") {
  TEST_CASE(
      "a skirt is sewn around the mannequin without a crossing, closed at its seams and right side out") {
    dressed_as_promised("gathered_skirt", 0.05, 10);
  }

  TEST_CASE("a skirt is buttoned around a post without a crossing, its halves on each other") {
    const Watched w = watched(buttoned_skirt(), 5);
    const std::string first = w.trial.first_crossing;
    CAPTURE(first);
    CHECK(w.trial.crossed_states == 0);
    const DressedGarment& g = w.dressed.garments[0];
    std::vector<GarmentMesh> made;
    std::vector<std::string> notices;
    scene_of_dressing(buttoned_skirt(), made, notices);
    std::vector<int> layer;
    for (const int panel : made[0].panel_of_triangle)
      layer.push_back(made[0].pattern.panels[size_t(panel)].layer);
    const double disorder = layers_out_of_order(g.mesh.positions, g.mesh.triangles, layer);
    MESSAGE("stretch at seams and buttons " << g.seam_stretch << ", " << 100 * disorder
                                            << " % of the upper half lies below");
    CHECK(disorder < 0.02);
    CHECK(g.seam_stretch < 1.1);
  }

  TEST_CASE("triangles are divided by their edge in the world, where the finer edge is given") {
    CHECK(divisions(0.03, 1, 0.01) == 3);
    CHECK(divisions(0.03, 2, 0.01) == 6);
    CHECK(divisions(0.03, 0.5, 0.005) == 3);
    CHECK(divisions(0.03, 0.1, 0.01) == 1);  // coarser than it is
  }

  TEST_CASE("a mannequin's clips and lead-in make no difference to how it is dressed, and its measures do") {
    Scene scene = coarse_dressing("gathered_skirt", 0.06);
    const auto key = [&] {
      std::vector<GarmentMesh> made;
      std::vector<std::string> notices;
      return dressing_key(scene_of_dressing(scene, made, notices));
    };
    const uint64_t still = key();
    scene.obstacles[0].mannequin.clips = {{"walk", 2}};
    scene.obstacles[0].mannequin.params.lead_in = 0.75f;
    CHECK(key() == still);
    scene.obstacles[0].mannequin.params.waist = 0.7f;
    CHECK(key() != still);
  }

  TEST_CASE(
      "a mannequin without a lead-in starts in its first clip's pose, with the garment on and nothing "
      "crossed") {
    Scene scene = coarse_dressing("gathered_skirt", 0.06);
    scene.set("step.collision", "two_way"), scene.set("step.dt", "0.01");
    scene.cloths[0].start = "dressed";
    scene.of<SewingParams>().settle = 0.1f;
    Obstacle& body = scene.obstacles[0];
    body.mannequin.clips = {{"punch", 0}};  // with its feet apart
    std::vector<std::string> notices, faults;
    Scene as_needed = scene;
    as_needed.cloths.clear();
    dress_starts(as_needed, quiet(), notices, faults);
    CHECK(as_needed.obstacles[0].mannequin.params.lead_in < 0);  // nothing is put on
    body.mannequin.params.lead_in = 0;
    dress_starts(scene, quiet(), notices, faults);
    CHECK(faults.empty());
    for (const std::string& words : notices) CHECK(words.find("lead_in") == words.npos);
    CHECK(scene.obstacles[0].mannequin.params.lead_in == 0);
    REQUIRE(scene.cloths[0].mesh);
    const auto device = Device::create(DeviceChoice::cpu, 0);
    Simulation sim(scene, *device);
    check::Trial trial;
    for (int step = 0; step < 20; ++step) {
      check::look(sim, trial, check::BodyPlaces::reached);
      sim.step();
    }
    const std::string first = trial.first_crossing;
    CAPTURE(first);
    CHECK(trial.crossed_states == 0);
  }

  TEST_CASE("panels that cross even the thin body are named") {
    Scene scene = coarse_dressing("gathered_skirt", 0.05);
    scene.cloths[0].placement.rotation = {90, 0, 0}, scene.cloths[0].placement.position = {0, 1, -0.8f};
    CHECK_THROWS_WITH_AS(dress(scene, quiet()), doctest::Contains("panels cross the body"), Error);
  }

  TEST_CASE(
      "flat panels with low shoulders and straight sleeves are sewn around the mannequin without a "
      "crossing") {
    const Scene scene = flat_dressing(testing::flat_sleeves(1.38));
    const Watched w = watched(scene, 5);
    const std::string first = w.trial.first_crossing;
    CAPTURE(first);
    CHECK(w.trial.crossed_states == 0);
    CHECK(w.dressed.faults.empty());
    float top = 0, wide = 0;
    for (const vec3& p : w.dressed.garments[0].mesh.positions)
      top = std::max(top, p.y), wide = std::max(wide, std::abs(p.x));
    MESSAGE("top at " << top << " m, sleeves to " << wide << " m");
    CHECK(top > 1.42f);  // on the shoulders
    CHECK(wide > 0.3f);  // an arm in each sleeve
  }

  TEST_CASE("a skirt that is too wide to stay up has fallen, and that is said") {
    const Dressed dressed = dress(flat_dressing(testing::flat_skirt(0.55, 1.05, 0.4)), quiet());
    REQUIRE(dressed.faults.size() == 1);
    CHECK(dressed.faults[0].find("has fallen") != std::string::npos);
  }

  TEST_CASE("a dressing that is given up ends at once") {
    DressOptions options = quiet();
    int asked = 0;
    options.give_up = [&] { return ++asked > 20; };
    CHECK_THROWS_AS(dress(coarse_dressing("gathered_skirt", 0.05), options), Interrupted);
  }

  TEST_CASE(
      "a dressed garment is kept by its content and reads back from a file with its pattern as rest shape") {
    const testing::Folder folder;
    setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
    Scene scene = coarse_dressing("gathered_skirt", 0.06);
    scene.of<SewingParams>().settle = 0.1f;
    DressOptions options = quiet();
    options.cached = true;
    const Dressed first = dress(scene, options), again = dress(scene, options);
    CHECK(!first.from_cache);
    CHECK(again.from_cache);
    CHECK(first.garments[0].mesh.positions == again.garments[0].mesh.positions);
    scene.of<SewingParams>().tension = 31;
    DressOptions stop = options;
    stop.give_up = [] { return true; };
    CHECK_THROWS_AS(dress(scene, stop), Interrupted);  // not the same content
    unsetenv("XDG_CACHE_HOME");

    const TriMesh& mesh = first.garments[0].mesh;
    write_obj(folder / "skirt.obj", {{"skirt", &mesh.positions, &mesh.triangles, mat4(1), "cloth", nullptr,
                                      vec2(1), &mesh.corners}});
    const Scene worn = parse_scene(
        "title = \"worn\"\n[[cloth]]\nfile = \"" + (folder / "skirt.obj") + "\"\nrest = \"texture\"\n",
        "worn.toml");
    const auto device = Device::create(DeviceChoice::cpu, 0);
    std::vector<vec3> start;
    const Model model(worn, *device, start);
    const std::vector<float> rest = model.edge_rest.download();
    const Topology topology = build_topology({{"skirt", mesh}});  // elastic waistband included
    const std::vector<float> pattern = rest_lengths(topology);
    REQUIRE(rest.size() == pattern.size());
    for (size_t e = 0; e < rest.size(); ++e) CHECK(std::abs(double(rest[e] / pattern[e]) - 1) < 1e-3);
  }
}

// Each hangs as long as by default, with the edge length (m) of its mesh beside the small scenes, or 30 mm.
#define WEFT_GARMENT_IS_SEWN(garment, pattern, edge)                        \
  TEST_CASE("of the shipped garments the " garment                          \
            " sewn around the mannequin without a crossing in any state") { \
    dressed_as_promised(pattern, edge, 1, SewingParams().settle);           \
  }

TEST_SUITE("full") {
  TEST_CASE(
      "a T-shirt is sewn around the mannequin without a crossing and closed at its seams and right side "
      "out") {
    dressed_as_promised("tshirt", 0.04, 10);
  }
  WEFT_GARMENT_IS_SEWN("T-shirt is", "tshirt", 0.03)
  WEFT_GARMENT_IS_SEWN("gathered skirt is", "gathered_skirt", 0.03)
  WEFT_GARMENT_IS_SEWN("dress is", "dress", 0.03)
  WEFT_GARMENT_IS_SEWN("trousers are", "trousers", 0.028)
  WEFT_GARMENT_IS_SEWN("layered dress is", "layered_dress", 0.028)
  WEFT_GARMENT_IS_SEWN("gown is", "gown", 0.03)
  WEFT_GARMENT_IS_SEWN("tiered dress is", "tiered_dress", 0.03)
  WEFT_GARMENT_IS_SEWN("tunic is", "tunic", 0.028)
  WEFT_GARMENT_IS_SEWN("waistcoat is", "waistcoat", 0.028)
  WEFT_GARMENT_IS_SEWN("shirt with a collar is", "collar_shirt", 0.016)
  WEFT_GARMENT_IS_SEWN("lined waistcoat is", "lined_waistcoat", 0.017)
}

#undef WEFT_GARMENT_IS_SEWN
