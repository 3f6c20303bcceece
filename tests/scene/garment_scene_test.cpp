// Garments in scene files, and one that is worn.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/garment/pattern.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/text/scene_file.h"
#include "test_paths.h"
#include "tests/safety/scene_trials.h"
#include "tests/support/text.h"

using namespace weft;
using testing::contains;

namespace {

const char* const kTube = R"(
title = "A tube"
[[garment]]
name = "sleeve"
edge = 0.02
[[garment.panel]]
name = "a"
outline = [ { at = [0, 0], name = "hem" }, { at = [0.375, 0] }, { at = [0.375, 0.25], control = [0.25, 0.3125] }, { at = [0, 0.25] } ]
grain = 0
bend_radius = 0.0625
bend_center = [0.1875, 0]
[[garment.seam]]
name = "under"
sides = [ { panel = "a", edge = 1 }, { panel = "a", edge = 3, from = 1, to = 0 } ]
[[garment.seam]]
elastic = 0.75
sides = [ { panel = "a", edge = "hem" } ]
)";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kTube;
  const size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}
std::string fault(const std::string& text) {
  try {
    parse_scene(text, "s.toml");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

/// The gathered skirt of the assets around waist and hips.
std::string skirt_scene() {
  return std::string(R"(
title = "Skirt"
[step]
collision = "two_way"
[contact]
ground = false
[[garment]]
name = "skirt"
pattern = ")") +
         WEFT_TEST_ASSETS + R"(/../assets/garments/gathered_skirt.json"
edge = 0.03
[[obstacle]]
name = "waist"
shape = "capsule"
radius = 0.085
length = 0.3
position = [0, 1.05, 0]
[[obstacle]]
name = "hips"
shape = "sphere"
radius = 0.13
position = [0, 0.9, 0]
)";
}

}  // namespace

TEST_CASE(
    "a garment with its pattern in the scene is written and read back, among other cloths in their order") {
  const std::string text = std::string("[[cloth]]\nname = \"before\"\n") +
                           std::string(kTube).substr(std::string(kTube).find("[[garment]]")) +
                           "[[cloth]]\nname = \"after\"\n";
  const Scene scene = parse_scene(text, "s.toml");
  REQUIRE(scene.cloths.size() == 3);
  CHECK(scene.cloths[0].name == "before");
  CHECK(scene.cloths[1].name == "sleeve");
  CHECK(scene.cloths[2].name == "after");
  const Pattern& p = *scene.cloths[1].sewing_pattern;
  CHECK(edge_of(p.panels[0], 2).kind == PanelEdge::Kind::quadratic);
  CHECK(p.seams[1].sides[0].edge == 0);
  const Scene again = parse_scene(write_scene(scene), "s.toml");
  CHECK(again.cloths == scene.cloths);
}

TEST_CASE("faults of a garment in a scene name line and key") {
  CHECK(fault(kTube) == "");
  CHECK(contains(fault(changed("panel = \"a\", edge = 1 }", "panel = \"b\", edge = 1 }")), "s.toml:14"));
  CHECK(contains(fault(changed("edge = \"hem\"", "edge = \"hme\"")), "did you mean hem?"));
  CHECK(contains(fault(changed("edge = 3, from", "edge = 4, from")), "s.toml:14"));
  CHECK(contains(fault(changed("bend_radius", "bend_radios")), "bend_radius"));
  CHECK(
      contains(fault(changed("edge = 3, from = 1, to = 0", "edge = 1, from = 1, to = 0")), "is sewn twice"));
  CHECK(contains(fault(changed("{ at = [0.375, 0.25], control", "{ at = [0.375, 0.25], bulge = 1, control")),
                 "an arc or a Bézier curve, not both"));
  CHECK(contains(fault(changed("edge = 0.02\n", "edge = 0.02\npattern = \"x.json\"\n")),
                 "leave out pattern or the panels"));
  CHECK(contains(fault("[[garment]]\nname = \"x\"\n"), "a garment needs a pattern"));
}

TEST_CASE("a garment in a scene begins with closed seams and the rest shape of its pattern, at any scale") {
  for (const float scale : {1.0f, 2.0f}) {
    CAPTURE(scale);
    Scene scene = parse_scene(kTube, "s.toml");
    scene.cloths[0].placement.scale = scale;
    const auto device = Device::create(DeviceChoice::cpu, 0);
    std::vector<vec3> start;
    const Model model(scene, *device, start);
    const FabricParams& f = scene.cloths[0].fabric;
    double mass = 0, strain = 0;
    for (const float m : model.host_mass) mass += double(m);
    // 0.375 m wide and 0.25 m high, a parabola with two thirds of its control triangle's area on top, and a
    // hem of one row that is 0.75 as long
    const double pattern = 0.375 * 0.25 + 2.0 / 3 * 0.5 * 0.375 * 0.0625;
    CHECK(mass <= double(f.areal_density) * scale * scale * pattern);
    CHECK(mass >= double(f.areal_density) * scale * scale * (pattern - 0.3 * 0.375 * 0.025));
    const std::vector<float> rest = model.edge_rest.download();
    for (size_t e = 0; e < rest.size(); ++e)
      strain += std::abs(double(glm::length(start[size_t(model.host.edges[e].y)] -
                                            start[size_t(model.host.edges[e].x)])) /
                             double(rest[e]) -
                         1) /
                double(rest.size());
    CHECK(strain < 0.1);  // the hem is short, and one row from it the cloth is not
  }
  Scene plain = parse_scene(changed("elastic = 0.75", "elastic = 0.9999"), "s.toml");
  const auto device = Device::create(DeviceChoice::cpu, 0);
  std::vector<vec3> start;
  const Model model(plain, *device, start);
  const std::vector<float> rest = model.edge_rest.download();
  for (size_t e = 0; e < rest.size(); ++e) {
    const vec3 d = start[size_t(model.host.edges[e].y)] - start[size_t(model.host.edges[e].x)];
    CHECK(std::abs(double(glm::length(d)) / double(rest[e]) - 1) < 0.05);
  }
}

TEST_CASE("a skirt on a body stays on it for a second without a crossing") {
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(parse_scene(skirt_scene(), "skirt.toml"), *device);
  check::Trial trial;
  check::look(sim, trial);
  for (int step = 0; step < 100; ++step) {
    sim.step();
    if (step % 10 == 9) check::look(sim, trial);
  }
  const std::string& first = trial.first_crossing;
  CAPTURE(first);
  CHECK(trial.crossed_states == 0);
  float top = -1e9f, bottom = 1e9f;
  for (const vec3& p : sim.positions()) top = std::max(top, p.y), bottom = std::min(bottom, p.y);
  MESSAGE("the skirt reaches from " << bottom << " to " << top << " m, and is stretched to "
                                    << sim.stats().max_stretch << " at most");
  CHECK(top > 0.95f);  // it rests on the hips
  CHECK(bottom > 0.35f);
}
