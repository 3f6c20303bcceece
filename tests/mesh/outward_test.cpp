#include "sim/mesh/import/outward.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "sim/mesh/import/obj.h"
#include "sim/mesh/shapes/shapes.h"
#include "tests/physics/scenes.h"

using namespace weft;

namespace {

TriMesh turned(TriMesh m) {
  for (ivec3& t : m.triangles) std::swap(t.y, t.z);
  return m;
}

TriMesh both(TriMesh a, const TriMesh& b, const vec3& offset = vec3(0)) {
  const int first = a.vertex_count();
  for (const vec3& p : b.positions) a.positions.push_back(p + offset);
  for (const ivec3& t : b.triangles) a.triangles.push_back(t + ivec3(first));
  return a;
}

bool same(const TriMesh& a, const TriMesh& b) {
  // Turning twice may begin triangles elsewhere; here it does not.
  return a.triangles == b.triangles;
}

}  // namespace

TEST_CASE("closed parts of a body that look inwards are turned, and cavities are not") {
  const TriMesh big = make_box(vec3(0.4f)), small = make_box(vec3(0.2f));
  const TriMesh hollow = both(big, turned(small)), pair = both(big, small, vec3(1));
  const struct {
    const char* name;
    TriMesh given, wanted;
    size_t notices;
  } cases[] = {{"a box", big, big, 0},
               {"a box inside out", turned(big), big, 1},
               {"a hollow box", hollow, hollow, 0},
               {"a hollow box inside out", turned(hollow), hollow, 1},
               {"one of two boxes inside out", both(big, turned(small), vec3(1)), pair, 1},
               {"a sheet", make_grid({0.1f, 0.1f}, 0.05f), make_grid({0.1f, 0.1f}, 0.05f), 1}};
  for (const auto& c : cases) {
    const std::string name = c.name;
    CAPTURE(name);
    TriMesh mesh = c.given;
    std::vector<std::string> notices;
    turn_outward(mesh, "obstacle o", notices);
    CHECK(same(mesh, c.wanted));
    CHECK(notices.size() == c.notices);
  }
}

TEST_CASE(
    "an open part is turned where its holes are small against it, and looks where it looks where they are "
    "not") {
  // A tube that stands open at both ends, half as long as wide or ten times as long.
  const auto tube = [](float length) { return make_tube(0.1f, length, 0.01f); };
  const auto looks_out = [](const TriMesh& m) {
    double volume = 0;
    for (const ivec3& t : m.triangles)
      volume += glm::dot(dvec3(m.positions[size_t(t.x)]),
                         glm::cross(dvec3(m.positions[size_t(t.y)]), dvec3(m.positions[size_t(t.z)])));
    return volume > 0;
  };
  for (const bool inwards : {false, true}) {
    CAPTURE(inwards);
    const auto given = [&](const TriMesh& m) { return looks_out(m) == inwards ? turned(m) : m; };
    TriMesh sleeve = given(tube(1.0f)), ring = given(tube(0.05f));
    const TriMesh ring_before = ring;
    std::vector<std::string> notices;
    turn_outward(sleeve, "obstacle o", notices, false);
    CHECK(looks_out(sleeve));
    REQUIRE(notices.size() == (inwards ? 1 : 0));
    if (inwards) CHECK(notices[0] == "obstacle o: an open part of its mesh faced inwards and was flipped");
    turn_outward(ring, "obstacle o", notices, false);
    CHECK(same(ring, ring_before));
  }
}

TEST_CASE("an open mesh is told of with the number of its open edges") {
  TriMesh box = make_box(vec3(0.4f));
  box.triangles.pop_back();
  std::vector<std::string> notices;
  turn_outward(box, "obstacle o", notices);
  REQUIRE(notices.size() == 1);
  CHECK(notices[0].find("obstacle o: its mesh is open (3 edges") == 0);
}

TEST_CASE("cloth falls onto a body whose mesh is inside out, of one file and of a sequence") {
  const TriMesh box = turned(make_box(vec3(0.4f, 0.2f, 0.4f)));
  const std::string path = (std::filesystem::temp_directory_path() / "weft-inside-out-1.obj").string();
  write_obj(path, {{"box", &box.positions, &box.triangles}});
  for (const bool sequence : {false, true}) {
    CAPTURE(sequence);
    Scene s;
    s.contact.ground = false;
    Cloth& c = s.cloths.emplace_back();
    c.size = {0.2f, 0.2f};
    c.edge = 0.02f;
    c.placement = {{0, 0.12f, 0}, {-90, 0, 0}, 1};
    Obstacle& o = s.obstacles.emplace_back();
    o.name = "box", o.shape = ObstacleShape::mesh;
    (sequence ? o.sequence : o.file) =
        sequence ? (std::filesystem::temp_directory_path() / "weft-inside-out-#.obj").string() : path;
    physics::Run run(s);
    for (int i = 0; i < 30; ++i) run.sim->step();
    CHECK(run.sim->stats().min_height > 0.099f);
  }
}
