// What is said of parts that start within each other.
#include "sim/run/part_starts.h"

#include <doctest/doctest.h>

#include "sim/run/crossing_warning.h"
#include "sim/scene/grains.h"
#include "sim/scene/solids.h"
#include "sim/scene/strands.h"

using namespace weft;

namespace {

/// A rigid block of 0.2 m about (0, 0.5, 0).
Scene block(const char* method = "two_way") {
  Scene s;
  s.set("step.collision", method);
  SolidParams& b = s.of<SolidList>().list.emplace_back();
  b.name = "block", b.rigid = true, b.size = vec3(0.2f), b.edge = 0.1f;
  b.placement.position = {0, 0.5f, 0};
  return s;
}

void add_strands(Scene& s, const vec3& root, float length) {
  StrandParams& p = s.of<StrandList>().list.emplace_back();
  p.name = "lock", p.size = vec2(0.02f), p.count = 2, p.segments = 4, p.length = length;
  p.placement.position = root;
}
void add_grains(Scene& s, const vec3& at) {
  GrainParams& g = s.of<GrainList>().list.emplace_back();
  g.name = "sand", g.size = vec3(0.04f), g.radius = 0.006f;
  g.placement.position = at;
}
void add_cloth(Scene& s, const vec3& at) {
  Cloth& c = s.cloths.emplace_back();
  c.name = "flag", c.size = vec2(0.1f), c.edge = 0.02f;
  c.placement.position = at;
}
void add_solid(Scene& s, const vec3& at, bool rigid) {
  SolidParams& b = s.of<SolidList>().list.emplace_back();
  b.name = "die", b.rigid = rigid, b.size = vec3(0.05f), b.edge = 0.025f;
  b.placement.position = at;
}

/// What is said of a start.
std::string told(const Scene& s) {
  auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation sim(s, *device);
  return crossing_warning(state_crossings(sim, promise_bits(sim.promises())));
}
bool has(const std::string& all, const char* words) { return all.find(words) != std::string::npos; }

constexpr vec3 kInside{0, 0.5f, 0}, kClear{0, 0.9f, 0};

}  // namespace

TEST_CASE("each kind that starts inside of a rigid body is named with how much of it and where") {
  const auto made = [](int kind, const vec3& at) {
    Scene s = block();
    if (kind == 0) add_cloth(s, at);
    if (kind == 1) add_solid(s, at, false);
    if (kind == 2) add_solid(s, at, true);
    if (kind == 3) add_strands(s, at, 0.04f);
    if (kind == 4) add_grains(s, at);
    return s;
  };
  const char* names[] = {"cloth flag: ", "solid die: ", "solid die: ", "strands lock: 10 of 10 points",
                         "grains sand: "};
  for (int kind = 0; kind < 5; ++kind) {
    CAPTURE(kind);
    const std::string words = told(made(kind, kInside));
    CHECK(has(words, names[kind]));
    CHECK(has(words, "inside solid block, near ("));
    CHECK(has(words, "start it clear of solid block"));
    CHECK(told(made(kind, kClear)).empty());
  }
}

TEST_CASE("strands across a body or a cloth and grains too near to a surface or to each other are named") {
  Scene across = block();
  add_strands(across, {0, 0.25f, 0}, 0.5f);  // they go up
  add_cloth(across, {0.3f, 0.9f, 0});
  across.cloths[0].placement.rotation = {-90, 0, 0};
  CHECK(has(told(across), "across solid block"));
  CHECK(!has(told(across), "cloth flag"));
  across.cloths[0].placement.position = {0, 0.65f, 0};
  CHECK(has(told(across), "2 segments of it lie across cloth flag"));

  Scene near = block();
  add_grains(near, {0, 0.61f, 0});  // the middles of the lowest are 2 mm above the block
  CHECK(has(told(near), "nearer to solid block than their radius"));
  Scene packed = block();
  add_grains(packed, kClear);
  CHECK(told(packed).empty());
  packed.of<GrainList>().list[0].spacing = 0.0115f;
  CHECK(has(told(packed), "nearer to others than their radius"));
}

TEST_CASE("without contact between parts nothing is said of parts within each other") {
  Scene s = block("none");
  add_grains(s, kInside);
  CHECK(told(s).empty());
}
