// Messages name panels of garments and parts of bodies.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "sim/garment/sewing_params.h"
#include "sim/run/crossing_warning.h"
#include "sim/run/panel_names.h"
#include "sim/scene/assets.h"
#include "sim/scene/model/cloth_mesh.h"
#include "tests/collision/bending_arm.h"

using namespace weft;

namespace {

/// An upright arm whose lower half is an upper arm, with a sheet through it at a height.
Scene pierced_arm(float height) {
  Scene s;
  Obstacle arm = physics::arm(0, 1);
  arm.bones[0].name = "LeftArm", arm.bones[1].name = "LeftForeArm", arm.bones[1].parent = "LeftArm";
  s.obstacles.push_back(arm);
  Cloth& c = s.cloths.emplace_back();
  c.name = "sheet", c.size = {0.3f, 0.1f}, c.edge = 0.01f;
  c.placement.position = {0, height, 0};
  s.pins.push_back({.cloth = "sheet", .where = "center"});
  s.contact.ground = false;
  return s;
}

}  // namespace

TEST_CASE("crossings and pins inside of a body are told with the part of it") {
  for (const auto& [height, part] : {std::pair(-0.2f, "the left upper arm"), {0.2f, "the left forearm"}}) {
    physics::Run run(pierced_arm(height), 1);
    const std::string first = state_crossings(*run.sim, kCrossesBodies).first, name = part;
    CAPTURE(first);
    CAPTURE(name);
    CHECK(first.find(" of sheet and triangle ") != first.npos);
    CHECK(first.find(" of body arm (" + name + "), near (") != first.npos);
    const std::vector<std::string>& notices = run.sim->model().notices;
    CHECK(std::any_of(notices.begin(), notices.end(), [&](const std::string& words) {
      return words.find(" mm inside arm (" + name + "): pinned vertices stay") != words.npos;
    }));
  }
}

TEST_CASE("triangles and vertices of a garment are told with their panels") {
  Scene s;
  Cloth& c = s.cloths.emplace_back();
  c.name = "shirt", c.shape = ClothShape::garment, c.edge = 0.03f;
  c.file = assets_folder() + "/garments/tshirt.json";
  std::vector<std::string> ignored;
  const SewingParams& sewing = s.of<SewingParams>();
  const GarmentMesh garment = make_cloth_garment(
      c, "", {double(sewing.first_layer), double(sewing.layer_distance)}, ignored, double(sewing.elastic));
  const TriMesh mesh = build_cloth_mesh(c, "", ignored);
  const Topology host = build_topology({{"shirt", mesh}});
  REQUIRE(host.triangles.size() == garment.panel_of_triangle.size());
  std::set<std::string> seen;
  for (int t = 0; t < int(host.triangles.size()); t += 17) {
    const std::string panel = panel_of_triangle(s, host, t);
    CHECK(panel == garment.pattern.panels[size_t(garment.panel_of_triangle[size_t(t)])].name);
    seen.insert(panel);
  }
  CHECK(seen.size() == garment.pattern.panels.size());
  const int last = int(host.triangles.size()) - 1, vertex = host.triangles[size_t(last)].x;
  const std::string words = vertex_in_words(s, host, vertex);
  CHECK(words.find("vertex " + std::to_string(vertex) + " of shirt (panel ") == 0);
  s.cloths[0].file = "gone.json";  // the message comes all the same
  CHECK(panel_of_triangle(s, host, last).empty());
  CHECK(vertex_in_words(s, host, vertex) == "vertex " + std::to_string(vertex) + " of shirt");
}
