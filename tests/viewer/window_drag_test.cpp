#include <doctest/doctest.h>

#include "viewer/interact/drag.h"
#include "viewer/interact/hand.h"

using namespace weft;

namespace {

struct Bench {
  Camera camera{CameraPose{{0, 1, 0}, 2.5f, 30, 10, 35}};
  ivec2 size{800, 600};
  CameraView view = camera.view(size);
  std::vector<Command> posted;
  DragController drag{[this](Command c) { posted.push_back(std::move(c)); }};

  PickHit hit_at(const vec2& pixel, float depth) const {
    PickHit hit;
    hit.triangle = 17;
    hit.barycentric = {0.2f, 0.3f, 0.5f};
    hit.point = view.unproject(pixel, depth);
    return hit;
  }
  vec3 target() const { return drag.handles().back().target; }
  template <class C>
  int count() const {
    int n = 0;
    for (const Command& c : posted) n += std::holds_alternative<C>(c);
    return n;
  }
};

}  // namespace

TEST_CASE("a grab begins exactly at the point that was hit") {
  Bench b;
  const PickHit hit = b.hit_at({420, 250}, 2.2f);
  b.drag.begin(hit, {b.view, {420, 250}}, 0.03f);
  REQUIRE(b.posted.size() == 2);
  const auto& begin = std::get<GrabBegin>(b.posted[0]);
  CHECK(begin.triangle == 17);
  CHECK(begin.barycentric == vec3(0.2f, 0.3f, 0.5f));
  CHECK(begin.brush_radius == 0.03f);
  CHECK(std::get<GrabMove>(b.posted[1]).target == hit.point);
  CHECK(begin.handle == b.drag.active());
}

TEST_CASE("the target stays under the cursor on a plane that faces the camera") {
  Bench b;
  const PickHit hit = b.hit_at({420, 250}, 2.2f);
  b.drag.begin(hit, {b.view, {420, 250}}, 0);
  for (const vec2& pixel : {vec2(10, 10), vec2(790, 590), vec2(400, 20), vec2(421, 250)}) {
    b.drag.move({b.view, pixel});
    const auto seen = b.view.project(b.target());
    REQUIRE(seen);
    CHECK(glm::distance(vec2(*seen), pixel) < 0.01f);
    CHECK(seen->z == doctest::Approx(2.2f).epsilon(1e-5));
    // In the plane: perpendicular to the direction of the view.
    CHECK(std::abs(glm::dot(b.target() - hit.point, b.view.forward())) < 1e-4f);
  }
}

TEST_CASE("the wheel moves the plane away from the camera and back, the target stays under the cursor") {
  Bench b;
  b.drag.begin(b.hit_at({420, 250}, 2.0f), {b.view, {420, 250}}, 0);
  b.drag.push(0.3f, {b.view, {420, 250}});
  auto seen = b.view.project(b.target());
  REQUIRE(seen);
  CHECK(seen->z == doctest::Approx(2.3).epsilon(1e-4));
  CHECK(glm::distance(vec2(*seen), vec2(420, 250)) < 0.05f);
  b.drag.push(-0.3f, {b.view, {420, 250}});
  seen = b.view.project(b.target());
  CHECK(seen->z == doctest::Approx(2.0).epsilon(1e-4));
  b.drag.push(-1000, {b.view, {420, 250}});
  CHECK(view_depth(b.target(), b.view) > 0);  // never behind the eye
}

TEST_CASE("a handle that is left in place can be taken up again without a jump") {
  Bench b;
  b.drag.begin(b.hit_at({420, 250}, 2.0f), {b.view, {420, 250}}, 0);
  b.drag.move({b.view, {500, 200}});
  const int first = b.drag.active();
  b.drag.end(true);
  CHECK_FALSE(b.drag.dragging());
  CHECK(b.drag.handles().size() == 1);
  CHECK(b.count<GrabEnd>() == 0);
  const vec3 before = b.target();
  REQUIRE(b.drag.take(first, {b.view, {506, 203}}));  // a few pixels beside it
  b.drag.move({b.view, {506, 203}});
  CHECK(glm::distance(b.target(), before) < 1e-6f);
  b.drag.end(false);
  CHECK(b.count<GrabEnd>() == 1);
  CHECK(b.drag.handles().empty());
}

TEST_CASE("several handles are held at once and all let go together") {
  Bench b;
  for (int i = 0; i < 3; ++i) {
    b.drag.begin(b.hit_at({300.0f + 50 * i, 250}, 2.0f), {b.view, {300.0f + 50 * i, 250}}, 0);
    b.drag.end(true);
  }
  CHECK(b.drag.handles().size() == 3);
  CHECK(b.drag.handles()[0].id != b.drag.handles()[1].id);
  b.drag.release_all();
  CHECK(b.count<GrabEnd>() == 3);
  CHECK(b.drag.handles().empty());
}

TEST_CASE("a handle that the simulator no longer has is dropped, one that it does not know yet is kept") {
  Bench b;
  b.drag.begin(b.hit_at({420, 250}, 2.0f), {b.view, {420, 250}}, 0);
  b.drag.reconcile({});
  CHECK(b.drag.dragging());
  HandleView live;
  live.id = b.drag.active();
  b.drag.reconcile({live});
  CHECK(b.drag.dragging());
  b.drag.reconcile({});
  CHECK_FALSE(b.drag.dragging());
  CHECK(b.drag.handles().empty());
}

TEST_CASE("a notch of the wheel is a share of the cloth that is held, at any distance of the camera") {
  SceneView scene;
  scene.model_id = 1;
  scene.rest = {{0, 0, 0}, {3, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0.5f, 0, 0}, {0, 0.4f, 0}};
  scene.triangles = {{0, 1, 2}, {3, 4, 5}};
  scene.parts.resize(2);
  scene.parts[0].vertex_count = scene.parts[1].vertex_count = 3;
  scene.parts[0].triangle_count = scene.parts[1].triangle_count = 1;
  scene.parts[1].first_vertex = 3, scene.parts[1].first_triangle = 1;
  CHECK(cloth_extent(scene, 0) == 3);
  CHECK(cloth_extent(scene, 1) == 0.5f);
  CHECK(cloth_extent(scene, 2) == 0);
  Frame frame;
  frame.model_id = 1;
  frame.positions = scene.rest;
  for (const float distance : {1.5f, 6.0f}) {
    Bench b;
    Camera camera(CameraPose{{0.1f, 0.1f, 0}, distance, 0, 0, 35});
    const MouseHand::Moment m{frame, scene, camera, b.size, b.drag};
    MouseHand hand;
    scene.triangles = {{0, 0, 0}, {3, 4, 5}};  // only the small one can be hit
    hand.press(m, MouseButton::left, vec2(b.size) * 0.5f, {});
    REQUIRE(b.drag.dragging());
    const float before = b.target().z;
    hand.wheel(m, 3, vec2(b.size) * 0.5f);
    CHECK(b.target().z - before == doctest::Approx(-3 * kNotchShare * 0.5f).epsilon(1e-3));
  }
}

TEST_CASE("a rectangle drawn with Ctrl and Shift takes the vertices that are seen within it") {
  SceneView scene;
  Frame frame;
  frame.positions = {{-0.2f, 0, 0}, {0.2f, 0, 0}, {0.2f, 0.2f, -0.5f}, {0, 0, 9}};  // the last behind the eye
  Bench b;
  Camera camera(CameraPose{{0, 0, 0}, 3, 0, 0, 35});
  const MouseHand::Moment m{frame, scene, camera, b.size, b.drag};
  MouseHand hand;
  const vec2 middle = vec2(b.size) * 0.5f;
  const auto drawn = [&](vec2 from, vec2 to, Modifiers mods) {
    hand.press(m, MouseButton::left, from, mods);
    hand.move(m, to);
    CHECK(hand.rectangle().has_value() == (mods.ctrl && mods.shift));
    return hand.release(m, MouseButton::left, mods).vertices;
  };
  const Modifiers both{.shift = true, .ctrl = true};
  CHECK(drawn(middle + vec2(1, 30), middle + vec2(200, -200), both) == std::vector<int>{1, 2});
  CHECK(drawn(middle + vec2(200, -200), middle + vec2(1, 30), both) == std::vector<int>{1, 2});
  CHECK(drawn(middle - vec2(300), middle + vec2(300), both) == std::vector<int>{0, 1, 2});
  CHECK(drawn(middle + vec2(50, 50), middle + vec2(60, 60), both).empty());
  CHECK(drawn(middle - vec2(300), middle + vec2(300), {}).empty());  // turns the camera
  CHECK_FALSE(hand.rectangle());
}

TEST_CASE(
    "handles are drawn where the mouse has them: before the simulator knows, and no longer after release") {
  Bench b;
  Frame frame;
  frame.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<ivec3> triangles(18, ivec3(0, 1, 2));
  HandleView scripted;
  scripted.id = 1, scripted.scripted = true, scripted.target = vec3(5);
  frame.handles = {scripted};
  b.drag.begin(b.hit_at({420, 250}, 2.0f), {b.view, {420, 250}}, 0);
  b.drag.move({b.view, {500, 200}});
  std::vector<ShownHandle> shown = b.drag.shown(frame, triangles);
  REQUIRE(shown.size() == 2);
  CHECK(shown[0].simulated == scripted);
  CHECK(shown[0].hand == vec3(5));
  CHECK_FALSE(shown[1].known);
  CHECK(shown[1].hand == b.target());
  CHECK(glm::distance(shown[1].simulated.point, vec3(0.3f, 0.5f, 0)) < 1e-6f);
  CHECK(b.drag.shown(frame, {}).size() == 1);  // triangles of another scene

  HandleView live;
  live.id = b.drag.active(), live.target = vec3(1, 2, 3), live.force = 2;
  frame.handles = {scripted, live};
  b.drag.reconcile(frame.handles);
  shown = b.drag.shown(frame, triangles);
  REQUIRE(shown.size() == 2);
  CHECK(shown[1].known);
  CHECK(shown[1].simulated == live);
  CHECK(shown[1].hand == b.target());

  b.drag.end(false);
  CHECK(b.drag.shown(frame, triangles).size() == 1);  // the frame still has it
  frame.handles = {scripted};
  b.drag.reconcile(frame.handles);
  frame.handles = {scripted, live};  // a state that was put back has it again
  CHECK(b.drag.shown(frame, triangles).size() == 2);
}

TEST_CASE("an obstacle in front of the cloth hides it from the cursor") {
  SceneView scene;
  scene.model_id = 1;
  scene.triangles = {{0, 1, 2}};
  TriMesh wall;
  wall.positions = {{-1, -1, 0}, {1, -1, 0}, {0, 2, 0}};
  wall.triangles = {{0, 1, 2}};
  scene.obstacle_meshes = {wall};
  Frame frame;
  frame.model_id = 1;
  frame.positions = {{-1, 0, 0}, {1, 0, 0}, {0, 2, 0}};
  Bench b;
  Camera camera(CameraPose{{0, 0.7f, 0}, 3, 0, 0, 35});
  MouseHand hand;
  const auto look = [&](float z, bool drawn) {
    frame.obstacles = {{0, glm::translate(mat4(1), vec3(0, 0, z))}};
    hand.move({frame, scene, camera, b.size, b.drag, 0, drawn}, vec2(b.size) * 0.5f);
    return hand.hover();
  };
  CHECK(look(-0.5f, true).cloth.has_value());  // behind the cloth as seen from +z
  CHECK_FALSE(look(0.5f, true).cloth.has_value());
  CHECK(look(0.5f, true).obstacle == 0);
  CHECK(look(0.5f, false).cloth.has_value());  // what is not drawn hides nothing
}
