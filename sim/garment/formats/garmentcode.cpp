#include "sim/garment/formats/garmentcode.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "sim/base/nearest.h"
#include "sim/base/shorten.h"
#include "sim/garment/formats/json_value.h"
#include "sim/garment/point_seam.h"

namespace weft {
namespace {

using Json = nlohmann::ordered_json;
using Kind = PanelEdge::Kind;

constexpr double kUnitsWritten = 100;  // per metre

/// A point given along an edge and to its left, as shares of its length.
dvec2 from_edge_frame(const dvec2& start, const dvec2& end, const dvec2& p) {
  const dvec2 d = end - start;
  return start + p.x * d + p.y * dvec2(-d.y, d.x);
}
dvec2 to_edge_frame(const dvec2& start, const dvec2& end, const dvec2& p) {
  const dvec2 d = end - start, r = p - start;
  return dvec2(glm::dot(r, d), glm::dot(r, dvec2(-d.y, d.x))) / glm::dot(d, d);
}

class GarmentCodeReader {
 public:
  GarmentCodeReader(const Json& root, const std::string& path) : root_(root, path), path_(path) {}

  Pattern run() {
    const JsonValue pattern = root_["pattern"];
    read_units();
    read_own_pattern(pattern);
    for (const auto& [name, value] : pattern["panels"].members()) read_panel(name, value);
    if (pattern.has("stitches"))
      for (size_t s = 0; s < pattern["stitches"].size(); ++s) read_stitch(pattern["stitches"][s]);
    read_buttons(pattern);
    check_pattern(out_, path_);
    return std::move(out_);
  }

 private:
  void read_units() {
    if (!root_.has("properties") || !root_["properties"].has("units_in_meter"))
      throw Error("the pattern does not say its unit", path_ + ": properties.units_in_meter",
                  "add \"units_in_meter\": 100 for centimetres");
    const JsonValue units = root_["properties"]["units_in_meter"];
    const double per_metre = units.number();
    if (!(per_metre >= 1e-3 && per_metre <= 1e6))
      units.fail(fmt::format("{:g} units in a metre are not possible", per_metre),
                 "write 100 for centimetres");
    unit_ = 1 / per_metre;
    if (!root_["properties"].has("curvature_coords")) return;
    const JsonValue coords = root_["properties"]["curvature_coords"];
    if (coords.text() == "absolute") absolute_ = true;
    else if (coords.text() != "relative")
      coords.fail("'" + shortened(coords.text(), 80) + "' is no kind of coordinates",
                  "write relative or absolute");
  }

  void read_own_pattern(const JsonValue& pattern) {
    if (!pattern.has("weft")) return;
    const JsonValue own = pattern["weft"];
    if (own.has("name")) out_.name = own["name"].text();
    if (own.has("edge_length")) out_.edge = unit_ * own["edge_length"].number();
    if (own.has("fabric")) out_.fabric = own["fabric"].text();
  }

  void read_panel(const std::string& name, const JsonValue& value) {
    Panel panel;
    panel.name = name;
    if (value.has("translation")) panel.position = unit_ * value["translation"].vector();
    if (value.has("rotation")) panel.rotation = value["rotation"].vector();
    std::vector<dvec2> vertices;
    const JsonValue list = value["vertices"];
    for (size_t i = 0; i < list.size(3); ++i) vertices.push_back(unit_ * list[i].point());
    const JsonValue edges = value["edges"];
    int first = -1,
        last = -1;  // vertices at which the loop begins, and the last edge ended; -1: between loops
    for (size_t e = 0; e < edges.size(1); ++e) {
      const JsonValue edge = edges[e], ends = edge["endpoints"];
      ends.size(2, 2);
      const int a = ends[size_t(0)].integer(0, int(vertices.size()) - 1),
                b = ends[size_t(1)].integer(0, int(vertices.size()) - 1);
      if (last < 0) panel.loops.push_back({}), first = a;
      else if (a != last)
        edge.fail(
            fmt::format("the edge begins at vertex {}, and the one before it ended at vertex {}", a, last),
            "list the edges of a loop in their order");
      panel.loops.back().push_back(read_edge(edge, vertices[a], vertices[b]));
      last = b == first ? -1 : b;
    }
    if (last >= 0)
      edges.fail(fmt::format("the outline is open: it ends at vertex {} and began at vertex {}", last, first),
                 "add the edge that closes it");
    if (value.has("weft")) read_own_panel(value["weft"], panel);
    out_.panels.push_back(std::move(panel));
  }

  void read_own_panel(const JsonValue& own, Panel& panel) {
    if (own.has("grain")) panel.grain = own["grain"].number();
    if (own.has("fabric")) panel.fabric = own["fabric"].text();
    if (own.has("layer")) panel.layer = own["layer"].integer(0, 100);
    if (own.has("edge_length")) panel.edge = unit_ * own["edge_length"].number();
    if (own.has("bend_radius")) panel.bend_radius = unit_ * own["bend_radius"].number();
    if (own.has("bend_axis")) panel.bend_axis = own["bend_axis"].number();
    if (own.has("bend_center")) panel.bend_center = unit_ * own["bend_center"].point();
    for (size_t d = 0; own.has("darts") && d < own["darts"].size(); ++d) {
      const JsonValue dart = own["darts"][d];
      panel.darts.push_back({dart["edge"].integer(0, panel.edge_count() - 1), dart["at"].number(),
                             unit_ * dart["width"].number(), unit_ * dart["depth"].number()});
    }
    for (size_t n = 0; own.has("notches") && n < own["notches"].size(); ++n)
      panel.marks.notches.push_back(unit_ * own["notches"][n].point());
    for (size_t f = 0; own.has("folds") && f < own["folds"].size(); ++f) {
      const JsonValue fold = own["folds"][f];
      const int last = int(panel.loops[0].size()) - 1;
      panel.folds.push_back(
          {fold["from"].integer(0, last), fold["to"].integer(0, last), fold["angle"].number()});
    }
  }

  PanelEdge read_edge(const JsonValue& edge, const dvec2& start, const dvec2& end) const {
    PanelEdge out;
    out.start = start;
    if (edge.has("label")) out.name = edge["label"].text();
    if (edge.has("weft")) {
      const JsonValue points = edge["weft"]["points"];
      out.kind = Kind::polyline;
      for (size_t i = 0; i < points.size(); ++i) out.points.push_back(unit_ * points[i].point());
      return out;
    }
    if (!edge.has("curvature")) return out;
    const JsonValue curvature = edge["curvature"];
    if (curvature.is_array()) {  // as in files before 2023
      out.kind = Kind::quadratic, out.control[0] = control(curvature, start, end);
      return out;
    }
    const JsonValue type = curvature["type"], params = curvature["params"];
    if (type.text() == "quadratic") {
      params.size(1, 1);
      out.kind = Kind::quadratic, out.control[0] = control(params[size_t(0)], start, end);
    } else if (type.text() == "cubic") {
      params.size(2, 2);
      out.kind = Kind::cubic, out.control[0] = control(params[size_t(0)], start, end),
      out.control[1] = control(params[size_t(1)], start, end);
    } else if (type.text() == "circle") {
      params.size(3, 3);
      out.kind = Kind::arc, out.bulge = bulge(params, glm::length(end - start));
    } else {
      type.fail("'" + shortened(type.text(), 80) + "' is no kind of curvature",
                did_you_mean(type.text(), {"quadratic", "cubic", "circle"}));
    }
    return out;
  }

  dvec2 control(const JsonValue& value, const dvec2& start, const dvec2& end) const {
    return absolute_ ? unit_ * value.point() : from_edge_frame(start, end, value.point());
  }

  /// [radius, 1 for the longer of two arcs, 1 where it bulges to the right].
  double bulge(const JsonValue& params, double chord) const {
    const double radius = unit_ * params[size_t(0)].number();
    const bool large = params[size_t(1)].integer(0, 1), right = params[2].integer(0, 1);
    if (!(radius > 0) || radius < 0.5 * chord * (1 - 1e-4))
      params[size_t(0)].fail(
          fmt::format("a radius of {:.6g} m is too small for ends {:.6g} m apart", radius, chord),
          "use at least half of their distance");
    const double half = std::asin(std::min(1.0, 0.5 * chord / radius)),
                 angle = large ? 2 * M_PI - 2 * half : 2 * half;
    return (right ? 1 : -1) * std::tan(0.25 * angle);
  }

  void read_stitch(const JsonValue& stitch) {
    Seam seam;
    bool same_direction = false;
    for (size_t i = 0; i < stitch.size(1); ++i) {
      const JsonValue entry = stitch[i];
      if (entry.is_text()) {
        if (entry.text() != "right_wrong")
          entry.fail("'" + shortened(entry.text(), 80) + "' is no property of a stitch",
                     "did you mean right_wrong?");
        same_direction = true;
      } else if (entry.has("panel")) {
        seam.sides.push_back(read_side(entry));
      } else if (entry.has("weft")) {
        const JsonValue own = entry["weft"];
        if (own.has("angle")) seam.angle = own["angle"].number();
        if (own.has("elastic")) seam.elastic = elastic_of(own["elastic"]);
        if (own.has("name")) seam.name = own["name"].text();
      } else {
        entry.fail("an entry of a stitch is neither an edge nor right_wrong",
                   "write { \"panel\": ..., \"edge\": ... }");
      }
    }
    // Panels are drawn with their right sides towards the viewer, so that edges meet in opposite directions.
    size_t side = 0;
    for (size_t i = 0; i < stitch.size(); ++i) {
      if (!stitch[i].has("panel")) continue;
      SeamSide& s = seam.sides[side++];
      if (!stitch[i].has("from") && side > 1 && !same_direction) std::swap(s.from, s.to);
    }
    out_.seams.push_back(std::move(seam));
  }

  static double elastic_of(const JsonValue& value) {
    if (!value.is_text()) {
      const double ratio = value.number();
      if (ratio == kSceneElastic)  // which no number says
        value.fail("elastic = 0 is not between 0.1 and 2",
                   "it is the rest length over the pattern's; 1: none");
      return ratio;
    }
    if (value.text() != "scene")
      value.fail("'" + shortened(value.text(), 80) + "' is no ratio of an elastic",
                 "write a number, or \"scene\" for the scene's sewing.elastic");
    return kSceneElastic;
  }

  void read_buttons(const JsonValue& pattern) {
    if (!pattern.has("weft") || !pattern["weft"].has("buttons")) return;
    const JsonValue buttons = pattern["weft"]["buttons"];
    for (size_t b = 0; b < buttons.size(); ++b) {
      Seam seam;
      if (buttons[b].has("name")) seam.name = buttons[b]["name"].text();
      const JsonValue points = buttons[b]["points"];
      for (size_t i = 0; i < points.size(2); ++i)
        seam.sides.push_back(point_side(panel_of(points[i]["panel"]), unit_ * points[i]["at"].point()));
      out_.seams.push_back(std::move(seam));
    }
  }

  int panel_of(const JsonValue& name) const {
    std::vector<std::string> names;
    int panel = -1;
    for (int p = 0; p < int(out_.panels.size()); ++p) {
      if (out_.panels[p].name == name.text()) panel = p;
      names.push_back(out_.panels[p].name);
    }
    if (panel < 0)
      name.fail("there is no panel '" + shortened(name.text(), 80) + "'", did_you_mean(name.text(), names));
    return panel;
  }

  SeamSide read_side(const JsonValue& entry) const {
    SeamSide side;
    side.panel = panel_of(entry["panel"]);
    side.edge = entry["edge"].integer(0, out_.panels[side.panel].edge_count() - 1);
    if (entry.has("from") || entry.has("to"))
      side.from = entry["from"].number(), side.to = entry["to"].number();
    return side;
  }

  const JsonValue root_;
  const std::string& path_;
  Pattern out_;
  double unit_ = 0.01;  // m
  bool absolute_ = false;
};

Json as_json(const dvec2& p) { return Json::array({p.x, p.y}); }
Json as_json(const dvec3& p) { return Json::array({p.x, p.y, p.z}); }

Json edge_as_json(const Panel& panel, int edge, int from, int to) {
  const PanelEdge& e = edge_of(panel, edge);
  const dvec2 end = end_of(panel, edge);
  Json out;
  out["endpoints"] = Json::array({from, to});
  if (!e.name.empty()) out["label"] = e.name;
  Json params = Json::array();
  if (e.kind == Kind::quadratic || e.kind == Kind::cubic) {
    for (int k = 0; k < (e.kind == Kind::cubic ? 2 : 1); ++k)
      params.push_back(as_json(to_edge_frame(e.start, end, e.control[k])));
    out["curvature"] = {{"type", e.kind == Kind::cubic ? "cubic" : "quadratic"}, {"params", params}};
  }
  if (e.kind == Kind::arc && e.bulge != 0) {
    const double angle = 4 * std::atan(std::abs(e.bulge)),
                 radius = 0.5 * glm::length(end - e.start) / std::sin(0.5 * angle);
    out["curvature"] = {
        {"type", "circle"},
        {"params", Json::array({kUnitsWritten * radius, int(angle > M_PI), int(e.bulge > 0)})}};
  }
  if (e.kind == Kind::polyline) {
    for (const dvec2& p : e.points) params.push_back(as_json(kUnitsWritten * p));
    out["weft"] = {{"points", params}};
  }
  return out;
}

Json panel_as_json(const Panel& panel) {
  const Panel standard;
  Json out, vertices = Json::array(), edges = Json::array(), own;
  int edge = 0;
  for (const PanelLoop& loop : panel.loops) {
    const int first = edge, count = int(loop.size());
    for (int i = 0; i < count; ++i, ++edge) {
      vertices.push_back(as_json(kUnitsWritten * loop[i].start));
      edges.push_back(edge_as_json(panel, edge, first + i, first + (i + 1) % count));
    }
  }
  out["translation"] = as_json(kUnitsWritten * panel.position);
  out["rotation"] = as_json(panel.rotation);
  out["vertices"] = vertices, out["edges"] = edges;
  if (panel.grain != standard.grain) own["grain"] = panel.grain;
  if (!panel.fabric.empty()) own["fabric"] = panel.fabric;
  if (panel.layer != 0) own["layer"] = panel.layer;
  if (panel.edge != 0) own["edge_length"] = kUnitsWritten * panel.edge;
  if (panel.bend_radius != 0) own["bend_radius"] = kUnitsWritten * panel.bend_radius;
  if (panel.bend_axis != standard.bend_axis) own["bend_axis"] = panel.bend_axis;
  if (panel.bend_center != standard.bend_center)
    own["bend_center"] = as_json(kUnitsWritten * panel.bend_center);
  for (const Dart& d : panel.darts)
    own["darts"].push_back({{"edge", d.edge},
                            {"at", d.at},
                            {"width", kUnitsWritten * d.width},
                            {"depth", kUnitsWritten * d.depth}});
  for (const dvec2& n : panel.marks.notches) own["notches"].push_back(as_json(kUnitsWritten * n));
  for (const FoldLine& f : panel.folds)
    own["folds"].push_back({{"from", f.from}, {"to", f.to}, {"angle", f.angle}});
  if (!own.empty()) out["weft"] = own;
  return out;
}

Json stitch_as_json(const Pattern& pattern, const Seam& seam) {
  Json out = Json::array();
  bool whole = seam.sides.size() == 2, same = true;
  for (const SeamSide& s : seam.sides) whole &= std::min(s.from, s.to) == 0 && std::max(s.from, s.to) == 1;
  whole = whole && seam.sides[0].from == 0;
  if (whole) same = seam.sides[1].from == 0;
  for (const SeamSide& s : seam.sides) {
    Json side{{"panel", pattern.panels[s.panel].name}, {"edge", s.edge}};
    if (!whole) side["from"] = s.from, side["to"] = s.to;
    out.push_back(side);
  }
  if (whole && same) out.push_back("right_wrong");
  Json own;
  if (seam.elastic == kSceneElastic) own["elastic"] = "scene";
  else if (seam.elastic != 1) own["elastic"] = seam.elastic;
  if (seam.angle != 0) own["angle"] = seam.angle;
  if (!seam.name.empty()) own["name"] = seam.name;
  if (!own.empty()) out.push_back({{"weft", own}});
  return out;
}

Json button_as_json(const Pattern& pattern, const Seam& seam) {
  Json out, points = Json::array();
  if (!seam.name.empty()) out["name"] = seam.name;
  for (const SeamSide& s : seam.sides)
    points.push_back({{"panel", pattern.panels[s.panel].name}, {"at", as_json(kUnitsWritten * point_of(s))}});
  out["points"] = points;
  return out;
}

}  // namespace

Pattern parse_garmentcode(const std::string& text, const std::string& path) {
  const Json root = parse_json(text, path);
  return GarmentCodeReader(root, path).run();
}

std::string write_garmentcode(const Pattern& pattern) {
  Json root, panels = Json::object(), stitches = Json::array(), order = Json::array(), own;
  for (const Panel& p : pattern.panels) panels[p.name] = panel_as_json(p), order.push_back(p.name);
  for (const Seam& s : pattern.seams)
    is_button(s) ? own["buttons"].push_back(button_as_json(pattern, s))
                 : stitches.push_back(stitch_as_json(pattern, s));
  own["name"] = pattern.name, own["edge_length"] = kUnitsWritten * pattern.edge;
  if (!pattern.fabric.empty()) own["fabric"] = pattern.fabric;
  root["pattern"] = {{"panels", panels}, {"stitches", stitches}, {"panel_order", order}, {"weft", own}};
  root["parameters"] = Json::object(), root["parameter_order"] = Json::array();
  root["properties"] = {{"curvature_coords", "relative"},
                        {"normalize_panel_translation", false},
                        {"normalized_edge_loops", true},
                        {"units_in_meter", kUnitsWritten}};
  return root.dump(1) + "\n";
}

}  // namespace weft
