#include "viewer/session/pattern_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/garment/darts.h"
#include "sim/garment/edge_curve.h"
#include "sim/garment/formats/pattern_file.h"
#include "sim/garment/placement.h"
#include "sim/garment/point_seam.h"
#include "sim/scene/model/cloth_mesh.h"

namespace weft {
namespace {

constexpr double kGap = 0.06, kMargin = 0.05;  // m

double distance_to(const dvec2& p, const dvec2& a, const dvec2& b) {
  const dvec2 along = b - a;
  const double squared = glm::dot(along, along);
  const double t = squared > 0 ? std::clamp(glm::dot(p - a, along) / squared, 0.0, 1.0) : 0;
  return glm::length(p - a - t * along);
}

/// Whether a point is inside the outline and in no hole: crossings of a ray to the right.
bool inside(const Panel& panel, const dvec2& p) {
  bool in = false;
  for (int e = 0; e < panel.edge_count(); ++e) {
    const auto line = curve_of(panel, e).drawn();
    for (size_t i = 0; i + 1 < line.size(); ++i) {
      const dvec2 &a = line[i], &b = line[i + 1];
      if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) in = !in;
    }
  }
  return in;
}

/// The drawing whose longer side is the shortest, of rows that hold one panel to all of them.
PatternLayout nearly_square(const Pattern& pattern) {
  PatternLayout best = lay_out(pattern, 1e9, kGap, kMargin);
  for (double widest = 0.95 * best.size.x; widest > 0.1; widest *= 0.95) {
    PatternLayout next = lay_out(pattern, widest, kGap, kMargin);
    if (std::max(next.size.x, next.size.y) < std::max(best.size.x, best.size.y)) best = std::move(next);
  }
  return best;
}

/// Ends of a whole edge in space.
std::pair<dvec3, dvec3> ends_in_space(const Panel& panel, int edge) {
  const PanelPlacement place(panel);
  return {place.at(edge_of(panel, edge).start), place.at(end_of(panel, edge))};
}

}  // namespace

void PatternEditor::open(const Scene& scene) {
  const auto garment = std::find_if(scene.cloths.begin(), scene.cloths.end(),
                                    [](const Cloth& c) { return c.shape == ClothShape::garment; });
  if (garment == scene.cloths.end()) {
    *this = {};
    return;
  }
  const int cloth = int(garment - scene.cloths.begin());
  if (pattern_ && cloth == cloth_ && garment->sewing_pattern && *garment->sewing_pattern == sewn_) return;
  std::vector<std::string> notices;  // the scene has reported them
  const std::string folder = std::filesystem::path(scene.path).parent_path().string();
  Pattern pattern = garment->sewing_pattern ? *garment->sewing_pattern
                                            : read_pattern(resolve_path(garment->file, folder), 0, notices);
  *this = {};
  cloth_ = cloth;
  take(std::move(pattern));
  sewn_ = opened_ = *pattern_;
  layout_ = nearly_square(drawn_);
}

void PatternEditor::take(Pattern pattern) {
  drawn_ = without_darts(pattern);
  pattern_ = std::move(pattern);
  if (selected_.panel >= int(pattern_->panels.size())) selected_ = {};
  if (selected_.panel >= 0 && selected_.edge >= pattern_->panels[size_t(selected_.panel)].edge_count())
    selected_.edge = -1;
  const PatternLayout now = lay_out(drawn_, 1e9, kGap, kMargin);  // for the bounds; panels stay in place
  while (layout_.panels.size() > drawn_.panels.size()) layout_.panels.pop_back();
  for (size_t p = layout_.panels.size(); p > 0 && p < drawn_.panels.size(); ++p) {  // new ones: on the right
    double right = -1e300;
    for (const PanelView& v : layout_.panels) right = std::max(right, v.offset.x + v.high.x);
    PanelView& added = layout_.panels.emplace_back(now.panels[p]);
    added.offset.x = right + kGap - added.low.x;
    added.offset.y = layout_.panels[0].offset.y + layout_.panels[0].low.y - added.low.y;
  }
  if (layout_.panels.size() != drawn_.panels.size()) return;
  for (size_t p = 0; p < now.panels.size(); ++p)
    layout_.panels[p].low = now.panels[p].low, layout_.panels[p].high = now.panels[p].high;
}

PatternPlace PatternEditor::find(const dvec2& at, double reach) const {
  PatternPlace found;
  double nearest = reach;
  for (int p = 0; pattern_ && p < int(pattern_->panels.size()); ++p) {
    const Panel& panel = pattern_->panels[size_t(p)];
    const dvec2 q = layout_.panels[size_t(p)].back(at);
    for (int e = 0; e < panel.edge_count(); ++e) {
      const auto line = curve_of(panel, e).drawn();
      for (size_t i = 0; i + 1 < line.size(); ++i)
        if (const double d = distance_to(q, line[i], line[i + 1]); d < nearest) nearest = d, found = {p, e};
    }
    if (found.edge < 0 && inside(panel, q)) found.panel = p;
  }
  return found;
}

PatternGrip PatternEditor::grip(const dvec2& at, double reach) const {
  using Kind = PatternGrip::Kind;
  PatternGrip found;
  double nearest = reach;
  const auto offer = [&](const PatternGrip& grip, const dvec2& point) {
    const dvec2 place = layout_.panels[size_t(grip.panel)].at(point);
    if (const double d = glm::length(at - place); d < nearest) nearest = d, found = grip;
  };
  for (int p = 0; pattern_ && p < int(pattern_->panels.size()); ++p) {
    const Panel& panel = pattern_->panels[size_t(p)];
    for (int e = 0; e < panel.edge_count(); ++e) {
      const PanelEdge& edge = edge_of(panel, e);
      offer({Kind::point, p, e, 0}, edge.start);
      if (selected_ == PatternPlace{p, e})
        for (int k = 0; k < control_count(edge); ++k) offer({Kind::control, p, e, k}, edge.control[k]);
    }
  }
  if (found.kind != Kind::none) return found;
  const PatternPlace place = find(at, reach);
  if (place.panel < 0) return {};
  return {place.edge < 0 ? Kind::panel : Kind::edge, place.panel, place.edge, 0};
}

std::vector<int> PatternEditor::seams_at(const PatternPlace& place) const {
  std::vector<int> found;
  for (int s = 0; pattern_ && s < int(pattern_->seams.size()); ++s)
    for (const SeamSide& side : pattern_->seams[size_t(s)].sides)
      if (!is_point(side) && side.panel == place.panel && side.edge == place.edge) {
        found.push_back(s);
        break;
      }
  return found;
}

void PatternEditor::edit(const std::string& label, const std::function<void(Pattern&)>& change, bool joined) {
  Pattern changed = *pattern_;
  change(changed);
  if (changed == *pattern_) return;
  check_pattern(changed, "pattern " + changed.name);
  auto* const last = joined ? history_.newest() : nullptr;
  if (last && last->label == label) last->after = changed;
  else history_.push({label, *pattern_, changed});
  take(std::move(changed));
}

void PatternEditor::begin_drag(const PatternGrip& grip) { drag_ = Drag{grip, *pattern_}; }

void PatternEditor::drag(const dvec2& way, bool symmetric) {
  if (!drag_) return;
  const PatternGrip& g = drag_->grip;
  const Panel& start = drag_->before.panels[size_t(g.panel)];
  const dvec2 in_panel(layout_.panels[size_t(g.panel)].side * way.x, -way.y);
  const auto rounded = [](double x) { return std::round(1e3 * x) / 1e3; };
  const bool whole = g.kind == PatternGrip::Kind::edge;
  const dvec2 by = whole ? dvec2(rounded(glm::dot(in_panel, outwards(start, g.edge))), 0)
                         : dvec2(rounded(in_panel.x), rounded(in_panel.y));
  Pattern changed = drag_->before;
  Panel& panel = changed.panels[size_t(g.panel)];
  if (whole) weft::move_edge(panel, g.edge, by.x, symmetric);
  else if (g.kind == PatternGrip::Kind::point) move_point(panel, g.edge, by, symmetric);
  else if (g.kind == PatternGrip::Kind::control) move_control(panel, g.edge, g.control, by, symmetric);
  if (changed == *pattern_) return;
  try {
    check_pattern(changed, "pattern " + changed.name);
  } catch (const Error&) {
    return;
  }
  drag_->way = by, drag_->both = symmetric && mirror_of(start).has_value();
  take(std::move(changed));
}

void PatternEditor::end_drag() {
  if (!drag_) return;
  const Drag drag = std::move(*drag_);
  drag_.reset();
  if (*pattern_ == drag.before) return;
  const Panel& panel = drag.before.panels[size_t(drag.grip.panel)];
  const char* what = drag.grip.kind == PatternGrip::Kind::edge    ? "Move "
                     : drag.grip.kind == PatternGrip::Kind::point ? "Move the beginning of "
                                                                  : "Bend ";
  history_.push({what + edge_in_words(panel, drag.grip.edge), drag.before, *pattern_});
}

std::string PatternEditor::drag_in_words() const {
  if (!drag_) return {};
  const PatternGrip& g = drag_->grip;
  const auto length = [&](const Pattern& p) {
    return 100 * curve_of(p.panels[size_t(g.panel)], g.edge).length();
  };
  const dvec2 by = 100.0 * drag_->way;
  std::string text = g.kind == PatternGrip::Kind::edge
                         ? fmt::format("{:+.1f} cm", by.x)
                         : fmt::format("{:+.1f} cm across, {:+.1f} cm up", by.x, by.y);
  if (drag_->both) text += ", both halves";
  text += fmt::format("\nedge {:.1f} cm, {:.1f} cm before", length(*pattern_), length(drag_->before));
  for (const SeamMisfit& m : misfits())
    if (const auto& sides = pattern_->seams[size_t(m.seam)].sides;
        std::any_of(sides.begin(), sides.end(), [&](const SeamSide& side) { return side.panel == g.panel; }))
      text += "\nsewn lines differ: " + in_words(*pattern_, m);
  return text;
}

void PatternEditor::move_edge(const PatternPlace& place, double by, bool symmetric) {
  edit("Move " + edge_in_words(pattern_->panels[size_t(place.panel)], place.edge),
       [&](Pattern& p) { weft::move_edge(p.panels[size_t(place.panel)], place.edge, by, symmetric); });
}

void PatternEditor::sew(const PatternPlace& a, const PatternPlace& b) {
  const auto [a0, a1] = ends_in_space(pattern_->panels[size_t(a.panel)], a.edge);
  const auto [b0, b1] = ends_in_space(pattern_->panels[size_t(b.panel)], b.edge);
  const bool along =
      glm::length(a0 - b0) + glm::length(a1 - b1) <= glm::length(a0 - b1) + glm::length(a1 - b0);
  edit("Sew", [&](Pattern& p) {
    p.seams.push_back(
        {"", {{a.panel, a.edge, 0, 1}, {b.panel, b.edge, along ? 0.0 : 1.0, along ? 1.0 : 0.0}}});
  });
}

void PatternEditor::unsew(int seam) {
  edit("Open seam", [&](Pattern& p) { p.seams.erase(p.seams.begin() + seam); });
}

void PatternEditor::turn_seam(int seam) {
  edit("Turn seam", [&](Pattern& p) {
    SeamSide& last = p.seams[size_t(seam)].sides.back();
    std::swap(last.from, last.to);
  });
}

void PatternEditor::undo() {
  if (const auto* step = history_.undo()) take(step->before);
}

void PatternEditor::redo() {
  if (const auto* step = history_.redo()) take(step->after);
}

Scene with_pattern(Scene scene, int cloth, const Pattern& pattern) {
  Cloth& c = scene.cloths[size_t(cloth)];
  c.shape = ClothShape::garment;
  c.sewing_pattern = pattern;
  c.file.clear();
  c.mesh.reset();  // as it was dressed from another pattern
  return scene;
}

}  // namespace weft
