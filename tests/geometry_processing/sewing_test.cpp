#include "sim/geometry_processing/sewing.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/garment/relax.h"
#include "sim/mesh/crossing_triangles.h"
#include "sim/mesh/obj.h"
#include "sim/mesh/shapes.h"
#include "tests/garment/patterns.h"
#include "tests/support/folder.h"
#include "tests/support/text.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// A tube of two panels that stand in front of and behind a body, with seams of 0.06 m between them.
GarmentMesh tube(double circumference) {
  Panel front = rectangle("front", circumference / 2, 0.2, {0, 0, 0.16}), back = front;
  front.bend_radius = 0.16, front.bend_center = {circumference / 4, 0}, front.position.x = -circumference / 4;
  back = front;
  back.name = "back", back.position = {circumference / 4, 0, -0.16}, back.rotation = {0, 180, 0};
  return make_garment(
      pattern_of({front, back},
                 {{"left", {{0, 1, 0, 1}, {1, 3, 1, 0}}}, {"right", {{0, 3, 0, 1}, {1, 1, 1, 0}}}}, 0.03),
      "p");
}

}  // namespace

TEST_CASE("seams are drawn together around a body without crossing it") {
  const Folder folder;
  TriMesh body = make_sphere(0.12f);
  for (vec3& p : body.positions) p.y += 0.1f;
  write_obj(folder / "body.obj", {{"body", &body.positions, &body.triangles}});
  SewingOptions options;
  options.path.obstacles = {folder / "body.obj"};
  options.path.steps = 64, options.path.device = DeviceChoice::cpu;
  const GarmentMesh loose = tube(0.9);  // 0.143 m around: there is room
  const SewnGarment sewn = sewn_around(loose.mesh, options, "p");
  MESSAGE(sewn.rounds << " rounds, strain " << sewn.strain);
  CHECK(sewn.strain < 0.015);
  CHECK(crossing_triangles(sewn.positions, loose.mesh.triangles).empty());
  for (const vec3& p : sewn.positions)
    CHECK(glm::length(p - vec3(0, 0.1f, 0)) > 0.115f);  // the ball's mesh is inside of it
  const GarmentMesh tight = tube(0.6);                  // 0.095 m around: the body is in the way
  const SewnGarment stretched = sewn_around(tight.mesh, options, "p");
  MESSAGE(stretched.rounds << " rounds, strain " << stretched.strain);
  CHECK(stretched.strain > 0.03);
  for (const vec3& p : stretched.positions) CHECK(glm::length(p - vec3(0, 0.1f, 0)) > 0.115f);
}

TEST_CASE("a garment that starts in a body is refused by the name of its panel") {
  const Folder folder;
  TriMesh body = make_sphere(0.16f);
  write_obj(folder / "body.obj", {{"body", &body.positions, &body.triangles}});
  SewingOptions options;
  options.path.obstacles = {folder / "body.obj"}, options.path.device = DeviceChoice::cpu;
  const GarmentMesh g = tube(0.9);
  options.path.name = [&](int t) {
    return t < int(g.panel_of_triangle.size())
               ? "panel " + g.pattern.panels[size_t(g.panel_of_triangle[size_t(t)])].name
               : "body";
  };
  CHECK(contains(fault_of([&] { sewn_around(g.mesh, options, "p"); }), "panel "));
}
