// Outfits whose layers cross at the start, in the order that a scene gives them.
#include "sim/run/layered_start.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/mesh/algorithms/crossing_triangles.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/run/simulation.h"
#include "sim/scene/cloth_layers.h"
#include "sim/scene/text/scene_file.h"
#include "tests/support/folder.h"

using namespace weft;

namespace {

/// A skirt of this radius (m), waved by 6 mm around the y axis with a phase, as an OBJ file.
void write_skirt(const std::string& path, double radius, double phase) {
  TriMesh mesh = make_tube(0.3f, 0.3f, 0.02f);
  vec3 middle(0);
  for (const vec3& p : mesh.positions) middle += p / float(mesh.positions.size());
  for (vec3& p : mesh.positions) {
    const vec3 d = p - middle;
    const double angle = std::atan2(double(d.z), double(d.x)),
                 r = radius + 0.006 * std::cos(3 * angle + phase);
    p = vec3(float(r * std::cos(angle)), d.y, float(r * std::sin(angle)));
  }
  write_obj(path, {{"skirt", &mesh.positions, &mesh.triangles}});
}

/// Two skirts that cross each other and a trunk. `first`, `second`: their layers, 0: none.
Scene outfit(const testing::Folder& folder, int first, int second) {
  write_skirt(folder / "first.obj", 0.104, 0);
  write_skirt(folder / "second.obj", 0.106, 2);
  const auto cloth = [&](const std::string& name, int layer) {
    return "[[cloth]]\nname = \"" + name + "\"\nfile = \"" + (folder / (name + ".obj")) +
           "\"\nremesh = \"never\"\n" + (layer > 0 ? "layer = " + std::to_string(layer) + "\n" : "");
  };
  return parse_scene("[step]\ncollision = \"two_way\"\n[contact]\nground = false\n" + cloth("first", first) +
                         cloth("second", second) +
                         "[[obstacle]]\nname = \"trunk\"\nshape = \"capsule\"\nradius = 0.1\nlength = 0.6\n",
                     "outfit.toml");
}

struct Begun {
  size_t crossings = 0;          // of cloth with cloth and with the trunk
  double first = 0, second = 0;  // m, mean distance from the axis
};

Begun begun(Simulation& sim) {
  std::vector<vec3> x = sim.positions();
  const Topology& host = sim.model().host;
  Begun out;
  for (size_t c = 0; c < 2; ++c) {
    const ModelPart& range = host.parts[c];
    for (int v = range.first_vertex; v < range.first_vertex + range.vertex_count; ++v)
      (c == 0 ? out.first : out.second) +=
          std::hypot(double(x[size_t(v)].x), double(x[size_t(v)].z)) / range.vertex_count;
  }
  std::vector<ivec3> triangles = host.triangles;
  const int own = int(triangles.size());
  const TriMesh& trunk = sim.obstacle_meshes()[0];
  const ivec3 first(int(x.size()));
  x.insert(x.end(), trunk.positions.begin(), trunk.positions.end());
  for (const ivec3& t : trunk.triangles) triangles.push_back(t + first);
  out.crossings = crossing_triangles(x, triangles, own).size();
  return out;
}

}  // namespace

TEST_SUITE("run") {
  TEST_CASE("skirts that cross each other and a body start over each other in the order of their layers") {
    const testing::Folder folder;
    const auto device = Device::create(DeviceChoice::cpu, 1);
    {
      Simulation sim(outfit(folder, 0, 0), *device);
      CHECK(begun(sim).crossings > 100);
    }
    for (const bool reversed : {false, true}) {
      CAPTURE(reversed);
      Simulation sim(outfit(folder, reversed ? 2 : 1, reversed ? 1 : 2), *device);
      const Begun start = begun(sim);
      CHECK(start.crossings == 0);
      CHECK((start.first > start.second) == reversed);
      CHECK(std::abs(start.first - start.second) > 1e-3);
      for (int step = 0; step < 3; ++step) sim.step();
      CHECK(begun(sim).crossings == 0);
      sim.reset();
      CHECK(begun(sim).first == start.first);
    }
  }

  TEST_CASE("layers are written and read back, and only cloths from files have them") {
    const testing::Folder folder;
    const Scene scene = outfit(folder, 1, 3), again = parse_scene(write_scene(scene), "again.toml");
    CHECK(again.of<ClothLayers>().of == std::map<std::string, int>{{"first", 1}, {"second", 3}});
    CHECK_THROWS_WITH_AS(parse_scene("[[cloth]]\nlayer = 1\n", "s.toml"),
                         doctest::Contains("only cloths from a file"), Error);
  }
}
