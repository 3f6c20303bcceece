#include "sim/scene/text/garment_table.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/base/nearest.h"
#include "sim/base/shorten.h"
#include "sim/garment/point_seam.h"
#include "sim/scene/toml/toml_text.h"

namespace weft {
namespace {

using Kind = PanelEdge::Kind;
using toml_text::quoted;

bool read_point(TomlTable& t, const char* key, dvec2& p) {
  vec2 value(p);
  const bool there = t.read(key, value, -1e4, 1e4);
  if (there) p = dvec2(value);
  return there;
}
void read_vector(TomlTable& t, const char* key, dvec3& v) {
  vec3 value(v);
  if (t.read(key, value)) v = dvec3(value);
}

PanelLoop read_loop(TomlTable& owner) {
  PanelLoop loop;
  for (TomlTable& t : owner.tables("outline")) {
    PanelEdge e;
    if (!read_point(t, "at", e.start))
      t.fail("", "an edge needs the point where it begins", "add at = [0, 0] (m)");
    t.read("name", e.name);
    const bool arc = t.read("bulge", e.bulge, -1e3, 1e3), curve = read_point(t, "control", e.control[0]),
               cubic = read_point(t, "control2", e.control[1]);
    if (arc && curve)
      t.fail("bulge", "an edge is an arc or a Bézier curve, not both", "leave out bulge or control");
    if (cubic && !curve) t.fail("control2", "a second control point needs a first", "add control = [x, y]");
    e.kind = cubic ? Kind::cubic : curve ? Kind::quadratic : arc ? Kind::arc : Kind::line;
    t.finish();
    loop.push_back(e);
  }
  if (loop.empty()) owner.fail("outline", "the loop has no edges", "add outline = [{ at = [0, 0] }, ...]");
  return loop;
}

Panel read_panel(TomlTable& t) {
  Panel panel;
  if (!t.read("name", panel.name)) t.fail("", "a panel needs a name", "add name = \"front\"");
  panel.loops.push_back(read_loop(t));
  for (TomlTable& hole : t.tables("hole")) panel.loops.push_back(read_loop(hole)), hole.finish();
  for (TomlTable& d : t.tables("darts")) {
    Dart dart;
    d.read("edge", dart.edge, 0, panel.edge_count() - 1);
    d.read("at", dart.at, 0, 1);
    d.read("width", dart.width, 1e-4, 10);
    d.read("depth", dart.depth, 1e-4, 10);
    d.finish();
    panel.darts.push_back(dart);
  }
  for (TomlTable& f : t.tables("folds")) {
    FoldLine fold;
    const int last = int(panel.loops[0].size()) - 1;
    f.read("from", fold.from, 0, last);
    f.read("to", fold.to, 0, last);
    f.read("angle", fold.angle, -179, 179);
    f.finish();
    panel.folds.push_back(fold);
  }
  for (TomlTable& n : t.tables("notches")) {
    read_point(n, "at", panel.marks.notches.emplace_back(0));
    n.finish();
  }
  t.read("grain", panel.grain, -360, 360);
  t.read("fabric", panel.fabric);
  t.read("layer", panel.layer, 0, 100);
  t.read("edge", panel.edge, 0, 10);
  read_vector(t, "position", panel.position);
  read_vector(t, "rotation", panel.rotation);
  t.read("bend_radius", panel.bend_radius, -1e4, 1e4);
  t.read("bend_axis", panel.bend_axis, -360, 360);
  read_point(t, "bend_center", panel.bend_center);
  t.finish();
  return panel;
}

/// A number, or the name of an edge.
int read_edge(TomlTable& t, const Panel& panel) {
  int edge = -1;
  if (!t.has("edge")) t.fail("", "a side needs an edge", "add edge = 0, or an edge's name");
  if (!t.is_string("edge")) {
    t.read("edge", edge, 0, panel.edge_count() - 1);
    return edge;
  }
  std::string name;
  std::vector<std::string> names;
  t.read("edge", name);
  for (int e = 0; e < panel.edge_count(); ++e) {
    if (edge_of(panel, e).name == name) edge = e;
    if (!edge_of(panel, e).name.empty()) names.push_back(edge_of(panel, e).name);
  }
  if (edge < 0)
    t.fail("edge", "panel " + panel.name + " has no edge '" + shortened(name, 80) + "'",
           names.empty() ? "write its number" : did_you_mean(name, names));
  return edge;
}

int read_panel_name(TomlTable& t, const Pattern& pattern, const std::string& what) {
  std::string name;
  std::vector<std::string> names;
  if (!t.read("panel", name)) t.fail("", what + " needs a panel", "add panel = \"front\"");
  int panel = -1;
  for (size_t p = 0; p < pattern.panels.size(); ++p) {
    if (pattern.panels[p].name == name) panel = int(p);
    names.push_back(pattern.panels[p].name);
  }
  if (panel < 0)
    t.fail("panel", "there is no panel '" + shortened(name, 80) + "'", did_you_mean(name, names));
  return panel;
}

void read_elastic(TomlTable& t, double& elastic) {
  if (!t.is_string("elastic")) {
    t.read("elastic", elastic, 0.1, 2);
    return;
  }
  std::string words;
  t.read_choice("elastic", words, {"scene"});
  elastic = kSceneElastic;
}

Seam read_seam(TomlTable& t, const Pattern& pattern) {
  Seam seam;
  t.read("name", seam.name);
  read_elastic(t, seam.elastic);
  t.read("angle", seam.angle, -179, 179);
  for (TomlTable& s : t.tables("sides")) {
    SeamSide side;
    side.panel = read_panel_name(s, pattern, "a side");
    side.edge = read_edge(s, pattern.panels[side.panel]);
    s.read("from", side.from, 0, 1);
    s.read("to", side.to, 0, 1);
    s.finish();
    seam.sides.push_back(side);
  }
  t.finish();
  return seam;
}

Seam read_button(TomlTable& t, const Pattern& pattern) {
  Seam button;
  t.read("name", button.name);
  for (TomlTable& p : t.tables("points")) {
    const int panel = read_panel_name(p, pattern, "a point");
    dvec2 at(0);
    if (!read_point(p, "at", at))
      p.fail("", "a point needs its place on the panel", "add at = [0.1, 0.2] (m)");
    p.finish();
    button.sides.push_back(point_side(panel, at));
  }
  if (button.sides.size() < 2)
    t.fail("points", "a button joins two points or more",
           "add points = [{ panel = \"left\", at = [0.1, 0.2] }, { panel = \"right\", at = [0.1, 0.2] }]");
  t.finish();
  return button;
}

std::string number(double x) { return fmt::format("{}", float(x)); }
std::string point(const dvec2& p) { return "[" + number(p.x) + ", " + number(p.y) + "]"; }
std::string vector(const dvec3& v) {
  return "[" + number(v.x) + ", " + number(v.y) + ", " + number(v.z) + "]";
}

std::string loop_text(const PanelLoop& loop) {
  std::string text = "outline = [\n";
  for (const PanelEdge& e : loop) {
    text += "  { at = " + point(e.start);
    if (e.kind == Kind::arc) text += ", bulge = " + fmt::format("{}", e.bulge);
    if (e.kind == Kind::quadratic || e.kind == Kind::cubic) text += ", control = " + point(e.control[0]);
    if (e.kind == Kind::cubic) text += ", control2 = " + point(e.control[1]);
    if (!e.name.empty()) text += ", name = " + quoted(e.name);
    text += " },\n";
    for (const dvec2& p : e.points) text += "  { at = " + point(p) + " },\n";
  }
  return text + "]\n";
}

std::string panel_text(const Panel& p) {
  const Panel standard;
  std::string text = "[[garment.panel]]\nname = " + quoted(p.name) + "\n" + loop_text(p.loops[0]);
  const auto line = [&](const char* key, const std::string& value, bool differs) {
    if (differs) text += std::string(key) + " = " + value + "\n";
  };
  line("grain", fmt::format("{}", p.grain), p.grain != standard.grain);
  line("fabric", quoted(p.fabric), !p.fabric.empty());
  line("layer", fmt::format("{}", p.layer), p.layer != 0);
  line("edge", fmt::format("{}", p.edge), p.edge != 0);
  line("position", vector(p.position), p.position != standard.position);
  line("rotation", vector(p.rotation), p.rotation != standard.rotation);
  line("bend_radius", fmt::format("{}", p.bend_radius), p.bend_radius != 0);
  line("bend_axis", fmt::format("{}", p.bend_axis), p.bend_axis != standard.bend_axis);
  line("bend_center", point(p.bend_center), p.bend_center != standard.bend_center);
  if (!p.darts.empty()) {
    text += "darts = [\n";
    for (const Dart& d : p.darts)
      text += fmt::format("  {{ edge = {}, at = {}, width = {}, depth = {} }},\n", d.edge, d.at, d.width,
                          d.depth);
    text += "]\n";
  }
  if (!p.folds.empty()) {
    text += "folds = [\n";
    for (const FoldLine& f : p.folds)
      text += fmt::format("  {{ from = {}, to = {}, angle = {} }},\n", f.from, f.to, f.angle);
    text += "]\n";
  }
  if (!p.marks.notches.empty()) {
    text += "notches = [";
    for (const dvec2& n : p.marks.notches)
      text += (&n == &p.marks.notches[0] ? "{ at = " : ", { at = ") + point(n) + " }";
    text += "]\n";
  }
  for (size_t h = 1; h < p.loops.size(); ++h) text += "[[garment.panel.hole]]\n" + loop_text(p.loops[h]);
  return text;
}

}  // namespace

Pattern read_pattern_tables(TomlTable& garment) {
  Pattern pattern;
  for (TomlTable& t : garment.tables("panel")) pattern.panels.push_back(read_panel(t));
  for (TomlTable& t : garment.tables("seam")) pattern.seams.push_back(read_seam(t, pattern));
  for (TomlTable& t : garment.tables("button")) pattern.seams.push_back(read_button(t, pattern));
  try {
    check_pattern(pattern, "");
  } catch (const Error& e) {
    garment.fail("panel", (e.where.empty() ? "" : e.where + ": ") + e.what_happened, e.what_to_do);
  }
  return pattern;
}

std::string write_pattern_tables(const Pattern& pattern) {
  std::string text;
  for (const Panel& p : pattern.panels) text += panel_text(p);
  for (const Seam& s : pattern.seams) {
    text += is_button(s) ? "[[garment.button]]\n" : "[[garment.seam]]\n";
    if (!s.name.empty()) text += "name = " + quoted(s.name) + "\n";
    if (s.elastic == kSceneElastic) text += "elastic = \"scene\"\n";
    else if (s.elastic != 1) text += fmt::format("elastic = {}\n", s.elastic);
    if (s.angle != 0) text += fmt::format("angle = {}\n", s.angle);
    text += is_button(s) ? "points = [\n" : "sides = [\n";
    for (const SeamSide& side : s.sides) {
      const std::string panel = quoted(pattern.panels[side.panel].name);
      text += is_point(side) ? "  { panel = " + panel + ", at = " + point(point_of(side)) + " },\n"
                             : fmt::format("  {{ panel = {}, edge = {}, from = {}, to = {} }},\n", panel,
                                           side.edge, side.from, side.to);
    }
    text += "]\n";
  }
  return text;
}

}  // namespace weft
