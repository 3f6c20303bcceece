// Cloth with three triangles at an edge under vertex repulsion.
#include <doctest/doctest.h>

#include "sim/mesh/import/obj.h"
#include "tests/mesh/sheets.h"
#include "tests/safety/scene_trials.h"
#include "tests/support/folder.h"

using namespace weft;

TEST_CASE("a sheet with a fin of three triangles at an edge folds against itself without crossing") {
  const testing::Folder folder;
  // Two like wings, and one upright between them.
  const TriMesh mesh = testing::sheets({5, 100, 255}, 16, 12, 0.01f);
  write_obj(folder / "fin.obj", {{"fin", &mesh.positions, &mesh.triangles}});
  Scene scene;
  scene.set("step.collision", "repulsion");
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.shape = ClothShape::obj;
  cloth.file = folder / "fin.obj";
  cloth.remesh = Remesh::never;
  cloth.placement.position = {0, 0.15f, 0};
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(std::move(scene), *device);
  const check::Trial out = check::run_under_check(sim, 0.7f, check::BodyPlaces::ignored);
  const float lowest = sim.stats().max_height;
  MESSAGE(out.crossed_states << " of " << out.states << " states crossed, stretch " << out.stretch << ", "
                             << sim.stats().self_pairs << " pairs, height " << lowest << " m");
  CHECK(out.crossed_states == 0);
  CHECK(lowest < 0.08f);  // upright the fin is 0.1 m high
  CHECK(sim.stats().self_pairs > 50);
  CHECK(out.stretch < 1.3f);
}
