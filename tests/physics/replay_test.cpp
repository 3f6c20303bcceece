// A GPU records the launches of a step and plays them back as long as nothing that a person sets has changed.
// Whether the launches really are the same, to the last argument, can be seen on any device.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/device/primitives.h"
#include "sim/scene/text/scene_file.h"
#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;

namespace {

namespace fs = std::filesystem;

fs::path scene_folder() { return fs::path(default_scene_path()).parent_path(); }

/// A handle at a triangle; where there is none, at a point of a strand.
void grab(Simulation& sim) {
  if (sim.model().triangle_count() > 5) sim.apply(GrabBegin{1, 5, vec3(0.3f, 0.3f, 0.4f), 0});
  else sim.apply(GrabVertices{1, {5}});
}

/// Between all that a person may change, `steps` steps.
void change_and_step(const Scene& scene, int steps) {
  const auto device = Device::create(DeviceChoice::cpu);
  device->verify_replays = true;
  Simulation sim(scene, *device);
  const auto go = [&] {
    for (int i = 0; i < steps; ++i) CHECK_NOTHROW(sim.step());
  };
  go();
  grab(sim);
  for (int i = 0; i < steps; ++i) {
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

/// Every scene of the program with this elastic model. Launches are the same for any number of vertices; the
/// curtain's pins are boxes about single vertices of its own mesh.
void change_every_scene(ElasticModel model, int vertices, int steps, bool curtain) {
  int scenes = 0;
  for (const auto& file : fs::directory_iterator(scene_folder())) {
    const bool is_curtain = file.path().stem() == "curtain";
    if (file.path().extension() != ".toml" || (is_curtain && !curtain)) continue;
    CAPTURE(file.path().string());
    Scene scene = read_scene(file.path().string());
    if (!is_curtain)
      for (Cloth& cloth : scene.cloths) cloth.vertices = std::min(cloth.vertices, vertices);
    scene.step.elastic_model = int(model);
    change_and_step(scene, steps);
    ++scenes;
  }
  CHECK(scenes > 10);
}

/// With a hand from the third step on.
void grab_in_scene(const fs::path& file, const std::string& solver) {
  CAPTURE(file.string());
  CAPTURE(solver);
  Scene scene = read_scene(file.string());
  scene.set("step.solver", solver);
  scene.set("newton.steps", "2");
  const auto device = Device::create(DeviceChoice::cpu);
  device->verify_replays = true;
  Simulation sim(scene, *device);
  for (int i = 0; i < 2; ++i) CHECK_NOTHROW(sim.step());
  grab(sim);
  for (int i = 0; i < 2; ++i) {
    sim.apply(GrabMove{1, vec3(0.1f * float(i), 1, 0)});
    CHECK_NOTHROW(sim.step());
  }
}

}  // namespace

TEST_SUITE("physics") {
  TEST_CASE(
      "steps of every scene with few vertices make the same launches until somebody changes something") {
    change_every_scene(ElasticModel::springs, 300, 3, false);
    change_every_scene(ElasticModel::finite_elements, 300, 3, false);
  }

  TEST_CASE(
      "steps of the quickest small scenes of papers make the same launches, in every part that depends on "
      "what they find") {
    for (const char* name : {"wu2020/dress_hang_small", "wang2023/sphere_small", "wang2023/reef_knot_small"})
      for (const char* solver : {"descent", "newton"})
        grab_in_scene(scene_folder() / (std::string(name) + ".toml"), solver);
  }

  TEST_CASE("what a GPU records of a step stays small, whatever it must be ready for") {
    Scene scene = read_scene(default_scene_path());
    for (Cloth& cloth : scene.cloths) cloth.vertices = 1500;  // launches are the same for any number
    const auto recorded = [&] {
      const auto device = Device::create(DeviceChoice::cpu);
      device->verify_replays = true;
      Simulation sim(scene, *device);
      sim.step();
      return device->recorded();
    };
    for (const char* method : {"bodies", "repulsion", "two_way"})
      for (const char* solver : {"descent", "newton"}) {
        scene.set("step.collision", method);
        scene.set("step.solver", solver);
        const RecordingSize size = recorded();
        MESSAGE(std::string(method), ", ", std::string(solver), ": ", size.nodes, " nodes, ",
                size.conditional, " conditional, nested ", size.depth, " deep");
        // searches for pairs 24 times in a step, and may take each dozen of collision steps again
        const bool repels = std::string(method) == "repulsion";
        CHECK(size.nodes > 100);
        // up to eight Newton steps, each skipped where the one before has solved the step
        const bool newton = std::string(solver) == "newton";
        CHECK(size.nodes < (repels ? 4000 : newton ? 2000 : 1000));
        CHECK(size.conditional < (repels ? 300 : newton ? 80 : 40));
      }
    const int nodes = recorded().nodes;
    scene.set("newton.cg_iterations", "20000");
    CHECK(recorded().nodes == nodes);
  }

  TEST_CASE("a recording is counted with all its parts, and nothing of it runs") {
    const auto device = Device::create(DeviceChoice::cpu);
    device->verify_replays = true;
    Buffer<int> flags(*device, "flags", std::vector<int>{0, 3}),
        values(*device, "values", std::vector<int>{5, 6, 7, 8});
    const Span<const int> off(flags.span().data, 1);
    int seen = 0;
    device->replay(1, [&] {
      values.clear();
      CHECK(values.span()[1] == (seen++ == 0 ? 6 : 0));  // it is counted first
      device->when(off, [&] {
        flags.clear();
        device->repeat(off, [&] { device->copy(values.span().data, flags.span().data, sizeof(int)); });
      });
      exclusive_scan(*device, Span<const int>(values.span()), values.span());
    });
    CHECK(seen == 2);
    const RecordingSize size = device->recorded();
    CHECK(size.nodes == 1 + 2 + 1 + 3 + 1 + 1);
    CHECK(size.conditional == 2);
    CHECK(size.depth == 2);
    CHECK(values.download() == std::vector<int>(4, 0));
    CHECK(flags.download() == std::vector<int>{0, 3});
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

  TEST_CASE(
      "a conditional part or a loop whose rounds differ, and memory taken in mid-sequence, are found out") {
    const auto device = Device::create(DeviceChoice::cpu);
    device->verify_replays = true;
    Buffer<float> a(*device, "a", 8), b(*device, "b", 8);
    Buffer<int> flag(*device, "flag", 1), left(*device, "left", 2);
    const auto set = [&](int value) { flag.upload(std::vector<int>{value}); };
    bool other = false;
    const auto step = [&](uint64_t signature) {
      device->replay(signature, [&] { device->when(flag.span(), [&] { (other ? b : a).clear(); }); });
    };
    set(1);
    CHECK_NOTHROW(step(1));
    other = true;
    set(0);
    CHECK_NOTHROW(step(1));  // the part does not run
    set(1);
    CHECK_THROWS_AS(step(1), Error);
    CHECK_NOTHROW(step(2));

    // Two rounds: `left` holds what the flag becomes after each round, in device memory.
    const auto rounds = [&](bool differ, uint64_t signature) {
      set(1);
      left.upload(std::vector<int>{1, 0});
      int done = 0;
      device->replay(signature, [&] {
        int round = 0;  // host state, which begins anew where the sequence is counted before it is run
        device->repeat(flag.span(), [&] {
          (differ && round == 1 ? b : a).clear();
          device->copy(flag.span().data, left.span().data, sizeof(int));
          device->copy(left.span().data, left.span().data + 1, sizeof(int));
          done += ++round;
        });
      });
      return done;
    };
    CHECK(rounds(false, 3) == 1 + 1 + 2);  // counted once, then run twice
    CHECK_THROWS_AS(rounds(true, 4), Error);
    CHECK_THROWS_AS(device->replay(5, [&] { Buffer<float> late(*device, "late", 8); }), Error);
    CHECK_THROWS_AS(device->replay(6, [&] { a.upload(std::vector<float>(8, 1.0f)); }), Error);
    CHECK_THROWS_AS(device->replay(7, [&] { device->synchronize(); }), Error);
    CHECK_NOTHROW(device->synchronize());
  }
}

TEST_SUITE("full") {
  TEST_CASE("steps of every scene make the same launches until somebody changes something") {
    for (const ElasticModel model : {ElasticModel::springs, ElasticModel::finite_elements})
      change_every_scene(model, 1500, 6, true);
  }

  TEST_CASE(
      "steps of all small scenes of the papers make the same launches in every part that depends on what "
      "they find") {
    for (const char* folder : {"wu2020", "wang2023"})
      for (const auto& file : fs::directory_iterator(scene_folder() / folder))
        if (file.path().stem().string().find("_small") != std::string::npos)
          for (const char* solver : {"descent", "newton"}) grab_in_scene(file.path(), solver);
  }
}
