#include "viewer/session/wrinkle_layer.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/mesh/shapes/shapes.h"
#include "tests/grid/sheets.h"
#include "tests/support/wait.h"
#include "tests/viewer/opened_session.h"
#include "viewer/render/cloth_mesh.h"
#include "viewer/session/window_state.h"

using namespace weft;
using namespace weft::testing;
using wrinkles::WrinkleSettings;

namespace {

WrinkleSettings coarse_settings() {
  WrinkleSettings s;
  s.params.cell = 0.01f, s.params.levels = 1, s.params.iterations = 10;
  return s;
}

struct Layer {
  std::vector<std::string> said;
  WrinkleLayer layer{[this](LogLevel, const std::string& text) { said.push_back(text); }};
  bool finishes() {
    return wait_for([&] { return layer.refresh() || !said.empty(); });
  }
};

}  // namespace

TEST_CASE("wrinkles of a state are a finer surface on it, with the bodies of that state") {
  Opened o;
  Layer l;
  CHECK(l.layer.shown() == nullptr);
  l.layer.synthesise(o.session.shared_view(), o.session.shared_frame(), coarse_settings(), DeviceChoice::cpu,
                     1);
  REQUIRE(l.finishes());
  REQUIRE(l.said.empty());
  const FineState* fine = l.layer.shown();
  REQUIRE(fine);
  CHECK(fine->of_model == o.session.view().model_id);
  CHECK(fine->view->model_id != o.session.view().model_id);
  CHECK(fine->frame->model_id == fine->view->model_id);
  // Told are the vertices of the lattice; the surface has those of the outline in place of the last ones
  // before it.
  const double told = double(wrinkle_need(o.session.view(), coarse_settings()).vertices);
  CHECK(std::abs(double(fine->frame->positions.size()) - told) < 0.01 * told);
  CHECK(fine->frame->positions.size() > 4 * o.session.frame().positions.size());
  CHECK(fine->frame->normals.size() == fine->frame->positions.size());
  CHECK(fine->frame->obstacles.size() == o.session.frame().obstacles.size());
  Bounds coarse, made;
  for (const vec3& p : o.session.frame().positions) coarse.add(p);
  for (const vec3& p : fine->frame->positions) made.add(p);
  // Within a coarse edge of the coarse surface: it was flat.
  CHECK(glm::length(made.min - coarse.min) < 0.1f);
  CHECK(glm::length(made.max - coarse.max) < 0.1f);
  for (const ivec3& t : fine->view->triangles)
    REQUIRE(std::max({t.x, t.y, t.z}) < int(fine->frame->positions.size()));
  l.layer.clear();
  CHECK(l.layer.shown() == nullptr);
}

TEST_CASE("no triangle of a wrinkled garment is drawn with threads that run across a seam") {
  const TriMesh mesh = two_sewn_panels();
  auto view = std::make_shared<SceneView>();
  view->model_id = 1;
  view->triangles = mesh.triangles, view->rest = mesh.positions,
  view->uv.assign(mesh.positions.size(), vec2(0));
  view->parts.push_back({"cloth", 0, mesh.vertex_count(), 0, mesh.triangle_count(), vec2(1), mesh.corners});
  view->scene.cloths.emplace_back();
  auto frame = std::make_shared<Frame>();
  frame->positions = mesh.positions, frame->model_id = 1;
  WrinkleSettings s;
  s.params.cell = 0.004f, s.params.levels = 1, s.params.iterations = 0, s.params.roughness = 0;
  s.params.bodies = false;  // its lowest row lies on the ground
  Layer l;
  l.layer.synthesise(view, frame, s, DeviceChoice::cpu, 1);
  REQUIRE(l.finishes());
  REQUIRE(l.said.empty());
  const FineState* fine = l.layer.shown();
  REQUIRE(fine);
  const DrawnVertices drawn = drawn_vertices(*fine->view);
  CHECK(drawn.of.size() > fine->frame->positions.size() + 10);  // the seam's vertices once more
  double worst = 0;
  for (const ivec3& t : drawn.triangles)
    for (int k = 0; k < 3; ++k) {
      const size_t a = size_t(t[k]), b = size_t(t[(k + 1) % 3]);
      const float length = glm::distance(fine->frame->positions[size_t(drawn.of[a])],
                                         fine->frame->positions[size_t(drawn.of[b])]);
      worst = std::max(worst, double(std::abs(glm::distance(drawn.uv[a], drawn.uv[b]) - length)));
    }
  MESSAGE("lengths in the material differ from those in space by at most ", worst, " m");
  CHECK(worst < 1e-5);  // the sheet is flat and unstretched
}

TEST_CASE("cancelled work gives no result, and the next one is as if it had not been") {
  Opened o;
  const auto make = [&](bool cancelled_before) {
    Layer l;
    WrinkleSettings s = coarse_settings();
    if (cancelled_before) {
      WrinkleSettings longer = s;
      longer.params.iterations = 100000;
      l.layer.synthesise(o.session.shared_view(), o.session.shared_frame(), longer, DeviceChoice::cpu, 1);
      CHECK(wait_for([&] { return l.layer.progress() > 0; }));
      l.layer.cancel();
      CHECK(wait_for([&] { return !l.layer.working(); }));
      CHECK_FALSE(l.layer.refresh());
    }
    l.layer.synthesise(o.session.shared_view(), o.session.shared_frame(), s, DeviceChoice::cpu, 1);
    REQUIRE(l.finishes());
    return l.layer.shown()->frame->positions;
  };
  CHECK(make(false) == make(true));
}

TEST_CASE("faults of a synthesis are told, and leave the layer ready for the next") {
  Opened o;
  Layer l;
  WrinkleSettings bad = coarse_settings();
  bad.params.block_width = 9;
  l.layer.synthesise(o.session.shared_view(), o.session.shared_frame(), bad, DeviceChoice::cpu, 1);
  CHECK(l.finishes());
  CHECK(l.said.size() == 1);
  l.said.clear();
  l.layer.synthesise(o.session.shared_view(), o.session.shared_frame(), coarse_settings(), DeviceChoice::cpu,
                     1);
  CHECK(l.finishes());
  CHECK(l.layer.shown());
}

TEST_CASE(
    "when paused, wrinkles appear for the shown state and go with the next step, and switching off shows the "
    "cloth") {
  Opened o;
  WrinkleView w([](LogLevel, const std::string&) {});
  w.settings = coarse_settings();
  const auto turn_until = [&](auto condition) {
    return wait_for([&] {
      o.session.refresh();
      w.turn(o.session, 1);
      return condition();
    });
  };
  w.turn(o.session, 1);
  CHECK_FALSE(w.layer.working());  // off
  w.mode = WrinkleView::Mode::paused;
  REQUIRE(turn_until([&] { return w.shown(o.session) != nullptr; }));
  const FineState* const first = w.shown(o.session);
  const size_t fine_vertices = first->frame->positions.size();
  w.turn(o.session, 1);
  CHECK_FALSE(w.layer.working());  // once per state
  CHECK(w.shown(o.session) == first);
  o.session.step_once();
  REQUIRE(wait_for([&] { return o.session.refresh().frame && o.session.frame().step == 1; }));
  CHECK(w.shown(o.session) == nullptr);
  REQUIRE(turn_until([&] { return w.shown(o.session) != nullptr; }));
  CHECK(w.shown(o.session)->of_step == 1);
  w.settings.params.cell = 0.02f;  // other settings: made again
  REQUIRE(turn_until(
      [&] { return w.shown(o.session) && w.layer.shown()->frame->positions.size() < fine_vertices; }));
  w.layer.clear();
  CHECK(w.shown(o.session) == nullptr);
}

TEST_CASE(
    "a synthesis that was asked for while a step was on its way is made of the state that this step leaves") {
  Opened o;
  WrinkleView w([](LogLevel, const std::string&) {});
  w.settings = coarse_settings();
  w.settings.params.iterations = 2000;
  w.once = true;
  o.session.refresh();
  w.turn(o.session, 1);
  CHECK(w.layer.working());
  o.session.step_once();
  REQUIRE(wait_for([&] { return o.session.refresh().frame && o.session.frame().step == 1; }));
  REQUIRE(wait_for([&] {
    o.session.refresh();
    w.turn(o.session, 1);
    return w.shown(o.session) != nullptr;
  }));
  CHECK(w.shown(o.session)->of_step == 1);
  w.turn(o.session, 1);
  CHECK_FALSE(w.once);
}

TEST_CASE("live wrinkles are put on each new state while the next ones are still being made") {
  Opened o;
  WrinkleView w([](LogLevel, const std::string&) {});
  w.settings = coarse_settings();
  w.mode = WrinkleView::Mode::live;
  const auto turn_until = [&](auto condition) {
    return wait_for([&] {
      o.session.refresh();
      w.turn(o.session, 1);
      return condition();
    });
  };
  REQUIRE(turn_until([&] { return w.shown(o.session) != nullptr; }));
  const std::vector<vec3> flat = w.shown(o.session)->frame->positions;
  w.settings.params.iterations = 1000000;  // takes longer than this test
  REQUIRE(turn_until([&] { return w.layer.working(); }));
  for (int step = 1; step <= 2; ++step) {
    o.session.step_once();
    REQUIRE(turn_until([&] {
      const FineState* fine = w.shown(o.session);
      return fine && fine->of_step == step;
    }));
    CHECK(w.layer.working());
    CHECK(w.shown(o.session)->carried);
    CHECK(w.shown(o.session)->frame->positions != flat);
    CHECK(w.shown(o.session)->frame->positions.size() == flat.size());
  }
  w.mode = WrinkleView::Mode::off;
  w.turn(o.session, 1);
  w.layer.cancel();
}

TEST_CASE("gathers are added, taken back and brought again") {
  WrinkleView w([](LogLevel, const std::string&) {});
  wrinkles::Gather g;
  g.to = {0.1f, 0};
  w.change({g});
  w.change({g, g});
  w.undo();
  CHECK(w.settings.gathers.size() == 1);
  w.undo();
  CHECK(w.settings.gathers.empty());
  w.undo();
  w.redo();
  w.redo();
  w.redo();
  CHECK(w.settings.gathers.size() == 2);
}

TEST_CASE("the material point under the cursor is that of the cloth, in metres") {
  Opened o;
  const SceneView& view = o.session.view();
  for (const int t : {0, int(view.triangles.size()) / 2, int(view.triangles.size()) - 1}) {
    const ivec3 v = view.triangles[size_t(t)];
    const vec3 b(0.2f, 0.5f, 0.3f);
    const auto [point, name] = material_point(view, t, b);
    const vec2 expected =
        b.x * view.uv[size_t(v.x)] + b.y * view.uv[size_t(v.y)] + b.z * view.uv[size_t(v.z)];
    CHECK(glm::length(point - expected) < 1e-6f);
    CHECK(name == view.parts[0].name);
  }
  CHECK_THROWS_AS(material_point(view, int(view.triangles.size()), vec3(1, 0, 0)), Error);
}

TEST_CASE("gathers of the window are those of the opened scene, and are saved with it") {
  Opened o;
  WrinkleView view([](LogLevel, const std::string&) {});
  o.session.open({o.folder.write(
      "gathered.toml", scene_called("Gathered") + "[[gather]]\nfrom = [0, 0]\nto = [0.1, 0]\ns0 = 1.4\n")});
  REQUIRE(o.shows("Gathered"));
  view.open(o.session.view().scene);
  REQUIRE(view.settings.gathers.size() == 1);
  CHECK(view.settings.gathers[0].s0 == 1.4f);
  WrinkleView::Gathers more = view.settings.gathers;
  more.push_back(more[0]);
  more[1].s0 = 2;
  view.change(more);
  o.session.keep_gathers(view.settings.gathers);
  o.session.save({});
  CHECK(read_scene(o.folder / "gathered-tuned.toml").of<GatherList>().list == more);
  view.undo();
  CHECK(view.settings.gathers.size() == 1);
  // another scene has none, and what was undone there is not brought back
  o.session.open({o.write_scene("Plain")});
  REQUIRE(o.shows("Plain"));
  view.open(o.session.view().scene);
  CHECK(view.settings.gathers.empty());
  view.redo();
  CHECK(view.settings.gathers.empty());
}
