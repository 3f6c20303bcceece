// Memory that a device does not have.
#include <doctest/doctest.h>

#include <cmath>
#include <thread>

#include "sim/base/error.h"
#include "sim/run/runner.h"
#include "sim/scene/model/memory_need.h"
#include "sim/scene/scene_names.h"
#include "sim/scene/text/scene_file.h"
#include "tests/faults/faults.h"

using namespace weft;
using namespace weft::testing;

namespace {
Scene scene_of(const Folder& folder) { return read_scene(folder.write("small.toml", small_scene())); }
Scene cloth_of(int vertices, ClothShape shape = ClothShape::grid) {
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].shape = shape;
  scene.cloths[0].vertices = vertices;
  scene.cloths[0].placement.position.y = 2;  // above the ground
  return scene;
}
}  // namespace

TEST_CASE("memory that is not there is refused with what is needed and what is free") {
  const Injected limit("memory:bytes=100000");
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Buffer<vec3> some(*device, "some", 5000);
  CHECK(device->bytes_free() == 40000);
  CHECK_THROWS_WITH_AS(
      Buffer<vec3>(*device, "wanted", 10000),
      doctest::Contains("no memory for 'wanted': 0.1 MB needed, 0.0 MB free, 0.1 MB in use here"), Error);
  CHECK(device->bytes_in_use() == 60000);
}

TEST_CASE("a scene that does not fit leaves the old one running") {
  Folder folder;
  const Scene scene = scene_of(folder);
  Runner runner(scene, {.device = DeviceChoice::cpu, .threads = 1});
  const auto steps = [&](int wanted) {
    runner.step_once();
    while (runner.hands().steps < wanted) std::this_thread::yield();
  };
  steps(1);
  const uint64_t before = runner.hash();
  // Twice: too large from the start, and only after a part of it was there.
  for (const char* limit : {"memory:bytes=400000", "memory:bytes=4000000:estimate=0"}) {
    const Injected tight(limit);
    runner.load(cloth_of(20000));
    CHECK(runner.hash() == before);
    const auto messages = runner.take_messages();
    REQUIRE(!messages.empty());
    CHECK(messages.back().first == LogLevel::error);
    CHECK(messages.back().second.find("MB") != std::string::npos);
    CHECK(messages.back().second.find("free") != std::string::npos);
  }
  steps(2);
  CHECK(runner.hash() != before);
}

TEST_CASE(
    "a solver that finds no memory for its coarser meshes goes on as if nothing had been when there is "
    "some") {
  Scene scene = cloth_of(5000);
  scene.set("step.solver", "newton");
  const auto whole = Device::create(DeviceChoice::cpu, 1);
  Simulation expected(scene, *whole);
  const size_t before = whole->bytes_in_use();
  expected.step();
  const double more = double(whole->bytes_in_use() - before);
  REQUIRE(more > 1e6);
  for (const double share : {0.2, 0.5, 0.8, 0.99}) {
    CAPTURE(share);
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation simulation(scene, *device);
    {
      const Injected tight("memory:estimate=0:bytes=" + std::to_string(double(before) + share * more));
      CHECK_THROWS_AS(simulation.step(), Error);
    }
    simulation.step();
    CHECK(simulation.positions() == expected.positions());
  }
}

TEST_CASE("a model that finds no memory leaves the simulation as it was, wherever memory ends") {
  const auto scene_with = [](const char* solver) {
    Scene scene = cloth_of(400);
    scene.set("step.solver", solver);
    return scene;
  };
  const std::vector<std::pair<std::string, std::string>> changes{
      {"step.elastic_model", "finite_elements"},
      {"step.elastic_model", "st_venant_kirchhoff"},
      {"step.bending_model", "meshless"},
      {"step.bending_model", "dihedral"},
      {"step.solver", "newton"},
      {"step.collision", "two_way"},
      {"fabric.areal_density", "0.3"}};
  for (const char* solver : {"newton", "descent"})
    for (const auto& [key, value] : changes) {
      if (value == solver) continue;
      CAPTURE(solver);
      CAPTURE(key);
      CAPTURE(value);
      const Scene scene = scene_with(solver);
      const auto roomy = Device::create(DeviceChoice::cpu, 1);
      Simulation never(scene, *roomy), other(scene, *roomy);
      never.step(), other.step();
      const size_t before = roomy->bytes_in_use() / 2;
      other.apply(SetParam{key, value});
      other.step();
      const double more = std::max(double(roomy->bytes_in_use()) - 2 * double(before), 1e5);
      never.step();
      int refused = 0;
      for (const double share : {0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99}) {
        CAPTURE(share);
        const auto device = Device::create(DeviceChoice::cpu, 1);
        Simulation simulation(scene, *device);
        simulation.step();
        bool failed = false;
        {
          const Injected tight("memory:estimate=0:bytes=" +
                               std::to_string(double(device->bytes_in_use()) + share * more));
          try {
            simulation.apply(SetParam{key, value});
          } catch (const Error&) {
            failed = true;
          }
        }
        refused += failed;
        simulation.step();
        CHECK(simulation.scene() == (failed ? never : other).scene());
        CAPTURE(failed);
        CHECK(simulation.positions() == (failed ? never : other).positions());
        if (!failed) continue;
        simulation.apply(SetParam{key, value});  // now that there is room
        CHECK_NOTHROW(simulation.step());
        CHECK(simulation.scene() == other.scene());
      }
      MESSAGE(refused, " of 11 refused");
    }
}

TEST_CASE(
    "bodies that find no memory for fields of thicker cloth keep those they have, and go on when there is "
    "some") {
  Folder folder;
  std::string cube =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 "
      "5\nf 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8\n";
  Scene scene = cloth_of(300);
  scene.cloths[0].placement.position = {0, 1.5f, 0};
  for (const float x : {-0.6f, 0.1f}) {
    Obstacle o;
    o.name = x < 0 ? "left" : "right", o.shape = ObstacleShape::mesh, o.file = folder.write("cube.obj", cube);
    o.placement = {{x, 0, 0}, {0, 0, 0}, 0.05f};
    scene.obstacles.push_back(o);
  }
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation expected(scene, *device), simulation(scene, *device);
  expected.step(), simulation.step();
  for (Simulation* s : {&expected, &simulation}) s->apply(SetParam{"fabric.thickness", "0.02"});
  const float before = simulation.signed_distance({0.125f, 0.025f, 0.1f});
  int refused = 0;
  // From no room at all to where there is enough, so that memory ends in the first body's field and in the
  // second's.
  for (bool stepped = false; !stepped && refused < 200; refused += !stepped) {
    const Injected tight("memory:estimate=0:bytes=" +
                         std::to_string(double(device->bytes_in_use()) + 250 * (refused + 1)));
    try {
      simulation.step();
      stepped = true;
    } catch (const Error&) {
      CHECK(simulation.signed_distance({0.125f, 0.025f, 0.1f}) == before);
    }
  }
  MESSAGE(refused, " refused");
  CHECK(refused > 5);
  expected.step();
  CHECK(simulation.positions() == expected.positions());
}

TEST_CASE(
    "what a scene needs is estimated within 30 percent, for meshes of every kind and every collision "
    "method") {
  const auto check = [](const Scene& scene, const std::string& what) {
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation simulation(scene, *device);
    simulation.step(), simulation.stats(), simulation.device_normals();
    const Model& model = simulation.model();
    const double real = double(device->bytes_in_use()),
                 told = double(estimated_bytes(scene, model.vertex_count(), model.triangle_count()));
    CAPTURE(what);
    CAPTURE(model.vertex_count());
    MESSAGE(what, ": ", real / model.vertex_count(), " bytes per vertex, told ", told / model.vertex_count());
    CHECK(told > real / 1.3);
    CHECK(told < real * 1.3);
  };
  for (const char* method : {"bodies", "repulsion", "two_way", "ndb", "impact_zones"})
    for (const ClothShape shape : {ClothShape::grid, ClothShape::disc, ClothShape::tube, ClothShape::strip})
      for (const int vertices : {2000, 20000}) {
        // seconds each, and the same per vertex
        if (vertices == 20000 && std::string(method) != "bodies") continue;
        Scene scene = cloth_of(vertices, shape);
        scene.set("step.collision", method);
        check(scene, std::string(method) + ", " + cloth_shapes()[size_t(shape)]);
        if (std::string(method) != "bodies") continue;
        for (const char* model : {"springs", "finite_elements"}) {
          scene.set("step.solver", "newton");
          scene.set("step.elastic_model", model);
          check(scene, std::string("Newton, ") + model + ", " + cloth_shapes()[size_t(shape)]);
        }
      }
  for (const int vertices : {2000, 20000}) {
    Scene scene = cloth_of(vertices);
    scene.cloths[0].pattern = "square";
    const float edge = scene.cloths[0].size.x / std::round(std::sqrt(float(vertices)));
    scene.cloths[0].vertices = 0, scene.cloths[0].edge = edge,
    scene.cloths[0].size = vec2(scene.cloths[0].size.x);
    scene.set("step.solver", "block_descent");
    scene.set("step.collision", "none");
    check(scene, "block descent");
  }
  // Bodies are not counted, but are small here against the cloth.
  for (const char* name : {"wu2020/table_small", "wang2023/sphere_small", "wang2023/reef_knot_small"})
    check(read_scene(assets_folder() + "/scenes/" + name + ".toml"), name);
}

TEST_CASE(
    "a mesh of four million vertices is refused before it is built where it does not fit, with need and "
    "free") {
  Folder folder;
  folder.write("huge.toml", "title = \"Huge\"\n[[cloth]]\nname = \"sheet\"\nvertices = 4000000\n");
  const Outcome o = testing::weft(folder, {"huge.toml", "--headless", "--frames", "1"},
                                  {{"WEFT_INJECT", "memory:bytes=2e9"}});
  CHECK(o.status == 1);
  CHECK(o.says("GB"));
  CHECK(o.says("2.0 GB are free"));
  CHECK(o.says("use a coarser mesh"));
}
