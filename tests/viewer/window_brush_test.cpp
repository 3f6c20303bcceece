// A brush that pins, frees and fastens vertices: arithmetic, and a real mouse.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/viewer/window_desktop.h"
#include "viewer/interact/hand.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

/// A sheet of 11 x 11 vertices, 10 cm apart, before the camera.
struct Easel {
  DragController drag{[](const Command&) {}};
  SceneView scene;
  Frame frame;
  Camera camera{CameraPose{{0, 0, 0}, 3, 0, 0, 35}};
  ivec2 size{800, 600};
  MouseHand hand;
  SelectBrush brush{true, SelectFor::pin, 0.12f};

  Easel() {
    scene.model_id = frame.model_id = 1;
    for (int j = 0; j <= 10; ++j)
      for (int i = 0; i <= 10; ++i)
        frame.positions.push_back(vec3(0.1f * float(i - 5), 0.1f * float(j - 5), 0));
    for (int j = 0; j < 10; ++j)
      for (int i = 0; i < 10; ++i) {
        const int v = 11 * j + i;
        scene.triangles.push_back({v, v + 1, v + 12}), scene.triangles.push_back({v, v + 12, v + 11});
      }
  }
  MouseHand::Moment moment() { return {frame, scene, camera, size, drag, 0, true, 1, {}, nullptr, brush}; }
  vec2 pixel(const vec3& p) const { return vec2(*camera.view(size).project(p)); }
  Selected stroke(const vec3& from, const vec3& to) {
    hand.press(moment(), MouseButton::left, pixel(from), {});
    hand.move(moment(), pixel(0.5f * (from + to)));
    hand.move(moment(), pixel(to));
    return hand.release(moment(), MouseButton::left, {});
  }
};

}  // namespace

TEST_CASE("a brush takes the vertices that its ring has passed and leaves out hidden triangles") {
  Easel e;
  const Selected one = e.stroke({0.01f, 0, 0}, {0.01f, 0, 0});
  CHECK(one.use == SelectFor::pin);
  CHECK(one.vertices == std::vector<int>{49, 59, 60, 61, 71});  // the middle and its four neighbours
  const Selected row = e.stroke({-0.2f, 0.01f, 0}, {0.2f, 0.01f, 0});
  CHECK(row.vertices.size() == 3 * 5 + 2);
  CHECK(e.hand.painted(1).empty());
  e.brush.use = SelectFor::free;
  CHECK(e.stroke({0, 0, 0}, {0, 0, 0}).use == SelectFor::free);
  // beside the cloth the camera turns
  CHECK(e.stroke({0.7f, 0, 0}, {0.8f, 0, 0}).vertices.empty());
  CHECK(e.camera.pose().yaw != 0);
  e.brush.turn_wheel(1);
  CHECK(e.brush.radius == doctest::Approx(0.15f));
  e.brush.turn_wheel(-100);
  CHECK(e.brush.radius == doctest::Approx(0.003f));
}

TEST_CASE("pins are made or freed of those that are not yet so and undone in one step") {
  const std::vector<int> pinned = {2, 5};
  const Edit pin = set_pins({1, 2, 3}, true, pinned, {});
  REQUIRE(pin.redo.size() == 2);
  CHECK(std::get<PinVertex>(pin.redo[0]).vertex == 1);
  CHECK(std::get<PinVertex>(pin.redo[1]).vertex == 3);
  CHECK(pin.undo.size() == 2);
  const Edit free = set_pins({1, 2, 3}, false, pinned, {});
  REQUIRE(free.redo.size() == 1);
  CHECK(std::get<PinVertex>(free.redo[0]).vertex == 2);
  CHECK_FALSE(std::get<PinVertex>(free.redo[0]).pinned);
  CHECK(set_pins({1, 3}, false, pinned, {}).redo.empty());
}

TEST_CASE("a real mouse pins with the brush, the wheel changes it, and others free and fasten") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 900), "--size", "1300x1000", "--paused"});
  const Report start =
      weft.wait_until("it is there", [](const Report& r) { return r["cloth_screen"].is_array(); });
  const double x = start["cloth_screen"][0], y = start["cloth_screen"][1];
  const size_t before = start["pinned"].size();
  weft.key("b");
  weft.wait_until("the brush is in hand", [](const Report& r) { return r["brush"].is_number(); });
  weft.move_to(x, y);
  weft.wait_until("it is over the cloth", [](const Report& r) { return !r["hover"].is_null(); });
  const double small = weft.fresh()["brush"];
  const Report camera = weft.fresh()["camera"];
  weft.xdotool("click 4");
  weft.xdotool("click 4");
  const Report wide =
      weft.wait_until("it is wider", [&](const Report& r) { return r["brush"].get<double>() > 1.5 * small; });
  CHECK(wide["camera"] == camera);
  weft.press();
  weft.fresh();
  for (int i = 1; i <= 8; ++i) weft.move_to(x + 10 * i, y);
  weft.fresh();
  weft.release();
  const Report pinned = weft.wait_until("vertices are pinned",
                                        [&](const Report& r) { return r["pinned"].size() > before + 8; });
  weft.key("ctrl+z");
  weft.wait_until("all at once taken back", [&](const Report& r) { return r["pinned"].size() == before; });
  weft.key("ctrl+shift+z");
  weft.wait_until("and again",
                  [&](const Report& r) { return r["pinned"].size() == pinned["pinned"].size(); });
  const auto choose = [&](const std::string& name) {
    weft.fresh();
    const auto [a, b] = weft.item(name);
    weft.move_to(a, b);
    weft.fresh();
    weft.click(a, b);
  };
  for (const char* section : {"section.Scene", "section.Simulation", "section.Fabric"})
    if (weft.fresh()["items"].contains(section)) choose(section);
  choose("Free");
  weft.move_to(x + 40, y);
  weft.wait_until("it is over the cloth", [](const Report& r) { return !r["hover"].is_null(); });
  weft.click(x + 40, y);
  weft.wait_until("some are free", [&](const Report& r) {
    return r["pinned"].size() < pinned["pinned"].size() && r["pinned"].size() >= before;
  });
  choose("Fasten");
  weft.move_to(x, y + 60);
  weft.wait_until("it is over the cloth", [](const Report& r) { return !r["hover"].is_null(); });
  weft.click(x, y + 60);
  weft.wait_until("a handle holds some", [](const Report& r) { return r["shown_handles"].size() == 1; });
  weft.key("Escape");
  weft.wait_until("the brush is put away", [](const Report& r) { return r["brush"].is_null(); });
}
