// Cloth at rest: it stays so.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/math.h"
#include "sim/scene/text/scene_file.h"
#include "tests/physics/physics_table/case.h"
#include "tests/physics/physics_table/meshes.h"

namespace weft::physics {
namespace {

/// A flat sheet of 25 x 25 vertices without forces, cells of right triangles `long_by` times as long as wide.
std::vector<Quantity> flat(const Setting& setting, float long_by) {
  constexpr int kCells = 24;
  TriMesh mesh;
  for (int j = 0; j <= kCells; ++j)
    for (int i = 0; i <= kCells; ++i)
      mesh.positions.push_back({0.0125f * float(i) - 0.15f, 0.5f, 0.0125f * long_by * (float(j) - 12)});
  for (int j = 0; j < kCells; ++j)
    for (int i = 0; i < kCells; ++i) {
      const int a = j * (kCells + 1) + i, b = a + 1, c = a + kCells + 1, d = c + 1;
      mesh.triangles.push_back({a, c, b}), mesh.triangles.push_back({b, c, d});
    }
  Scene s = bare_cotton();
  s.forces.gravity = vec3(0);
  Cloth c;
  c.shape = ClothShape::obj;
  c.file = temporary_obj("flat", mesh);
  c.fabric.internal_damping = 0.02f;
  s.cloths.push_back(c);
  choose(s, setting);
  Measured run(s);
  const dvec3 start = run.center();
  run.run_until(2);
  return {{"longest edge", "", Quantity::relative, 1, run.longest_stretch(), 1e-3},
          {"drift", "mm", Quantity::absolute, 0, 1e3 * glm::length(run.center() - start), 0.1}};
}

Cloth cotton_sheet(const std::string& name, float side, vec3 place) {
  Cloth c;
  c.name = name;
  c.size = {side, side};
  c.edge = 0.02f;
  c.placement.position = place;
  c.placement.rotation = {-90, 0, 0};
  c.fabric_name = "cotton";
  c.fabric = read_fabric("cotton");
  return c;
}

Scene tablecloth() {
  Scene s;
  s.contact.ground = false;
  s.cloths.push_back(cotton_sheet("cloth", 0.6f, {0, 0.503f, 0}));
  Obstacle table;
  table.shape = ObstacleShape::box, table.size = {0.4f, 0.5f, 0.4f};
  table.placement.position = {0, 0.25f, 0};
  s.obstacles.push_back(table);
  return s;
}

Scene stack_of_five() {
  Scene s;
  for (int k = 0; k < 5; ++k)
    s.cloths.push_back(
        cotton_sheet("c" + std::to_string(k), 0.3f, {0.004f * float(k), 0.004f + 0.004f * float(k), 0}));
  return s;
}

Scene over_a_ball() {
  Scene s;
  s.contact.ground = false;
  s.cloths.push_back(cotton_sheet("cloth", 0.5f, {0, 0.153f, 0}));
  Obstacle ball;
  ball.shape = ObstacleShape::sphere, ball.size.x = 0.15f;
  s.obstacles.push_back(ball);
  return s;
}

/// Comes to rest for 5 s and is then watched: how far vertices are on average from where they were, and the
/// fastest.
std::vector<Quantity> rest(Scene s, const Setting& setting) {
  choose(s, setting);
  Measured run(std::move(s));
  run.run_until(5);
  const std::vector<vec3> before = run.positions();
  const double seconds = setting.defaults ? seconds_at_rest() : std::min(10.0, seconds_at_rest());
  double fastest = 0;
  while (run.time() < 5 + seconds - 1e-6) {
    run.step();
    if (run.time() < 5 + seconds - 1) continue;
    for (const vec3& v : run.velocities()) fastest = std::max(fastest, double(glm::length(v)));
  }
  double sum = 0;
  for (size_t v = 0; v < before.size(); ++v) sum += double(glm::length(run.positions()[v] - before[v]));
  return {{fmt::format("mean creep in {:g} s", seconds), "mm", Quantity::at_most, 0,
           1e3 * sum / double(before.size()), 0.05},
          {"fastest vertex in the last second", "mm/s", Quantity::at_most, 0, 1e3 * fastest, 1}};
}

}  // namespace

std::vector<Case> rest_cases() {
  Axes none;
  none.methods = {"none"};
  Axes contact;
  contact.models = false;
  Axes layers = contact;
  layers.layers = true;
  return {{"a flat sheet of right triangles without forces", 3, "stretch 1, no drift", none, true,
           [](const Setting& s) { return flat(s, 1); }},
          {"a flat sheet of long right triangles without forces", 3, "stretch 1, no drift", none, true,
           [](const Setting& s) { return flat(s, 4); }},
          {"a tablecloth at rest", 3, "still", contact, true,
           [](const Setting& s) { return rest(tablecloth(), s); }},
          {"a stack of five at rest", 3, "still", layers, false,
           [](const Setting& s) { return rest(stack_of_five(), s); }},
          {"cloth over a ball at rest", 3, "still", contact, true,
           [](const Setting& s) { return rest(over_a_ball(), s); }}};
}

}  // namespace weft::physics
