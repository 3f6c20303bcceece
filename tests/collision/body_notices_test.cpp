// Bodies and pins that jump are reported, once each.
#include "sim/run/body_notices.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/base/log.h"
#include "sim/garment/pattern.h"
#include "tests/physics/scenes.h"

using namespace weft;

namespace {

/// What a run says in `steps` steps.
std::vector<std::string> said(const Scene& scene, int steps) {
  std::vector<std::string> lines;
  physics::Run run(scene, 1);
  const int sink = add_log_sink([&](LogLevel level, const std::string& text) {
    if (level == LogLevel::warning) lines.push_back(text);
  });
  for (int i = 0; i < steps; ++i) run.sim->step();
  remove_log_sink(sink);
  return lines;
}

Scene small_cloth() {
  Scene s;
  s.contact.ground = false;
  Cloth& c = s.cloths.emplace_back();
  c.size = {0.1f, 0.1f}, c.edge = 0.02f;
  c.placement.position = {0, 1, 0};
  s.pins.emplace_back().where = "top";
  return s;
}

}  // namespace

TEST_CASE(
    "a body or a pin whose keys make it jump is told of once, with how far and how fast, and a fast one is "
    "not") {
  for (const float seconds : {0.001f, 0.1f}) {
    Scene body = small_cloth(), pin = small_cloth();
    Obstacle& ball = body.obstacles.emplace_back();
    ball.name = "ball";
    ball.placement.position = {1, 1, 0};
    ball.motion.keys = {{0.02f, vec3(0), vec3(0)},
                        {0.02f + seconds, {0.8f, 0, 0}, vec3(0)},
                        {0.06f, {0.8f, 0, 0}, vec3(0)},
                        {0.06f + seconds, vec3(0), vec3(0)}};
    if (seconds > 0.05f) ball.motion.keys.resize(2);
    pin.pins[0].motion = ball.motion;
    const auto of_body = said(body, 10), of_pin = said(pin, 10);
    if (seconds > 0.05f) {  // 8 m/s
      CHECK(of_body.empty());
      CHECK(of_pin.empty());
      continue;
    }
    REQUIRE(of_body.size() == 1);
    CHECK(of_body[0].find("obstacle ball jumps 800 mm within step 2 (80 m/s) at 0.0") == 0);
    REQUIRE(of_pin.size() == 1);
    CHECK(of_pin[0].find("a pin jumps 800 mm within step 2 (80 m/s) at 0.0") == 0);
  }
}

TEST_CASE(
    "cloth that starts deep inside a body is told of by methods that push it out, with how far and how "
    "fast") {
  const auto notices = [](const Scene& scene) {
    physics::Run run(scene, 1);
    return run.sim->model().notices;
  };
  Scene s = small_cloth();
  s.pins.clear();
  s.cloths[0].name = "sheet";
  Obstacle& o = s.obstacles.emplace_back();
  o.name = "ball", o.shape = ObstacleShape::sphere, o.size.x = 0.1f;
  o.placement.position = {0, 1, 0};
  s.step.dt = 0.01f;
  for (const char* method : {"bodies", "repulsion"}) {
    s.set("step.collision", method);
    const auto inside = notices(s);
    REQUIRE(inside.size() == 1);
    CHECK(inside[0].find("cloth sheet: ") == 0);
    CHECK(inside[0].find(" vertices start inside ball, by up to 0.1 m: contact throws them out at 10 m/s") !=
          std::string::npos);
  }
  s.set("step.collision", "none");
  CHECK(notices(s).empty());
  // A garment that starts sewn regards no bodies: reported whatever the method, with what puts it on.
  Scene garment = s;
  garment.path = "scenes/worn.toml";
  garment.cloths[0].shape = ClothShape::garment;
  Panel panel;
  panel.name = "a", panel.loops = {{{.start = {-0.05, -0.05}},
                                    {.start = {0.05, -0.05}},
                                    {.start = {0.05, 0.05}},
                                    {.start = {-0.05, 0.05}}}};
  garment.cloths[0].sewing_pattern = Pattern{"g", 0.02, "", {panel}, {}};
  for (const char* method : {"none", "two_way", "bodies"}) {
    CAPTURE(method);
    garment.set("step.collision", method);
    std::string all;
    for (const std::string& words : notices(garment)) all += words + "\n";
    CHECK(all.find("vertices start inside ball") != std::string::npos);
    CHECK(all.find("start = \"dressed\"") != std::string::npos);
    CHECK(all.find("weft dress scenes/worn.toml -o sheet.obj") != std::string::npos);
  }
  s.set("step.collision", "bodies");
  s.obstacles[0].placement.position.y = 0.86f;  // 10 mm inside: lifted gently
  CHECK(notices(s).empty());
}
