// The sewing pattern beside the picture: panels, seams in colours, selection, sewing by two clicks.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/garment/edge_curve.h"
#include "sim/garment/edit_outline.h"
#include "sim/garment/point_seam.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

constexpr double kLeastZoom = 40, kMostZoom = 20000;  // pixels per metre
constexpr float kReach = 7;                           // pixels at scale 1 within which an edge is hit
constexpr float kNotch = 8;                           // pixels at scale 1: length of a notch
constexpr ImU32 kPaper = IM_COL32(244, 241, 234, 255), kInk = IM_COL32(51, 51, 51, 255),
                kFaint = IM_COL32(120, 116, 108, 255), kChosen = IM_COL32(206, 226, 250, 255),
                kMark = IM_COL32(255, 170, 40, 255);

ImU32 color_of_seam(size_t seam) {
  const unsigned c = seam_color(seam);
  return IM_COL32((c >> 16) & 255, (c >> 8) & 255, c & 255, 255);
}

/// From the drawing (m, y down) to the window.
struct Canvas {
  ImVec2 corner;
  dvec2 origin;
  double zoom;  // pixels per metre
  ImVec2 at(const dvec2& p) const {
    const dvec2 q = zoom * (p - origin);
    return ImVec2(corner.x + float(q.x), corner.y + float(q.y));
  }
  dvec2 back(const ImVec2& p) const { return origin + dvec2(p.x - corner.x, p.y - corner.y) / zoom; }
};

class Drawing {
 public:
  Drawing(const PatternView& view, const Canvas& canvas, ImDrawList* list, float scale)
      : editor_(view.editor), view_(view), canvas_(canvas), list_(list), scale_(scale) {}

  void run(const PatternPlace& hovered, const PatternGrip& grip) {
    const Pattern& pattern = editor_.drawn();
    for (size_t p = 0; p < pattern.panels.size(); ++p) panel(p, hovered);
    for (size_t s = 0; s < pattern.seams.size(); ++s) seam(s);
    if (hovered.edge >= 0) edge(hovered, kMark, 2);
    if (editor_.selected().edge >= 0) edge(editor_.selected(), kMark, 4);
    for (size_t p = 0; p < pattern.panels.size(); ++p) notches(p);
    if (view_.sewing_from.panel >= 0) edge(view_.sewing_from, kMark, 5);
    if (view_.tool == PatternTool::sew) return;
    if (view_.tool == PatternTool::remove)
      for (size_t p = 0; p < pattern.panels.size(); ++p) points({int(p), -1});
    else if (editor_.selected().panel >= 0) points(editor_.selected());
    if (grip.kind == PatternGrip::Kind::point || grip.kind == PatternGrip::Kind::control) held(grip);
  }

 private:
  ImVec2 at(size_t panel, const dvec2& p) const { return canvas_.at(editor_.layout().panels[panel].at(p)); }

  std::vector<ImVec2> outline(size_t p, const PanelLoop& loop, int first_edge) const {
    std::vector<ImVec2> points;
    for (size_t i = 0; i < loop.size(); ++i) {
      const auto line = curve_of(editor_.drawn().panels[p], first_edge + int(i)).drawn();
      for (size_t k = 0; k + 1 < line.size(); ++k) points.push_back(at(p, line[k]));
    }
    return points;
  }

  /// Filled by rows of pixels: outlines may be concave and have holes.
  void fill(const std::vector<std::vector<ImVec2>>& loops, ImU32 color) {
    float low = 1e30f, high = -1e30f;
    for (const auto& loop : loops)
      for (const ImVec2& q : loop) low = std::min(low, q.y), high = std::max(high, q.y);
    const ImVec2 clip_low = list_->GetClipRectMin(), clip_high = list_->GetClipRectMax();
    low = std::max(low, clip_low.y), high = std::min(high, clip_high.y);
    std::vector<float> cuts;
    for (float y = std::floor(low) + 0.5f; y < high; y += 1) {
      cuts.clear();
      for (const auto& loop : loops)
        for (size_t i = 0; i < loop.size(); ++i) {
          const ImVec2 &a = loop[i], &b = loop[(i + 1) % loop.size()];
          if ((a.y > y) != (b.y > y)) cuts.push_back(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
        }
      std::sort(cuts.begin(), cuts.end());
      for (size_t i = 0; i + 1 < cuts.size(); i += 2)
        list_->AddRectFilled(ImVec2(cuts[i], y - 0.5f), ImVec2(cuts[i + 1], y + 0.5f), color);
    }
  }

  void panel(size_t p, const PatternPlace& hovered) {
    const Panel& panel = editor_.drawn().panels[p];
    std::vector<std::vector<ImVec2>> loops;
    int first = 0;
    for (const PanelLoop& loop : panel.loops) {
      loops.push_back(outline(p, loop, first));
      first += int(loop.size());
    }
    const bool chosen = editor_.selected().panel == int(p), hot = hovered.panel == int(p);
    fill(loops, chosen ? kChosen : kPaper);
    for (const auto& loop : loops)
      list_->AddPolyline(loop.data(), int(loop.size()),
                         chosen ? ImGui::GetColorU32(theme::accent_dark)
                         : hot  ? kInk
                                : kFaint,
                         ImDrawFlags_Closed, (chosen || hot ? 2.0f : 1.2f) * scale_);
    label(p, panel);
  }

  void label(size_t p, const Panel& panel) {
    const PanelView& view = editor_.layout().panels[p];
    const ImVec2 m = canvas_.at(view.middle());
    const double height = canvas_.zoom * (view.high.y - view.low.y), line = double(ImGui::GetFontSize());
    const double a = glm::radians(panel.grain),
                 arm = std::clamp(0.5 * height - 1.5 * line, 0.0, 26.0 * double(scale_));
    const ImVec2 g(float(arm * view.side * std::cos(a)), float(-arm * std::sin(a)));
    list_->AddLine(ImVec2(m.x - g.x, m.y - g.y), ImVec2(m.x + g.x, m.y + g.y), kFaint, 1.2f * scale_);
    for (const float s : {1.0f, -1.0f})
      for (const float w : {1.0f, -1.0f})
        list_->AddLine(
            ImVec2(m.x + s * g.x, m.y + s * g.y),
            ImVec2(m.x + s * (0.78f * g.x) - w * 0.12f * g.y, m.y + s * (0.78f * g.y) + w * 0.12f * g.x),
            kFaint, 1.2f * scale_);
    const float width = float(canvas_.zoom * (view.high.x - view.low.x));
    const std::string name = elided(
        panel.layer ? fmt::format("{}, layer {}", panel.name, panel.layer) : panel.name, width - 6 * scale_);
    const ImVec2 size = ImGui::CalcTextSize(name.c_str());
    if (size.x < width)
      list_->AddText(
          ImVec2(m.x - size.x / 2, m.y + (arm > 0 ? float(arm) + 2 * scale_ : -0.5f * ImGui::GetFontSize())),
          kInk, name.c_str());
  }

  void stroke(int panel, const EdgeCurve& curve, double from, double to, ImU32 color, float width,
              bool dashed) {
    constexpr int kPieces = 32;
    ImVec2 points[kPieces + 1];
    for (int i = 0; i <= kPieces; ++i)
      points[i] = at(size_t(panel), curve.at(from + (to - from) * i / kPieces));
    if (!dashed) return list_->AddPolyline(points, kPieces + 1, color, ImDrawFlags_None, width * scale_);
    for (int i = 0; i < kPieces; i += 2) list_->AddLine(points[i], points[i + 1], color, width * scale_);
  }

  void seam(size_t s) {
    const Seam& seam = editor_.drawn().seams[s];
    const ImU32 color = color_of_seam(s);
    for (const SeamSide& side : seam.sides) {
      if (is_point(side)) {
        button(at(size_t(side.panel), point_of(side)), color);
        continue;
      }
      const EdgeCurve curve = curve_of(editor_.drawn().panels[size_t(side.panel)], side.edge);
      stroke(side.panel, curve, side.from, side.to, color, 3.5f, seam.elastic != 1);
      // An arrow head a quarter along: the beginnings of all sides meet.
      const auto share = [&](double t) {
        return at(size_t(side.panel), curve.at(side.from + (side.to - side.from) * t));
      };
      const ImVec2 a = share(0.24), b = share(0.26);
      const float length = std::hypot(b.x - a.x, b.y - a.y);
      if (length < 1e-3f) continue;
      const ImVec2 d((b.x - a.x) / length * 8 * scale_, (b.y - a.y) / length * 8 * scale_);
      list_->AddTriangleFilled(ImVec2(a.x + d.x, a.y + d.y), ImVec2(a.x - d.y * 0.7f, a.y + d.x * 0.7f),
                               ImVec2(a.x + d.y * 0.7f, a.y - d.x * 0.7f), color);
    }
  }

  /// A disc with two holes.
  void button(const ImVec2& p, ImU32 color) {
    const float r = 5 * scale_;
    list_->AddCircleFilled(p, r, color, 20);
    for (const float side : {-1.0f, 1.0f})
      list_->AddCircleFilled(ImVec2(p.x + side * 0.35f * r, p.y), 0.2f * r, kInk, 8);
  }

  /// An edge of the pattern itself, darts closed.
  void edge(const PatternPlace& place, ImU32 color, float width) {
    if (place.panel >= int(editor_.pattern().panels.size())) return;
    stroke(place.panel, curve_of(editor_.pattern().panels[size_t(place.panel)], place.edge), 0, 1, color,
           width, false);
  }

  /// Where the selected panel's edges begin, and the control points of its selected edge.
  void points(const PatternPlace& place) {
    const Panel& panel = editor_.pattern().panels[size_t(place.panel)];
    for (int e = 0; e < panel.edge_count(); ++e)
      square(at(size_t(place.panel), edge_of(panel, e).start), kPaper);
    if (place.edge < 0) return;
    const PanelEdge& edge = edge_of(panel, place.edge);
    for (int k = 0; k < control_count(edge); ++k) {
      const ImVec2 c = at(size_t(place.panel), edge.control[k]);
      list_->AddLine(at(size_t(place.panel), k == 0 ? edge.start : end_of(panel, place.edge)), c, kMark,
                     1.2f * scale_);
      if (control_count(edge) == 1)
        list_->AddLine(at(size_t(place.panel), end_of(panel, place.edge)), c, kMark, 1.2f * scale_);
      list_->AddCircleFilled(c, 4 * scale_, kMark, 16);
      list_->AddCircle(c, 4 * scale_, kInk, 16, 1.2f * scale_);
    }
  }

  void square(const ImVec2& p, ImU32 color) {
    const float r = 3.5f * scale_;
    list_->AddRectFilled(ImVec2(p.x - r, p.y - r), ImVec2(p.x + r, p.y + r), color);
    list_->AddRect(ImVec2(p.x - r, p.y - r), ImVec2(p.x + r, p.y + r), kInk, 0, ImDrawFlags_None,
                   1.2f * scale_);
  }

  /// Short lines from the outline inwards.
  void notches(size_t p) {
    const Panel& panel = editor_.pattern().panels[p];
    for (int e = 0; e < panel.edge_count() && !panel.marks.notches.empty(); ++e)
      for (const int n : notches_on(panel, e)) {
        const dvec2 &notch = panel.marks.notches[size_t(n)], in = -outwards(panel, e);
        const ImVec2 a = at(p, notch), b = at(p, notch + 1e-3 * in);
        const float length = std::hypot(b.x - a.x, b.y - a.y), size = kNotch * scale_;
        if (length > 0)
          list_->AddLine(a, ImVec2(a.x + (b.x - a.x) / length * size, a.y + (b.y - a.y) / length * size),
                         kInk, 2 * scale_);
      }
  }

  void held(const PatternGrip& grip) {
    const PanelEdge& edge = edge_of(editor_.pattern().panels[size_t(grip.panel)], grip.edge);
    const bool point = grip.kind == PatternGrip::Kind::point;
    const ImVec2 p = at(size_t(grip.panel), point ? edge.start : edge.control[grip.control]);
    if (point) square(p, kMark);
    else list_->AddCircleFilled(p, 6 * scale_, kMark, 16);
  }

  const PatternEditor& editor_;
  const PatternView& view_;
  const Canvas& canvas_;
  ImDrawList* list_;
  float scale_;
};

void frame_all(PatternView& view, const Rect& area, float scale) {
  dvec2 low(1e300), high(-1e300);
  for (const PanelView& p : view.editor.layout().panels)
    low = glm::min(low, p.offset + p.low), high = glm::max(high, p.offset + p.high);
  const dvec2 extent = high - low + dvec2(0.06), room(area.width, area.height);
  view.zoom =
      std::clamp(std::min(room.x / extent.x, room.y / extent.y) / double(scale), kLeastZoom, kMostZoom);
  view.origin = 0.5 * (low + high) - 0.5 * room / (view.zoom * double(scale));
  view.frame = false;
}

void refuse(WindowState& state, const std::function<void()>& edit) {
  try {
    edit();
  } catch (const std::exception& e) {
    state.toasts.add(LogLevel::error, e.what());
  }
}

/// The share of an edge's length that is nearest to a point of the panel.
double share_near(const Panel& panel, int edge, const dvec2& p) {
  constexpr int kSteps = 1000;
  const EdgeCurve curve = curve_of(panel, edge);
  double best = 0, nearest = 1e300;
  for (int i = 0; i <= kSteps; ++i)
    if (const double d = glm::length(curve.at(double(i) / kSteps) - p); d < nearest)
      nearest = d, best = double(i) / kSteps;
  return best;
}

/// A notch of an edge near a point of the panel, as an index; -1: none.
int notch_near(const Panel& panel, int edge, const dvec2& p, double reach) {
  int found = -1;
  for (const int n : notches_on(panel, edge))
    if (const double d = glm::length(panel.marks.notches[size_t(n)] - p); d < reach) reach = d, found = n;
  return found;
}

/// Adds or takes away a point or a notch where the pattern was clicked. The tool stays in hand.
void use_tool(WindowState& state, PatternTool tool, const PatternGrip& grip, const dvec2& at) {
  PatternEditor& editor = state.pattern.editor;
  if (grip.panel < 0 || grip.edge < 0) return;
  const size_t p = size_t(grip.panel);
  const dvec2 in_panel = editor.layout().panels[p].back(at);
  const Panel& panel = editor.pattern().panels[p];
  const double share = share_near(panel, grip.edge, in_panel);
  const bool point = grip.kind == PatternGrip::Kind::point;
  const int notch = notch_near(panel, grip.edge, in_panel, double(2 * kReach) / state.pattern.zoom);
  refuse(state, [&] {
    if (tool == PatternTool::point && !point)
      editor.edit("Add a point", [&](Pattern& all) { add_point(all, grip.panel, grip.edge, share); });
    if (tool == PatternTool::notch)
      editor.edit("Add a notch", [&](Pattern& all) { add_notch(all.panels[p], grip.edge, share); });
    if (tool != PatternTool::remove) return;
    if (point) editor.edit("Remove a point", [&](Pattern& all) { remove_point(all, grip.panel, grip.edge); });
    else if (notch >= 0)
      editor.edit("Remove a notch", [&](Pattern& all) {
        auto& notches = all.panels[p].marks.notches;
        notches.erase(notches.begin() + notch);
      });
  });
  const PatternPlace now = editor.selected();
  if (now.panel >= 0 && now.edge >= editor.pattern().panels[size_t(now.panel)].edge_count())
    editor.select({now.panel, -1});
}

void clicked(WindowState& state, const PatternPlace& place, const PatternGrip& grip, const dvec2& at) {
  PatternView& view = state.pattern;
  const bool twice = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  if (view.tool != PatternTool::select && view.tool != PatternTool::sew)
    return use_tool(state, view.tool, grip, at);
  if (view.tool == PatternTool::select) {
    if (twice && grip.kind == PatternGrip::Kind::edge) return use_tool(state, PatternTool::point, grip, at);
    if (grip.kind != PatternGrip::Kind::control) view.editor.select(place);
    view.held = grip, view.held_at = at;
    return;
  }
  if (place.edge < 0) {
    view.sewing_from = {};
    return;
  }
  if (view.sewing_from.panel < 0) {
    view.sewing_from = place;
    return;
  }
  const PatternPlace from = view.sewing_from;
  view.sewing_from = {};
  refuse(state, [&] { view.editor.sew(from, place); });
}

/// Moves what is held: a panel on the drawing only, all else in the pattern.
void drag(WindowState& state, const Canvas& canvas) {
  PatternView& view = state.pattern;
  const ImGuiIO& io = ImGui::GetIO();
  if (view.held.kind == PatternGrip::Kind::none) return;
  if (view.held.kind == PatternGrip::Kind::panel) {
    if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)
      view.editor.shift(view.held.panel, dvec2(io.MouseDelta.x, io.MouseDelta.y) / canvas.zoom);
  } else if (view.editor.dragging() || ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    if (!view.editor.dragging()) view.editor.begin_drag(view.held);
    view.editor.drag(canvas.back(io.MousePos) - view.held_at, view.symmetric);
  }
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  view.editor.end_drag();  // after the last motion, which slow pictures show together with the release
  view.held = {};
}

/// Wheel zooms at the cursor; right and middle drags move the drawing; a left drag moves what is held.
void mouse(WindowState& state, const Canvas& canvas, const PatternPlace& hovered, const PatternGrip& grip,
           bool over) {
  PatternView& view = state.pattern;
  const ImGuiIO& io = ImGui::GetIO();
  const double pixels = canvas.zoom;
  if (over && io.MouseWheel != 0) {
    const dvec2 before = canvas.back(io.MousePos);
    view.zoom = std::clamp(view.zoom * std::pow(1.15, double(io.MouseWheel)), kLeastZoom, kMostZoom);
    const double now = view.zoom * double(state.scale);
    view.origin = before - dvec2(io.MousePos.x - canvas.corner.x, io.MousePos.y - canvas.corner.y) / now;
  }
  if (ImGui::IsItemActive() && (ImGui::IsMouseDragging(ImGuiMouseButton_Right, 0) ||
                                ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0)))
    view.origin -= dvec2(io.MouseDelta.x, io.MouseDelta.y) / pixels;
  if (over && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    clicked(state, hovered, grip, canvas.back(io.MousePos));
  drag(state, canvas);
}

/// What is under the cursor, in words.
std::string in_words(const PatternEditor& editor, const PatternPlace& place) {
  if (place.panel < 0) return {};
  const Panel& panel = editor.pattern().panels[size_t(place.panel)];
  if (place.edge < 0) return panel.name;
  std::string text = fmt::format("{}: {:.1f} cm", edge_in_words(panel, place.edge),
                                 100 * curve_of(panel, place.edge).length());
  for (const int s : editor.seams_at(place)) {
    const Seam& seam = editor.pattern().seams[size_t(s)];
    for (const SeamSide& side : seam.sides)
      if (side.panel != place.panel || side.edge != place.edge)
        text += "\nsewn to " + edge_in_words(editor.pattern().panels[size_t(side.panel)], side.edge);
  }
  return text;
}

}  // namespace

void pattern_view(WindowState& state, const Rect& area) {
  PatternView& view = state.pattern;
  if (view.editor.empty() || area.width < 1 || area.height < 1) return;
  if (view.frame) frame_all(view, area, state.scale);
  ImGui::SetNextWindowPos(ImVec2(area.x, area.y));
  ImGui::SetNextWindowSize(ImVec2(area.width, area.height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::field);
  ImGui::Begin("##pattern", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
  const Canvas canvas{ImVec2(area.x, area.y), view.origin, view.zoom * double(state.scale)};
  ImGui::SetCursorScreenPos(canvas.corner);
  ImGui::InvisibleButton("##canvas", ImVec2(area.width, area.height),
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight |
                             ImGuiButtonFlags_MouseButtonMiddle);
  note_item(state, "pattern");
  const bool over = ImGui::IsItemHovered();
  const bool free = over && view.held.kind == PatternGrip::Kind::none;
  const dvec2 cursor = canvas.back(ImGui::GetIO().MousePos);
  const double reach = double(kReach * state.scale) / canvas.zoom;
  const PatternPlace hovered = free ? view.editor.find(cursor, reach) : PatternPlace{};
  const PatternGrip grip = free ? view.editor.grip(cursor, reach) : view.held;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(ImVec2(area.x, area.y), ImVec2(area.x + area.width, area.y + area.height), true);
  Drawing(view, canvas, list, state.scale).run(hovered, grip);
  const char* hint =
      view.tool == PatternTool::point    ? "Click an edge where it gets a point"
      : view.tool == PatternTool::notch  ? "Click an edge where it gets a notch"
      : view.tool == PatternTool::remove ? "Click a point of an outline, or a notch"
      : view.tool == PatternTool::select
          ? "Click selects; drag moves a point or an edge of the outline, or a panel on the drawing; wheel "
            "zooms, right drag pans"
      : view.sewing_from.panel < 0 ? "Click the first edge of the seam"
                                   : "Click the edge that it is sewn to";
  const float margin = 10 * state.scale, room = std::max(area.width - 2 * margin, 1.0f);
  const float lines = ImGui::CalcTextSize(hint, nullptr, false, room).y;
  list->AddText(ImGui::GetFont(), ImGui::GetFontSize(),
                ImVec2(area.x + margin, area.y + area.height - lines - 0.6f * ImGui::GetFontSize()),
                ImGui::GetColorU32(theme::dim_text), hint, nullptr, room);
  list->PopClipRect();
  mouse(state, canvas, hovered, grip, over);
  const std::string words =
      view.editor.dragging() ? view.editor.drag_in_words() : in_words(view.editor, hovered);
  if (!words.empty()) theme::tooltip(words);
  for (size_t p = 0; p < view.editor.layout().panels.size(); ++p) {  // for tests: where panels are
    const PanelView& v = view.editor.layout().panels[p];
    const ImVec2 a = canvas.at(v.offset + v.low), b = canvas.at(v.offset + v.high);
    state.item_rects["panel:" + view.editor.pattern().panels[p].name] = {a.x, a.y, b.x - a.x, b.y - a.y};
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

}  // namespace weft
