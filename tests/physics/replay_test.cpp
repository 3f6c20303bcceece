// A GPU records the launches of a step and plays them back as long as nothing that a person sets has changed. Whether the
// launches really are the same, to the last argument, can be seen on any device.
#include <filesystem>

#include "sim/base/error.h"
#include "sim/scene/scene_file.h"
#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;

TEST_SUITE("physics") {
  TEST_CASE("steps of every scene make the same launches until somebody changes something") {
    for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(default_scene_path()).parent_path())) {
      if (file.is_directory()) continue;
      CAPTURE(file.path().string());
      Scene scene = read_scene(file.path().string());
      for (const ElasticModel model : {ElasticModel::springs, ElasticModel::finite_elements}) {
        scene.step.elastic_model = int(model);
        const auto device = Device::create(DeviceChoice::cpu);
        device->verify_replays = true;
        Simulation sim(scene, *device);
        const auto go = [&] {
          for (int i = 0; i < 6; ++i) CHECK_NOTHROW(sim.step());
        };
        go();
        sim.apply(GrabBegin{1, 5, vec3(0.3f, 0.3f, 0.4f), 0});
        for (int i = 0; i < 6; ++i) {
          sim.apply(GrabMove{1, vec3(0.1f * float(i), 1, 0)});
          CHECK_NOTHROW(sim.step());
        }
        sim.apply(SetParam{"descent.coarse_iterations", "100"});
        go();
        sim.apply(SetParam{"contact.friction", "0.1"});
        sim.apply(SetParam{"step.bending_model", "dihedral"});
        go();
        sim.apply(PinVertex{7, true});
        sim.apply(GrabEnd{1});
        go();
        const Snapshot here = sim.snapshot();
        sim.reset();
        go();
        sim.restore(here);
        go();
      }
    }
  }

  TEST_CASE("a sequence that changes under the same signature is found out") {
    const auto device = Device::create(DeviceChoice::cpu);
    device->verify_replays = true;
    Buffer<float> a(*device, "a", 8), b(*device, "b", 8);
    device->replay(1, [&] { a.clear(); });
    CHECK_NOTHROW(device->replay(1, [&] { a.clear(); }));
    CHECK_NOTHROW(device->replay(2, [&] { b.clear(); }));
    CHECK_THROWS_AS(device->replay(1, [&] { b.clear(); }), Error);
  }
}
