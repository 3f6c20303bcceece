// Solids in the window: dragged and thrown by the mouse, set by the command line.
#include <doctest/doctest.h>

#include <fstream>

#include "tests/viewer/window_desktop.h"
#include "viewer/interact/hand.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

const std::string kBall = "name = \"ball\"\nshape = \"ball\"\ndiameter = 0.3\nedge = 0.06\ndensity = 20\n";

/// A solid in the air without gravity, and nothing else: no cloth. `table`: of [[solid]].
std::string alone(const Desktop& desktop, const std::string& table) {
  const std::string path = desktop.file("alone.toml");
  std::ofstream(path) << "title = \"Alone\"\n[step]\ncollision = \"two_way\"\n[forces]\ngravity = [0, 0, 0]\n"
                         "air_damping = 2\n[camera]\ntarget = [0, 0.8, 0]\ndistance = 2\nyaw = 0\npitch = 0\n"
                         "[[solid]]\nposition = [0, 0.8, 0]\n"
                      << table;
  return path;
}

/// A strand of five points, 10 cm apart, upright before the camera, and a triangle behind it.
struct Strand {
  std::vector<Command> posted;
  DragController drag{[this](Command c) { posted.push_back(std::move(c)); }};
  SceneView scene;
  Frame frame;
  Camera camera{CameraPose{{0, 0, 0}, 3, 0, 0, 35}};
  ivec2 size{800, 600};
  MouseHand hand;

  Strand() {
    scene.model_id = frame.model_id = 1;
    frame.positions = {{-1, -1, -0.5f}, {1, -1, -0.5f}, {0, 1, -0.5f}};
    scene.triangles = {{0, 1, 2}};
    for (int k = 0; k < 5; ++k) frame.positions.push_back({0.2f, 0.1f * float(k - 2), 0});
    for (int k = 0; k < 4; ++k) scene.edges.push_back({3 + k, 4 + k});
    scene.parts = {{.name = "cloth", .vertex_count = 3, .triangle_count = 1},
                   {.name = "hair", .first_vertex = 3, .vertex_count = 5, .kind = PartKind::strands}};
  }
  MouseHand::Moment moment() { return {frame, scene, camera, size, drag}; }
  vec2 pixel(const vec3& p) const { return vec2(*camera.view(size).project(p)); }
};

double height(const Report& r) { return r["cloth_screen"][1].get<double>(); }

/// Grabs the solid in the middle of the picture, pulls it up to the right, and lets go: it flies on.
void throw_by_mouse(const std::string& table) {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {alone(desktop, table), "--size", "1200x760"});
  const Report start = weft.wait_until("it runs", [](const Report& r) { return r["step"] >= 2; });
  const double x = start["cloth_screen"][0], y = height(start);
  weft.move_to(x, y);
  weft.wait_until("a triangle is under the cursor", [](const Report& r) { return !r["hover"].is_null(); });
  weft.press();
  weft.move_to(x + 60, y - 60);
  weft.move_to(x + 120, y - 120);
  const Report held = weft.wait_until(
      "it is under way", [&](const Report& r) { return r["handles"].size() == 1 && height(r) < y - 30; });
  weft.release();
  const double at = height(held);
  const Report gone =
      weft.wait_until("the handle is gone", [](const Report& r) { return r["handles"].empty(); });
  weft.wait_until("it flies on", [&](const Report& r) {
    return r["step"] > gone["step"].get<int>() + 3 && height(r) < at - 5;
  });
}

}  // namespace

TEST_CASE("the point of a strand near the cursor is dragged and pinned before the cloth behind it") {
  Strand s;
  const vec2 at = s.pixel(s.frame.positions[6]) + vec2(3, 2);
  s.hand.move(s.moment(), at);
  CHECK(s.hand.hover().strand == 6);
  CHECK_FALSE(s.hand.hover().cloth);
  CHECK(s.hand.press(s.moment(), MouseButton::left, at, {.ctrl = true}) == 6);
  s.hand.press(s.moment(), MouseButton::left, at, {});
  REQUIRE(s.drag.dragging());
  REQUIRE(std::holds_alternative<GrabVertices>(s.posted.front()));
  CHECK(std::get<GrabVertices>(s.posted.front()).vertices == std::vector<int>{6});
  s.hand.move(s.moment(), at + vec2(50, 0));
  REQUIRE(std::holds_alternative<GrabMove>(s.posted.back()));
  CHECK(std::get<GrabMove>(s.posted.back()).target.x > 0.3f);
  s.hand.release(s.moment(), MouseButton::left, {});
  CHECK(std::holds_alternative<GrabEnd>(s.posted.back()));
  CHECK(s.drag.handles().empty());
}

TEST_CASE("cloth is dragged beside a strand and a strand behind cloth is not") {
  Strand s;
  s.hand.move(s.moment(), s.pixel({-0.1f, 0, 0}));
  CHECK(s.hand.hover().strand == -1);
  CHECK(s.hand.hover().cloth);
  for (int v = 0; v < 3; ++v) s.frame.positions[size_t(v)].z = 0.5f;
  s.hand.move(s.moment(), s.pixel(s.frame.positions[6]));
  CHECK(s.hand.hover().strand == -1);
  CHECK(s.hand.hover().cloth);
}

TEST_CASE("of grains under the cursor the nearest to the eye is dragged") {
  Strand s;
  s.scene.edges.clear();
  s.scene.parts[1].kind = PartKind::grains;
  // one behind the other, and behind both the cloth
  for (int k = 0; k < 5; ++k) s.frame.positions[size_t(3 + k)] = {0.1f, 0, 0.05f * float(k) - 0.1f};
  s.hand.move(s.moment(), s.pixel(s.frame.positions[5]));
  CHECK(s.hand.hover().strand == 7);
  CHECK_FALSE(s.hand.hover().cloth);
}

TEST_CASE("a rigid die is thrown by the mouse") {
  throw_by_mouse("name = \"die\"\nrigid = true\nsize = [0.3, 0.3, 0.3]\nedge = 0.1\ndensity = 20\n");
}

TEST_CASE("a solid without any cloth is drawn and follows the mouse and flies on when it is let go") {
  throw_by_mouse(kBall);
}

TEST_CASE("hair is pulled by the mouse and swings back when it is let go") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  const std::string path = desktop.file("hair.toml");
  std::ofstream(path)
      << "title = \"Hair\"\n[step]\ncollision = \"two_way\"\n[two_way]\nactivation = 0.002\n"
         "[forces]\nair_damping = 2\n[camera]\ntarget = [0, 0.85, 0]\ndistance = 1.2\nyaw = 0\n"
         "pitch = 0\n[[strands]]\nname = \"hair\"\ncount = 1\nsize = [0, 0]\nlength = 0.4\n"
         "segments = 8\nrotation = [180, 0, 0]\nposition = [0, 1.05, 0]\nthickness = 0.02\n"
         "[[pin]]\ncloth = \"hair\"\nwhere = \"roots\"\n";
  RunningWeft weft(desktop, {path, "--size", "1200x760"});
  const Report start = weft.wait_until("it runs", [](const Report& r) { return r["step"] >= 2; });
  const double x = start["cloth_screen"][0], y = height(start);
  weft.move_to(x, y);
  weft.press();
  weft.move_to(x + 40, y);
  weft.move_to(x + 90, y);
  weft.wait_until("a hand has hold of it and it is under way", [&](const Report& r) {
    return r["handles"].size() == 1 && r["cloth_screen"][0].get<double>() > x + 15;
  });
  weft.release();
  weft.wait_until("it hangs as before", [&](const Report& r) {
    return r["handles"].empty() && std::abs(r["cloth_screen"][0].get<double>() - x) < 8;
  });
}

TEST_CASE("a mat is pulled and thrown by the mouse") {
  throw_by_mouse("name = \"mat\"\nsize = [0.5, 0.4, 0.04]\nedge = 0.04\ndensity = 100\n");
}

TEST_CASE("a solid's stiffness that is set is in the command that the window tells") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {alone(desktop, kBall), "--size", "1200x760", "--set", "solid.ball.young=5e4"});
  const Report start = weft.wait_until("it runs", [](const Report& r) { return r["step"] >= 2; });
  CHECK(start["command"].get<std::string>().find("solid.ball.young") != std::string::npos);
}
