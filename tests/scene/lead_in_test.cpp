// Bodies whose motion begins gently.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/model/deformation.h"
#include "sim/scene/text/scene_file.h"

using namespace weft;

namespace {

/// An arm of two bones, the lower of which turns by 90 degrees a second from the first moment on.
std::string arm(const std::string& keys) {
  return R"([[obstacle]]
name = "arm"
shape = "capsule"
radius = 0.05
length = 0.4
)" + keys +
         R"([[obstacle.bone]]
name = "upper"
head = [0, -0.2, 0]
tail = [0, 0, 0]
[[obstacle.bone]]
name = "lower"
parent = "upper"
head = [0, 0, 0]
tail = [0, 0.2, 0]
keys = [{ time = 0 }, { time = 4, rotation = [0, 0, 120] }]
)";
}

std::unique_ptr<Deformation> deformation(const Obstacle& o, TriMesh& mesh) {
  std::vector<std::string> notices;
  mesh = build_obstacle_mesh(o, "", notices);
  return make_deformation(o, "", mesh, notices);
}

/// The largest speed of a vertex at a time, m/s.
double speed(const Deformation& body, double time) {
  constexpr double kStep = 1e-3;
  std::vector<vec3> a, b;
  body.positions(time, a), body.positions(time + kStep, b);
  double most = 0;
  for (size_t v = 0; v < a.size(); ++v) most = std::max(most, double(glm::length(b[v] - a[v])) / kStep);
  return most;
}

std::string fault(const std::string& text) {
  try {
    parse_scene(text, "s.toml");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a lead-in lets a body start at rest, never makes it faster, and ends without a jump in speed") {
  TriMesh mesh;
  const Obstacle plain = parse_scene(arm(""), "").obstacles[0],
                 gentle = parse_scene(arm("lead_in = 1\n"), "").obstacles[0];
  const auto at_once = deformation(plain, mesh), led = deformation(gentle, mesh);
  const double full = speed(*at_once, 1);
  CHECK(full > 0.05);
  CHECK(speed(*at_once, 0) > 0.9 * full);
  CHECK(speed(*led, 0) < 1e-3 * full);
  double before = 0;
  for (double t = 0; t < 2; t += 0.01) {
    const double now = speed(*led, t);
    CHECK(now < 1.01 * full);
    // s' is at most 15/8 per lead-in
    CHECK(std::abs(now - before) < 1.1 * 15.0 / 8 * 0.01 * full + 1e-3 * full);
    before = now;
  }
  // half of the lead-in is lost
  std::vector<vec3> a, b;
  led->positions(2, a), at_once->positions(1.5, b);
  for (size_t v = 0; v < a.size(); ++v) CHECK(glm::length(a[v] - b[v]) < 1e-6f);
}

TEST_CASE("the lead-in of a body is read and written, and refused where nothing deforms by itself") {
  const Scene scene = parse_scene(arm("lead_in = 0.75\n"), "");
  CHECK(lead_in_of(scene.obstacles[0]) == 0.75f);
  CHECK(parse_scene(write_scene(scene), "") == scene);
  CHECK(fault("[[obstacle]]\nshape = \"sphere\"\nlead_in = 1\n").find("only a body that deforms by itself") !=
        std::string::npos);
  CHECK(fault("[[obstacle]]\nlead_in = 1\n[obstacle.mannequin]\n").find("[obstacle.mannequin]") !=
        std::string::npos);
}
