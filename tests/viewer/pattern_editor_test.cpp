#include "viewer/session/pattern_editor.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/garment/edge_curve.h"
#include "sim/scene/text/scene_file.h"
#include "tests/garment/patterns.h"
#include "tests/viewer/opened_session.h"
#include "viewer/render/cloth_mesh.h"
#include "viewer/session/edge_elastic.h"
#include "viewer/session/garment_marks.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Two panels behind each other, the back one turned so that both right sides point outwards.
Pattern two_panels() {
  Panel back = rectangle("back", 0.3, 0.2, dvec3(0.3, 0.5, -0.05));
  back.rotation = {0, 180, 0};
  return pattern_of({rectangle("front", 0.3, 0.2, dvec3(0, 0.5, 0.05)), back},
                    {{"side", {{0, 1, 0, 1}, {1, 3, 1, 0}}}}, 0.03);
}

Scene scene_with(const Pattern& pattern) {
  Scene scene;
  Cloth& other = scene.cloths.emplace_back();
  other.name = "other";
  Cloth& c = scene.cloths.emplace_back();
  c.name = "shirt";
  scene.step.dt = 0.01f;
  return with_pattern(scene, 1, pattern);
}

dvec2 middle_of_edge(const PatternEditor& e, int panel, int edge) {
  return e.layout().panels[size_t(panel)].at(curve_of(e.pattern().panels[size_t(panel)], edge).at(0.5));
}

}  // namespace

TEST_CASE("the editor takes the first garment of a scene, and is empty without one") {
  PatternEditor editor;
  CHECK(editor.empty());
  editor.open(scene_with(two_panels()));
  REQUIRE_FALSE(editor.empty());
  CHECK(editor.cloth() == 1);
  CHECK(editor.pattern() == two_panels());
  CHECK_FALSE(editor.differs());
  Scene plain;
  plain.cloths.emplace_back();
  editor.open(plain);
  CHECK(editor.empty());
}

TEST_CASE("a point of the drawing finds the panel around it and the edge near it") {
  PatternEditor editor;
  editor.open(scene_with(two_panels()));
  for (int p = 0; p < 2; ++p) {
    CHECK(editor.find(editor.layout().panels[size_t(p)].middle(), 0.01) == PatternPlace{p, -1});
    for (int e = 0; e < 4; ++e) {
      const dvec2 at = middle_of_edge(editor, p, e);
      CHECK(editor.find(at + dvec2(0.004, -0.003), 0.01) == PatternPlace{p, e});
      CHECK(editor.find(at + dvec2(0.012, 0.012), 0.01).edge == -1);
    }
  }
  CHECK(editor.find({-1, -1}, 0.01) == PatternPlace{});
  CHECK(editor.seams_at({1, 3}) == std::vector<int>{0});
  CHECK(editor.seams_at({1, 2}).empty());
}

TEST_CASE(
    "two edges are sewn so that their ends near each other in space meet, whatever the panels' directions") {
  for (const bool turned : {true, false}) {
    CAPTURE(turned);
    Pattern pattern = two_panels();
    pattern.seams.clear();
    if (!turned) pattern.panels[1].rotation = dvec3(0), pattern.panels[1].position.x = 0;
    PatternEditor editor;
    editor.open(scene_with(pattern));
    const PatternPlace a{0, 3}, b{1, turned ? 1 : 3};  // the left edges in space
    editor.sew(a, b);
    REQUIRE(editor.pattern().seams.size() == 1);
    const Seam& seam = editor.pattern().seams[0];
    REQUIRE(seam.sides.size() == 2);
    for (const double t : {0.0, 1.0}) {
      dvec3 ends[2];
      for (int k = 0; k < 2; ++k) {
        const SeamSide& side = seam.sides[size_t(k)];
        const Panel& panel = editor.pattern().panels[size_t(side.panel)];
        const dvec2 q = curve_of(panel, side.edge).at(t == 0 ? side.from : side.to);
        ends[k] = panel.position + (turned && side.panel == 1 ? dvec3(-q.x, q.y, 0) : dvec3(q, 0));
      }
      CHECK(glm::length(ends[0] - ends[1]) < 0.11);  // 0.1 m between the panels, 0.22 to the other end
    }
  }
}

TEST_CASE(
    "edits are undone and redone one by one, a drag is one, and what cannot be sewn is refused without a "
    "change") {
  PatternEditor editor;
  editor.open(scene_with(two_panels()));
  for (const double x : {0.1, 0.2, 0.3})
    editor.edit(
        "Position of front", [&](Pattern& p) { p.panels[0].position.x = x; }, true);
  editor.edit("Layer of back", [](Pattern& p) { p.panels[1].layer = 2; });
  CHECK(editor.differs());
  CHECK_THROWS_AS(editor.sew({0, 1}, {1, 1}), Error);  // it is sewn already
  CHECK(editor.undo_label() == "Layer of back");
  editor.undo();
  CHECK(editor.pattern().panels[1].layer == 0);
  CHECK(editor.pattern().panels[0].position.x == 0.3);
  editor.undo();
  CHECK(editor.pattern() == two_panels());
  CHECK_FALSE(editor.can_undo());
  CHECK_FALSE(editor.differs());
  editor.redo();
  CHECK(editor.pattern().panels[0].position.x == 0.3);
  editor.redo();
  CHECK(editor.pattern().panels[1].layer == 2);
  CHECK_FALSE(editor.can_redo());
  editor.turn_seam(0);
  CHECK(editor.pattern().seams[0].sides[1] == SeamSide{1, 3, 0, 1});
  editor.unsew(0);
  CHECK(editor.pattern().seams.empty());
  editor.undo();
  editor.undo();
  CHECK(editor.pattern().seams == two_panels().seams);
}

TEST_CASE("a drag takes hold of points before edges and of edges before panels") {
  using Kind = PatternGrip::Kind;
  PatternEditor editor;
  Pattern pattern = two_panels();
  PanelEdge& hem = pattern.panels[0].loops[0][0];
  hem.kind = PanelEdge::Kind::quadratic, hem.control[0] = {0.15, -0.04};
  editor.open(scene_with(pattern));
  const PanelView& view = editor.layout().panels[0];
  const auto grip = [&](const dvec2& p) { return editor.grip(view.at(p), 0.01); };
  CHECK(grip({0.303, 0.003}) == PatternGrip{Kind::point, 0, 1, 0});
  CHECK(grip({0.298, 0.1}) == PatternGrip{Kind::edge, 0, 1, 0});
  CHECK(grip({0.15, 0.1}) == PatternGrip{Kind::panel, 0, -1, 0});
  CHECK(grip({0.15, -0.04}).kind == Kind::none);
  editor.select({0, 0});
  CHECK(grip({0.15, -0.04}) == PatternGrip{Kind::control, 0, 0, 0});
}

TEST_CASE("a dragged hem is longer by whole millimetres, is one step of undo and tells what no longer fits") {
  PatternEditor editor;
  editor.open(scene_with(two_panels()));
  editor.begin_drag({PatternGrip::Kind::edge, 1, 0, 0});
  for (const double y : {0.01, 0.02, 0.0302}) editor.drag({0.004, y}, true);
  CHECK(editor.drag_in_words() ==
        "+3.0 cm, both halves\nedge 30.0 cm, 30.0 cm before\nsewn lines differ: front and back, 3.0 cm");
  CHECK_FALSE(editor.can_undo());
  editor.end_drag();
  CHECK_FALSE(editor.dragging());
  CHECK(editor.differs());
  CHECK(curve_of(editor.pattern().panels[1], 3).length() == doctest::Approx(0.23));
  CHECK(editor.layout().panels[1].high.y - editor.layout().panels[1].low.y == doctest::Approx(0.23));
  REQUIRE(editor.misfits().size() == 1);
  editor.move_edge({0, 0}, 0.03, true);
  CHECK(editor.misfits().empty());
  editor.undo();
  editor.undo();
  CHECK(editor.pattern() == two_panels());
  CHECK_FALSE(editor.can_undo());
  editor.begin_drag({PatternGrip::Kind::edge, 1, 0, 0});
  editor.drag({0.0001, 0.0002}, true);
  editor.end_drag();
  CHECK_FALSE(editor.can_undo());
}

TEST_CASE("a mirrored panel is dragged as it is drawn, and never into what cannot be sewn") {
  PatternEditor editor;
  Pattern pattern = two_panels();
  pattern.panels[1].loops[0] = {
      {.start = {0, 0}}, {.start = {0, 0.2}}, {.start = {0.3, 0.2}}, {.start = {0.3, 0}}};
  editor.open(scene_with(pattern));
  for (const int p : {0, 1}) {
    const PanelView& view = editor.layout().panels[size_t(p)];
    REQUIRE(view.side == (p == 0 ? 1 : -1));
    editor.begin_drag({PatternGrip::Kind::point, p, 0, 0});
    const dvec2 before = view.at({0, 0});
    editor.drag({-0.02, 0.03}, false);
    const auto now = [&] { return edge_of(editor.pattern().panels[size_t(p)], 0).start; };
    CHECK(glm::length(view.at(now()) - before - dvec2(-0.02, 0.03)) < 1e-12);
    editor.drag({0.4 * view.side, -0.1}, false);  // through the opposite edge
    CHECK(now().x < 0.1);
    CHECK_NOTHROW(check_pattern(editor.pattern(), "p"));
    editor.end_drag();
  }
}

TEST_CASE(
    "a scene sewn from the edited pattern keeps the drawing and the undo steps, another scene begins anew") {
  PatternEditor editor;
  editor.open(scene_with(two_panels()));
  editor.shift(0, {0.5, 0.1});
  editor.edit("Layer of back", [](Pattern& p) { p.panels[1].layer = 1; });
  editor.select({1, 2});
  const dvec2 place = editor.layout().panels[0].offset;
  editor.sewing();
  CHECK_FALSE(editor.differs());
  editor.open(scene_with(editor.pattern()));
  CHECK(editor.layout().panels[0].offset == place);
  CHECK(editor.can_undo());
  CHECK(editor.selected() == PatternPlace{1, 2});
  editor.open(scene_with(two_panels()));
  CHECK(editor.layout().panels[0].offset != place);
  CHECK_FALSE(editor.can_undo());
  CHECK(editor.selected() == PatternPlace{});
}

TEST_CASE("a garment sewn anew from the window has the changed pattern, and its saved scene too") {
  Folder folder;
  save_scene(folder / "shirt.toml", scene_with(two_panels()));
  std::vector<std::string> said;
  Session session(of_scene(folder / "shirt.toml"), 1,
                  [&](LogLevel, const std::string& text) { said.push_back(text); });
  PatternEditor editor;
  editor.open(session.view().scene);
  const size_t before = session.view().triangles.size();
  editor.edit("Wider",
              [](Pattern& p) { p.panels[0].loops[0][1].start.x = p.panels[0].loops[0][2].start.x = 0.5; });
  session.change("Lift", {{"forces.lift", "0.9"}});
  session.sew_again(editor.cloth(), editor.pattern());
  editor.sewing();
  CHECK(wait_for([&] {
    session.refresh();
    return session.view().triangles.size() > before;
  }));
  CHECK(session.pattern_by_hand());
  CHECK(session.scene().cloths[1].sewing_pattern == editor.pattern());
  CHECK(session.params().find("forces.lift")->text() == "0.9");
  editor.open(session.view().scene);
  CHECK(editor.can_undo());
  session.save(CameraPose{});
  const auto saved = read_scene(folder / "shirt-tuned.toml").cloths[1].sewing_pattern;
  REQUIRE(saved);
  CHECK(std::abs(saved->panels[0].loops[0][1].start.x - 0.5) < 1e-6);
  CHECK(std::abs(read_scene(folder / "shirt.toml").cloths[1].sewing_pattern->panels[0].loops[0][1].start.x -
                 0.3) < 1e-6);
}

TEST_CASE("every triangle of the simulated garment belongs to the panel that it was cut from") {
  Folder folder;
  save_scene(folder / "shirt.toml", scene_with(two_panels()));
  Session session(of_scene(folder / "shirt.toml"), 1, [](LogLevel, const std::string&) {});
  GarmentMarks marks;
  marks.set_scene(session.view());
  const ModelPart& range = session.view().parts[1];
  int of_panel[2] = {0, 0}, other = 0;
  for (int t = 0; t < int(session.view().triangles.size()); ++t) {
    const int panel = marks.panel_of(t);
    if (panel < 0) ++other;
    else ++of_panel[panel];
    CHECK((panel >= 0) == (t >= range.first_triangle && t < range.first_triangle + range.triangle_count));
  }
  CHECK(other > 0);
  CHECK(of_panel[0] > 0);
  CHECK(of_panel[1] > 0);
  PatternView pattern;
  pattern.editor.open(session.view().scene);
  pattern.visible = true;
  CHECK(marks.lines(pattern, session.view(), session.frame()).empty());
  pattern.editor.select({1, -1});
  float length = 0;
  for (const MarkedLine& l : marks.lines(pattern, session.view(), session.frame()))
    length += glm::length(l.a - l.b);
  CHECK(length > 0.7f);
  CHECK(length < 1.3f);
}

TEST_CASE("a hidden layer leaves the picture's triangles and edges, and nothing else") {
  Folder folder;
  Pattern layered = two_panels();
  layered.panels[1].layer = 1, layered.seams.clear();
  save_scene(folder / "shirt.toml", scene_with(layered));
  Session session(of_scene(folder / "shirt.toml"), 1, [](LogLevel, const std::string&) {});
  LayerView layers;
  layers.open(session.view());
  CHECK(layers.all == std::set<int>{0, 1});
  CHECK(layers.shown(session.view()).triangles == session.view().triangles);
  layers.hidden = {1};
  const SceneView shown = layers.shown(session.view());
  size_t hidden = 0;
  for (size_t t = 0; t < shown.triangles.size(); ++t) {
    const ivec3& v = shown.triangles[t];
    const bool gone = v.x == v.y && v.y == v.z;
    CHECK(gone == (layers.of_triangle[t] == 1));
    hidden += gone;
  }
  CHECK(hidden > 0);
  CHECK(shown.edges.size() < session.view().edges.size());
  for (const ivec2& e : shown.edges)
    CHECK(std::find(session.view().edges.begin(), session.view().edges.end(), e) !=
          session.view().edges.end());
  CHECK(boundary_edges(shown.triangles, int(shown.rest.size())).size() <
        boundary_edges(session.view().triangles, int(shown.rest.size())).size());
  // the same layers again: hidden ones stay so; other layers: all are shown
  layers.open(session.view());
  CHECK(layers.hidden == std::set<int>{1});
}

TEST_CASE("edits of two histories are in the order in which they were made") {
  PatternEditor editor;
  editor.open(scene_with(two_panels()));
  UndoStack scene;
  CHECK(editor.undo_order() == 0);
  editor.unsew(0);
  scene.push(parameter_edit("Wind", "forces.wind", "0", "1"));
  CHECK(scene.undo_order() > editor.undo_order());
  editor.move_edge({0, 0}, 0.01, false);
  CHECK(editor.undo_order() > scene.undo_order());
  editor.undo();
  CHECK(editor.undo_order() < scene.undo_order());
  CHECK(editor.redo_order() > scene.undo_order());
  scene.undo();
  CHECK(scene.undo_order() == 0);
  CHECK(scene.redo_order() < editor.redo_order());
}

TEST_CASE("an edge gets an elastic band, as a hem or in its seam, and loses it again") {
  Pattern p = two_panels();
  const PatternPlace hem{0, 0}, seam{0, 1};
  CHECK(elastic_at(p, hem) == 1);
  set_elastic_at(p, hem, 0.8);
  check_pattern(p, "two");
  REQUIRE(p.seams.size() == 2);
  CHECK(p.seams[1].sides == std::vector<SeamSide>{{0, 0, 0, 1}});
  CHECK(elastic_at(p, hem) == 0.8);
  CHECK(elastic_at(p, seam) == 1);
  set_elastic_at(p, seam, 0.9);
  CHECK(p.seams.size() == 2);
  CHECK(p.seams[0].elastic == 0.9);
  CHECK(elastic_at(p, {1, 3}) == 0.9);  // its other side
  set_elastic_at(p, hem, 0.02);
  CHECK(elastic_at(p, hem) == 0.1);
  set_elastic_at(p, hem, 1.2);
  set_elastic_at(p, seam, 1);
  CHECK(p == two_panels());
}

TEST_CASE("another lead-in of a body builds the scene again with it") {
  Folder folder;
  Scene scene = scene_with(two_panels());
  Obstacle& arm = scene.obstacles.emplace_back();
  arm.name = "arm", arm.shape = ObstacleShape::capsule;
  arm.bones = {{"upper", "", {0, -0.1f, 0}, {0, 0.1f, 0}, {{0, vec3(0), vec3(0)}, {1, vec3(0), {0, 0, 40}}}}};
  save_scene(folder / "shirt.toml", scene);
  Session session(of_scene(folder / "shirt.toml"), 1, [](LogLevel, const std::string&) {});
  const uint64_t before = session.view().model_id;
  Obstacle later = session.scene().obstacles.back();
  later.mannequin.params.lead_in = 0.5f;
  session.set_obstacle(int(session.scene().obstacles.size()) - 1, later);
  CHECK(wait_for([&] {
    session.refresh();
    return session.view().model_id != before;
  }));
  CHECK(session.scene().obstacles.back().mannequin.params.lead_in == 0.5f);
  CHECK(session.view().scene.obstacles.back().mannequin.params.lead_in == 0.5f);
}

TEST_CASE("other measures and another clip of a mannequin build it again, and are saved with the scene") {
  Folder folder;
  Scene scene = scene_with(two_panels());
  scene.obstacles.clear();
  Obstacle& figure = scene.obstacles.emplace_back();
  figure.name = "figure", figure.shape = ObstacleShape::mannequin;
  figure.mannequin.params.edge = 0.02f;
  save_scene(folder / "shirt.toml", scene);
  Session session(of_scene(folder / "shirt.toml"), 1, [](LogLevel, const std::string&) {});
  const auto top = [&] {
    const TriMesh& body = session.view().obstacle_meshes.back();
    return std::max_element(body.positions.begin(), body.positions.end(),
                            [](const vec3& a, const vec3& b) { return a.y < b.y; })
        ->y;
  };
  const uint64_t before = session.view().model_id;
  const float low = top();
  Obstacle other = session.scene().obstacles.back();
  other.mannequin.params.height = 1.9f;
  session.set_obstacle(0, other);
  const auto built_after = [&](uint64_t model) {
    return wait_for([&] {
      session.refresh();
      return session.view().model_id != model;
    });
  };
  REQUIRE(built_after(before));
  CHECK(double(top() - low) == doctest::Approx(1.9 - 1.72).epsilon(0.05));
  const uint64_t taller = session.view().model_id;
  other.mannequin.clips = {{.clip = "walk"}};
  session.set_obstacle(0, other);
  REQUIRE(built_after(taller));
  session.save({});
  const Scene saved = read_scene(folder / "shirt-tuned.toml");
  CHECK(saved.obstacles.back().mannequin == other.mannequin);
}
