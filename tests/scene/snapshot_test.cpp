// Snapshots that do not fit are refused, and change nothing.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "sim/base/error.h"
#include "sim/run/simulation.h"
#include "sim/scene/method_info.h"

using namespace weft;

namespace {

Scene held_square() {
  Scene scene;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.vertices = 60;
  cloth.placement.position = {0, 1.2f, 0};
  scene.pins.emplace_back().where = "top";
  scene.drags.push_back({"", {0.5f, 0.2f}, 0, 1, {}});
  return scene;
}

std::vector<unsigned char>& part(Snapshot& snapshot, const std::string& name) {
  for (auto& [own, bytes] : snapshot.parts)
    if (own == name) return bytes;
  FAIL("there is no part ", name);
  return snapshot.parts[0].second;
}

void put(std::vector<unsigned char>& bytes, size_t at, int value) {
  REQUIRE(at + sizeof value <= bytes.size());
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

struct Damage {
  const char* what;
  std::function<void(Snapshot&)> make;
};

}  // namespace

TEST_CASE("a snapshot that does not fit the scene is refused and leaves the state as it was") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation(held_square(), *device);
  simulation.apply(PinVertex{7, true});
  for (int k = 0; k < 5; ++k) simulation.step();
  const uint64_t hash = simulation.hash();
  // Handles: one byte per scripted drag, the count, then id, script, three points (36 bytes), the number of
  // vertices, and those.
  const Damage damages[] = {
      {"velocities of another cloth", [](Snapshot& s) { part(s, "velocity").resize(12); }},
      {"anchors of another cloth", [](Snapshot& s) { part(s, "anchors").push_back(0); }},
      {"friction of another cloth", [](Snapshot& s) { part(s, "friction anchors").clear(); }},
      {"a handle of a drag that the scene lacks", [](Snapshot& s) { put(part(s, "handles"), 1 + 4 + 4, 1); }},
      {"a handle of no drag", [](Snapshot& s) { put(part(s, "handles"), 1 + 4 + 4, -2); }},
      {"a handle at a vertex that there is not",
       [](Snapshot& s) { put(part(s, "handles"), 1 + 4 + 8 + 36 + 4, 1000000); }},
      {"more handles than bytes", [](Snapshot& s) { put(part(s, "handles"), 1, 1000000); }},
      {"bytes after the handles", [](Snapshot& s) { part(s, "handles").push_back(1); }},
      {"a pin at a vertex that there is not", [](Snapshot& s) { put(part(s, "pins"), 8, 1000000); }},
      {"a missing part", [](Snapshot& s) { s.parts.pop_back(); }},
      {"a step before the first", [](Snapshot& s) { s.step = -1; }},
      {"a time that is no number", [](Snapshot& s) { s.time = std::nan(""); }},
  };
  for (const Damage& damage : damages) {
    CAPTURE(damage.what);
    Snapshot snapshot = simulation.snapshot();
    std::memset(part(snapshot, "position").data(), 0, 12);  // what comes first would be taken
    damage.make(snapshot);
    CHECK_THROWS_AS(simulation.restore(snapshot), Error);
    CHECK(simulation.hash() == hash);
  }
  simulation.step();
  CHECK(simulation.state().step == 6);
}

TEST_CASE("with every collision method a snapshot runs on to the same bits, with bodies and without any") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  for (const std::string& collision : collision_names())
    for (const bool bodies : {false, true}) {
      CAPTURE(collision);
      CAPTURE(bodies);
      Scene scene = held_square();
      scene.set("step.collision", collision);
      if (bodies) scene.obstacles.emplace_back().placement.position = {0, 0.2f, 0.1f};
      Simulation simulation(scene, *device), other(scene, *device);
      for (int k = 0; k < 2; ++k) simulation.step();
      const Snapshot here = simulation.snapshot();
      simulation.step();
      other.restore(here);
      CHECK(other.hash() != simulation.hash());
      other.step();
      CHECK(other.hash() == simulation.hash());
      Snapshot damaged = here;
      damaged.parts.back().second.push_back(0);
      CHECK_THROWS_AS(other.restore(damaged), Error);
      CHECK(other.hash() == simulation.hash());
    }
}
