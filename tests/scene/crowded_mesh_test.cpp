// Meshes in which more triangles meet than a solver can take, and files that nest without end.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/device/device.h"
#include "sim/mesh/topology.h"
#include "sim/scene/model/model.h"
#include "sim/scene/model/pins.h"
#include "sim/scene/text/scene_file.h"
#include "sim/scene/toml/toml_table.h"

using namespace weft;

namespace {

/// A disc of triangles about one vertex.
std::shared_ptr<TriMesh> fan_of(int triangles) {
  auto mesh = std::make_shared<TriMesh>();
  mesh->positions.push_back(vec3(0));
  for (int i = 0; i < triangles; ++i) {
    const float angle = 2 * kPi * float(i) / float(triangles);
    mesh->positions.push_back({std::cos(angle), 0, std::sin(angle)});
    mesh->triangles.push_back({0, 1 + i, 1 + (i + 1) % triangles});
  }
  return mesh;
}

/// Sheets that share an edge.
std::shared_ptr<TriMesh> book_of(int sheets) {
  auto mesh = std::make_shared<TriMesh>();
  mesh->positions = {vec3(0), vec3(0, 1, 0)};
  for (int i = 0; i < sheets; ++i) {
    const float angle = 2 * kPi * float(i) / float(sheets);
    mesh->positions.push_back({std::cos(angle), 0.5f, std::sin(angle)});
    mesh->triangles.push_back({0, 1, 2 + i});
  }
  return mesh;
}

std::string fault_of(std::shared_ptr<TriMesh> mesh) {
  auto device = Device::create(DeviceChoice::cpu, 1);
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].mesh = std::move(mesh);
  std::vector<vec3> start;
  try {
    Model(scene, *device, start);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE(
    "a cloth with more triangles at a vertex or an edge than a solver takes is refused with the reason") {
  CHECK(fault_of(fan_of(2000)).empty());
  CHECK(fault_of(fan_of(2001)).find("2001 triangles meet at vertex 0, and at most 2000 may, since") !=
        std::string::npos);
  CHECK(fault_of(book_of(100)).empty());
  CHECK(fault_of(book_of(101)).find("101 triangles meet at the edge of vertices 0 and 1") !=
        std::string::npos);
}

TEST_CASE("a key of more parts than any file has is refused before it is taken apart") {
  std::string deep = "a";
  for (int k = 1; k < 16; ++k) deep += ".a";
  CHECK_NOTHROW(parse_toml("b = 1\n" + deep + " = 1\n", "f.toml"));
  for (const std::string& text : {"b = 1.5\n" + deep + ".a = 1\n", "b = 1\n[" + deep + ".a]\n",
                                  "b = \"\"\"\n\"\"\"\nc = {" + deep + ". a = 1}\n"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(parse_toml(text, "f.toml"), doctest::Contains("a key has more than 16 parts"),
                         Error);
  }
  CHECK_THROWS_WITH_AS(parse_toml("b = 1.5\n" + deep + ".a = 1\n", "f.toml"), doctest::Contains("f.toml:2"),
                       Error);
  const std::string dots(40, '.');
  for (const std::string& text :
       {"a = \"" + dots + "\"", "a = '" + dots + "\\'", "\"" + dots + "\" = 1", "a = 1 # " + dots,
        "a = \"\"\"\n\\\"" + dots + "\n\"\"\"", "a = '''\\n" + dots + "'''", "a = \"\\\"" + dots + "\""}) {
    CAPTURE(text);
    std::string fault;
    try {
      parse_toml(text, "f.toml");
    } catch (const Error& e) {
      fault = e.what();
    }
    CHECK(fault.find("parts") == std::string::npos);  // those are no parts of keys
  }
}

TEST_CASE("pins of one cloth find the same vertices with a view that they share") {
  auto device = Device::create(DeviceChoice::cpu, 1);
  Scene scene;
  scene.cloths.resize(2);
  scene.cloths[0].vertices = 200, scene.cloths[1].vertices = 90, scene.cloths[1].name = "other";
  std::vector<vec3> start;
  const Model model(scene, *device, start);
  FrontViews views;
  for (const ModelPart& cloth : model.host.parts)
    for (const std::string& where : pin_places()) {
      if (where == "roots") continue;  // of strands alone
      Pin pin;
      pin.where = where, pin.radius = 0.1f;
      CHECK(resolve_pin(pin, model.host, cloth, start, &views) == resolve_pin(pin, model.host, cloth, start));
    }
  CHECK(views.size() == 2);
}
