// Bodies that are selected and moved, and vertices fastened as one: arithmetic, and a real mouse.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "sim/scene/motion.h"
#include "tests/viewer/window_desktop.h"
#include "viewer/interact/hand.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

/// A box in the middle of the picture, turned once by its script.
struct Bench {
  std::vector<Command> posted;
  std::vector<Edit> done;
  bool may = true;
  BodyMover mover{[this](const Command& c) { posted.push_back(c); }, [this](Edit e) { done.push_back(e); },
                  [this] { return may; }};
  DragController drag{[](const Command&) {}};
  SceneView scene;
  Frame frame;
  Camera camera{CameraPose{{0, 1, 0}, 3, 0, 0, 35}};
  ivec2 size{800, 600};
  MouseHand hand;

  Bench() {
    scene.model_id = frame.model_id = 1;
    scene.scene.obstacles.resize(2);
    scene.scene.obstacles[0].name = "box", scene.scene.obstacles[1].name = "floor";
    scene.scene.obstacles[1].shape = ObstacleShape::plane;
    TriMesh box;
    for (int i = 0; i < 8; ++i)
      box.positions.push_back(0.1f * vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    box.triangles = {{0, 1, 2}, {1, 3, 2}, {4, 6, 5}, {5, 6, 7}};
    TriMesh floor;
    floor.positions = {{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}};
    floor.triangles = {{0, 1, 2}};
    scene.obstacle_meshes = {box, floor};
    frame.obstacles = {{0, glm::translate(mat4(1), vec3(0, 1, 0)), nullptr, {}}, {1, mat4(1), nullptr, {}}};
    frame.obstacle_positions.resize(2);
  }
  MouseHand::Moment moment() { return {frame, scene, camera, size, drag, 0, true, 1, {}, &mover}; }
  vec2 pixel(const vec3& p) const { return vec2(*camera.view(size).project(p)); }
  void click(vec2 at, vec2 to) {
    hand.press(moment(), MouseButton::left, at, {});
    hand.move(moment(), to);
    hand.release(moment(), MouseButton::left, {});
  }
  Gizmo gizmo() const { return *mover.gizmo(frame, scene, camera.view(size), 1); }
  MoveBody last() const { return std::get<MoveBody>(posted.back()); }
};

const vec2 kMiddle(400, 300);

}  // namespace

TEST_CASE(
    "a click selects the body under the cursor and a click beside it none while drags turn the camera") {
  Bench b;
  b.click(kMiddle, kMiddle + vec2(60, 0));
  CHECK(b.mover.selected() == -1);
  CHECK(b.camera.pose().yaw != 0);
  b.camera.set_pose({{0, 1, 0}, 3, 0, 0, 35});
  b.click(kMiddle, kMiddle);
  CHECK(b.mover.selected() == 0);
  CHECK(b.gizmo().body == "box");
  CHECK(glm::length(b.gizmo().center - vec3(0, 1, 0)) < 1e-6f);
  b.click({20, 20}, {20, 20});
  CHECK(b.mover.selected() == -1);
  b.camera.set_pose({{0, 1, 0}, 3, 0, 40, 35});
  const vec2 below(400, 560);
  b.click(below, below);
  CHECK(b.mover.selected() == 1);
  CHECK(b.gizmo().body == "floor");
  CHECK(glm::distance(b.pixel(b.gizmo().center), below) < 0.01f);  // where it was clicked
  CHECK(std::abs(b.gizmo().center.y) < 1e-5f);
}

TEST_CASE("an arrow moves a body along its axis by as much as the cursor moves and undo has both places") {
  Bench b;
  b.mover.select(0, b.scene);
  const vec2 tip = b.pixel(b.gizmo().tip(0));
  b.hand.move(b.moment(), tip);
  CHECK(b.hand.hover().gizmo == GizmoPart{0, false});
  b.hand.press(b.moment(), MouseButton::left, tip, {});
  CHECK(b.mover.holding());
  const vec2 there = b.pixel(b.gizmo().tip(0) + vec3(0.25f, 0, 0));
  b.hand.move(b.moment(), there + vec2(0, 30));  // beside the axis
  CHECK(b.last().obstacle == "box");
  CHECK(glm::length(b.last().offset - vec3(0.25f, 0, 0)) < 0.01f);
  CHECK(b.last().rotation == vec3(0));
  CHECK(b.gizmo().moved.find(" cm") != std::string::npos);
  b.hand.release(b.moment(), MouseButton::left, {});
  CHECK_FALSE(b.mover.holding());
  REQUIRE(b.done.size() == 1);
  CHECK(b.done[0].label == "Move box");
  CHECK(std::get<MoveBody>(b.done[0].undo[0]).offset == vec3(0));
  CHECK(std::get<MoveBody>(b.done[0].redo[0]).offset == b.last().offset);
  CHECK(b.camera.pose().yaw == 0);
  // Until a frame has the command the gizmo stays where it was put, and then where the frame has it.
  CHECK(b.gizmo().center.x == doctest::Approx(b.last().offset.x).epsilon(1e-3));
  b.frame.obstacles[0].hand.to = {{0, 1, 0}, b.last().offset, quat(1, 0, 0, 0)};
  b.mover.reconcile(b.frame, b.scene);
  b.frame.obstacles[0].hand.to.offset = {-0.5f, 0, 0};
  b.frame.obstacles[0].transform = glm::translate(mat4(1), vec3(-0.5f, 1, 0));
  CHECK(b.gizmo().center.x == doctest::Approx(-0.5));
}

TEST_CASE("a ring turns a body about its middle, by more than half a circle too") {
  Bench b;
  b.mover.select(0, b.scene);
  const auto on_ring = [&](float angle) { return b.pixel(b.gizmo().on_ring(2, angle)); };
  const vec2 start = on_ring(0.7f);
  b.hand.press(b.moment(), MouseButton::left, start, {});
  REQUIRE(b.mover.holding());
  for (int i = 1; i <= 20; ++i) b.hand.move(b.moment(), on_ring(0.7f + 0.2f * float(i)));
  b.hand.release(b.moment(), MouseButton::left, {});
  const quat turned = rotation_from_degrees(b.last().rotation), wanted = glm::angleAxis(4.0f, vec3(0, 0, 1));
  CHECK(std::abs(glm::dot(turned, wanted)) > 0.999f);
  CHECK(b.last().center + b.last().offset == vec3(0, 1, 0));
  CHECK(b.done.at(0).label == "Turn box");
}

TEST_CASE("a plane is lifted by the arrow at the clicked place and keeps its gizmo there when it has moved") {
  Bench b;
  b.camera.set_pose({{0, 1, 0}, 3, 0, 40, 35});
  b.click({400, 560}, {400, 560});
  const vec3 at = b.gizmo().center;
  b.hand.press(b.moment(), MouseButton::left, b.pixel(b.gizmo().tip(1)), {});
  REQUIRE(b.mover.holding());
  b.hand.move(b.moment(), b.pixel(b.gizmo().tip(1) + vec3(0, 0.2f, 0)));
  b.hand.release(b.moment(), MouseButton::left, {});
  CHECK(b.last().obstacle == "floor");
  CHECK(glm::distance(b.last().center, at) < 1e-4f);
  CHECK(glm::distance(b.last().offset, vec3(0, 0.2f, 0)) < 0.01f);
  b.frame.obstacles[1].hand.to = {at, b.last().offset, quat(1, 0, 0, 0)};
  b.frame.obstacles[1].hand.from = b.frame.obstacles[1].hand.to;
  b.frame.obstacles[1].transform = glm::translate(mat4(1), b.last().offset);
  b.mover.reconcile(b.frame, b.scene);
  CHECK(glm::distance(b.gizmo().center, at + b.last().offset) < 1e-4f);
  // taken up at another place it is turned about that one
  const vec3 other(0.3f, 0.2f, 0.4f);
  b.click(b.pixel(other), b.pixel(other));
  CHECK(glm::distance(b.gizmo().center, other) < 1e-3f);
}

TEST_CASE("a body that may not be moved stays, and another scene has nothing selected") {
  Bench b;
  b.mover.select(0, b.scene);
  b.may = false;
  b.hand.press(b.moment(), MouseButton::left, b.pixel(b.gizmo().tip(1)), {});
  CHECK_FALSE(b.mover.holding());
  CHECK(b.posted.empty());
  b.scene.model_id = 2;
  CHECK_FALSE(b.mover.gizmo(b.frame, b.scene, b.camera.view(b.size), 1));
  b.mover.forget();
  CHECK(b.mover.selected() == -1);
}

TEST_CASE("a rectangle drawn with Ctrl Shift and Alt is fastened on one handle") {
  Bench b;
  b.frame.positions = {{-0.2f, 1, 0}, {0.2f, 1, 0}, {0.2f, 1.2f, 0}};
  b.scene.triangles = {{0, 1, 2}};
  const Modifiers all{.shift = true, .ctrl = true, .alt = true};
  b.hand.press(b.moment(), MouseButton::left, {410, 100}, all);
  b.hand.move(b.moment(), {700, 400});
  const Selected chosen = b.hand.release(b.moment(), MouseButton::left, all);
  CHECK(chosen.use == SelectFor::handle);
  CHECK(chosen.vertices == std::vector<int>{1, 2});
  std::vector<Command> posted;
  DragController drag([&](const Command& c) { posted.push_back(c); });
  CHECK(drag.fasten(chosen.vertices, b.frame, b.scene));
  CHECK_FALSE(drag.fasten({}, b.frame, b.scene));
  REQUIRE(posted.size() == 1);
  CHECK(std::get<GrabVertices>(posted[0]).vertices == std::vector<int>{1, 2});
  CHECK(glm::length(drag.handles().at(0).target - vec3(0.2f, 1.1f, 0)) < 1e-6f);
  const CameraView view = b.camera.view(b.size);
  CHECK(drag.take(drag.handles()[0].id, {view, b.pixel(drag.handles()[0].target)}));
}

TEST_CASE("a real mouse selects a ball, lifts it by an arrow, and undo puts it back") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {"--vertices", "600", "--size", "1200x760"});
  const Report start = weft.wait_until("it runs", [](const Report& r) { return r["step"] > 2; });
  CHECK(start["body"].is_null());
  weft.click(start["bodies"][0]["screen"][0], start["bodies"][0]["screen"][1]);
  const Report chosen = weft.wait_until("the ball is selected", [](const Report& r) {
    return !r["body"].is_null() && r["body"]["name"] == "ball";
  });
  CHECK(chosen["camera"] == start["camera"]);
  const double x = chosen["body"]["tips"][1][0], y = chosen["body"]["tips"][1][1];
  weft.move_to(x, y);
  weft.fresh();
  weft.press();
  weft.wait_until("it is held", [](const Report& r) { return r["body"]["held"].get<bool>(); });
  for (int i = 1; i <= 8; ++i) weft.move_to(x, y - 8 * i);
  weft.fresh();
  weft.release();
  const double before = chosen["body"]["now"][1];
  const Report lifted = weft.wait_until("the ball has arrived", [&](const Report& r) {
    return !r["body"]["held"].get<bool>() && r["body"]["now"][1] > before + 0.05 &&
           std::abs(r["body"]["now"][1].get<double>() - r["body"]["center"][1].get<double>()) < 1e-4;
  });
  CHECK(std::abs(lifted["body"]["now"][0].get<double>() - chosen["body"]["now"][0].get<double>()) < 1e-4);
  CHECK(lifted["camera"] == start["camera"]);
  weft.key("ctrl+z");
  weft.wait_until("it is back", [&](const Report& r) {
    return std::abs(r["body"]["now"][1].get<double>() - before) < 1e-4;
  });
  weft.key("Escape");
  weft.wait_until("nothing is selected", [](const Report& r) { return r["body"].is_null(); });
}

TEST_CASE("a real mouse lifts a floor under a falling cloth, which comes to lie on it") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  std::ofstream(desktop.file("floor.toml")) << R"(title = "Floor"
[contact]
ground = false
[camera]
target = [0, 0.3, 0]
distance = 2.5
yaw = 20
pitch = 25
[[cloth]]
name = "sheet"
size = [0.4, 0.4]
vertices = 200
position = [0, 0.5, 0]
rotation = [-90, 0, 0]
[[obstacle]]
name = "floor"
shape = "plane"
position = [0, 0, 0]
)";
  RunningWeft weft(desktop, {"floor.toml", "--size", "1200x760"});
  const Report start = weft.wait_until("it runs", [](const Report& r) { return r["step"] > 2; });
  const double x = start["viewport"][0].get<double>() + 0.5 * start["viewport"][2].get<double>(),
               y = start["viewport"][1].get<double>() + 0.8 * start["viewport"][3].get<double>();
  weft.click(x, y);
  const Report chosen = weft.wait_until("the floor is selected", [](const Report& r) {
    return !r["body"].is_null() && r["body"]["name"] == "floor";
  });
  CHECK(std::abs(chosen["body"]["screen"][0].get<double>() - x) < 3);
  CHECK(std::abs(chosen["body"]["screen"][1].get<double>() - y) < 3);
  const double tip_x = chosen["body"]["tips"][1][0], tip_y = chosen["body"]["tips"][1][1];
  weft.move_to(tip_x, tip_y);
  weft.fresh();
  weft.press();
  weft.wait_until("it is held", [](const Report& r) { return r["body"]["held"].get<bool>(); });
  for (int i = 1; i <= 6; ++i) weft.move_to(tip_x, tip_y - 8 * i);
  weft.fresh();
  weft.release();
  const Report lifted =
      weft.wait_until("the floor has arrived and the cloth lies on it", [](const Report& r) {
        const double floor = r["body"]["now"][1];
        return !r["body"]["held"].get<bool>() && floor > 0.05 &&
               floor == r["body"]["center"][1].get<double>() && r["lowest"].get<double>() > floor - 0.003 &&
               r["lowest"].get<double>() < floor + 0.02;
      });
  weft.key("ctrl+z");
  weft.wait_until("both are down again", [](const Report& r) {
    return std::abs(r["body"]["now"][1].get<double>()) < 1e-4 && std::abs(r["lowest"].get<double>()) < 0.02;
  });
}
