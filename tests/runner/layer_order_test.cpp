#include "sim/run/layer_order.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/mesh/import/obj.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/run/simulation.h"
#include "tests/garment/patterns.h"
#include "tests/support/folder.h"
#include "tests/support/text.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Two tubes around the y axis, right sides outwards, the second of layer 1.
struct Tubes {
  std::vector<vec3> x;
  std::vector<ivec3> triangles;
  std::vector<int> layer;
};
Tubes tubes(float inner, float outer) {
  Tubes t;
  for (int k = 0; k < 2; ++k) {
    const TriMesh tube = make_tube(2 * (k ? outer : inner), 0.3f, 0.02f);
    // outwards, whatever the shape's own side is
    const ivec3& v = tube.triangles[0];
    const vec3 &a = tube.positions[size_t(v.x)], &b = tube.positions[size_t(v.y)],
               &c = tube.positions[size_t(v.z)];
    const bool turned = glm::dot(glm::cross(b - a, c - a), vec3(a.x, 0, a.z)) < 0;
    const int first = int(t.x.size());
    t.x.insert(t.x.end(), tube.positions.begin(), tube.positions.end());
    for (ivec3 tri : tube.triangles) {
      if (turned) std::swap(tri.y, tri.z);
      t.triangles.push_back(tri + first), t.layer.push_back(k);
    }
  }
  return t;
}

}  // namespace

TEST_CASE("a tube around another is in order as the outer layer, and out of order as the inner one") {
  const Tubes worn = tubes(0.1f, 0.105f), swapped = tubes(0.105f, 0.1f), apart = tubes(0.1f, 0.2f);
  CHECK(layers_out_of_order(worn.x, worn.triangles, worn.layer) == 0);
  CHECK(layers_out_of_order(swapped.x, swapped.triangles, swapped.layer) == 1);
  CHECK(std::isnan(layers_out_of_order(apart.x, apart.triangles, apart.layer)));  // nothing to compare
  // half of the outer tube's vertices pushed through
  Tubes half = worn;
  int moved = 0, all = 0;
  std::vector<char> outer(half.x.size(), 0);
  for (size_t t = 0; t < half.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) outer[size_t(half.triangles[t][k])] = char(half.layer[t]);
  for (size_t v = 0; v < half.x.size(); ++v) {
    if (!outer[v]) continue;
    ++all;
    if (half.x[v].x > 0) half.x[v] *= vec3(0.9f, 1, 0.9f), ++moved;
  }
  CHECK(std::abs(layers_out_of_order(half.x, half.triangles, half.layer) - double(moved) / all) < 0.02);
}

TEST_CASE("layers of a garment come from its panels, and an end condition can ask for their order") {
  Scene s;
  s.contact.ground = false;
  Cloth c;
  c.shape = ClothShape::garment, c.name = "layers", c.start = "placed";
  Panel under = rectangle("under", 0.3, 0.2), over = rectangle("over", 0.3, 0.2);
  over.layer = 1;
  c.sewing_pattern = pattern_of({under, over});
  s.cloths.push_back(c);
  s.end.push_back({"layers_out_of_order", -1e300, 0.01});
  const auto device = Device::create(DeviceChoice::cpu, 0);
  {
    Simulation sim(s, *device);
    const std::vector<int> layers =
        layers_of_triangles(sim.model().host.triangles, sim.model().host.parts, s);
    CHECK(std::count(layers.begin(), layers.end(), 0) > 0);
    CHECK(std::count(layers.begin(), layers.end(), 1) == int(layers.size()) / 2);
    CHECK(sim.stats().layers_out_of_order == 0);
    CHECK(sim.failed_end_conditions().empty());
  }
  // further than its layer moves it outwards
  const auto place_second = [&](const dvec3& position) {
    Pattern pattern = *s.cloths[0].sewing_pattern;
    pattern.panels[1].position = position;
    s.cloths[0].sewing_pattern = pattern;
  };
  place_second({0, 0, -0.015});
  {
    Simulation sim(s, *device);
    CHECK(sim.stats().layers_out_of_order == 1);
    CHECK(sim.failed_end_conditions().size() == 1);
  }
  place_second({0, 0, 1});  // where nothing can be compared
  {
    Simulation sim(s, *device);
    CHECK(std::isnan(sim.stats().layers_out_of_order));
    CHECK(sim.failed_end_conditions().size() == 1);
  }
  s.end.clear();
  Simulation sim(s, *device);
  CHECK(std::isnan(sim.stats().layers_out_of_order));
}

TEST_CASE("the comment that OBJ files carry names layers only where there are several") {
  CHECK(layer_line("shirt", {0, 0}) == "");
  CHECK(layer_line("shirt", {0, 1, 2}) == "#weft layers shirt 0 1 2\n");
  CHECK(layer_line("my long shirt", {0, 1}) == "#weft layers my_long_shirt 0 1\n");
}

TEST_CASE("layers of a garment whose name is not one word come back from its OBJ file") {
  const Folder folder;
  const Panel under = rectangle("under", 0.3, 0.2), over = rectangle("over", 0.3, 0.2, {0, 0, 0.1});
  const GarmentMesh g = make_garment(pattern_of({under, over}), "p");
  const auto group = [&](const char* name) {
    return ObjGroup{name,    &g.mesh.positions, &g.mesh.triangles, mat4(1),
                    "cloth", nullptr,           vec2(1),           &g.mesh.corners};
  };
  write_obj(folder / "made.obj", {group("my shirt"), group("my dress")});
  const std::string marks = layer_line("my shirt", {1, 0}) + layer_line("my dress", {0, 2});
  const std::string path = folder.write("worn.obj", read_file(folder / "made.obj") + marks);
  Scene s;
  s.contact.ground = false;
  Cloth c;
  c.shape = ClothShape::obj, c.name = "dress", c.file = path + "#my_dress", c.rest.shape = "texture";
  s.cloths.push_back(c);
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(s, *device);
  const std::vector<int> layers = layers_of_triangles(sim.model().host.triangles, sim.model().host.parts, s);
  REQUIRE(layers.size() == g.mesh.triangles.size());
  for (size_t t = 0; t < layers.size(); ++t) CHECK(layers[t] == 2 * g.panel_of_triangle[t]);
}
