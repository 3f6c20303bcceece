// Numbers of the run over time, below the picture, and the ticks that choose them.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/record/recorder.h"
#include "viewer/render/lane_pictures.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

constexpr double kSpans[] = {5, 20, 60, 0};  // s; 0: all

/// Lanes have the colours of pictures that lie over each other; the first has the first one of curves.
ImVec4 own_color(int i) {
  if (i <= kLaneColors) return ImGui::ColorConvertU32ToFloat4(theme::series_color(i % kLaneColors));
  const vec3 c = lane_color(LaneLayout::overlay, size_t(i - kLaneColors)).color;
  return {c.x, c.y, c.z, 1};
}

ImU32 color_of(int i, bool pale) {
  if (i < 0) return ImGui::GetColorU32(theme::dim_text);
  ImVec4 color = own_color(i);
  if (pale) color.w *= 0.35f;
  return ImGui::GetColorU32(color);
}

/// The strokes of a line that is dashed along its length.
std::vector<std::vector<ImVec2>> strokes_of(const std::vector<vec2>& points,
                                            const std::vector<float>& dashes) {
  std::vector<std::vector<ImVec2>> strokes(1);
  size_t dash = 0;
  float left = dashes.empty() ? std::numeric_limits<float>::infinity() : dashes[0];
  for (size_t i = 0; i < points.size(); ++i) {
    if (i == 0) {
      strokes.back().push_back({points[0].x, points[0].y});
      continue;
    }
    vec2 at = points[i - 1];
    float length = glm::distance(at, points[i]);
    while (length > left) {
      at += (points[i] - at) * (left / length), length -= left;
      if (dash % 2 == 0) strokes.back().push_back({at.x, at.y});
      else strokes.push_back({{at.x, at.y}});
      dash = (dash + 1) % dashes.size(), left = dashes[dash];
    }
    left -= length;
    if (dash % 2 == 0) strokes.back().push_back({points[i].x, points[i].y});
  }
  return strokes;
}

CurveCanvas window_canvas(ImDrawList* list, float scale) {
  CurveCanvas canvas;
  canvas.em = ImGui::GetFontSize();
  canvas.line = [=](const std::vector<vec2>& points, const CurveStyle& style) {
    for (const std::vector<ImVec2>& p : strokes_of(points, style.dashes))
      list->AddPolyline(p.data(), int(p.size()), color_of(style.color, style.pale), 0, 1.5f * scale);
  };
  canvas.rule = [=](vec2 from, vec2 to) {
    list->AddLine({from.x, from.y}, {to.x, to.y}, ImGui::GetColorU32(theme::line));
  };
  canvas.text = [=](vec2 at, const std::string& words, float align, int color) {
    list->AddText({at.x - align * ImGui::CalcTextSize(words.c_str()).x, at.y}, color_of(color, false),
                  words.c_str());
  };
  canvas.width = [](const std::string& words) { return ImGui::CalcTextSize(words.c_str()).x; };
  return canvas;
}

double span_of(const WindowState& state) { return double(state.settings.number("curves.seconds", 20)); }

std::vector<Curve> shown_curves(const WindowState& state) {
  const auto& timings = state.memory.timings;
  return timings.of_lanes.curves(state.session.lanes(), timings.curves, span_of(state));
}

/// All numbers, to choose from.
void numbers_list(WindowState& state) {
  Curves& curves = state.memory.timings.curves;
  ImGui::SetNextItemWidth(110 * state.scale);
  const bool open = ImGui::BeginCombo("##numbers", "Numbers", ImGuiComboFlags_HeightLarge);
  note_item(state, "curves.numbers");
  if (!open) return theme::tooltip("Statistics, stages and counters that can be drawn over time.");
  for (const std::string& id : curves.ids()) {
    const std::string unit = curve_unit(id),
                      label = curve_label(id) + (unit.empty() ? "" : " (" + unit + ")");
    if (ImGui::Selectable((label + "##" + id).c_str(), curves.shows(id),
                          ImGuiSelectableFlags_DontClosePopups))
      curves.toggle(id);
    note_item(state, "curves.number." + id);
  }
  ImGui::EndCombo();
}

void span_list(WindowState& state) {
  const auto words = [](double s) { return s > 0 ? fmt::format("last {:g} s", s) : std::string("all"); };
  ImGui::SetNextItemWidth(90 * state.scale);
  const bool open = ImGui::BeginCombo("##span", words(span_of(state)).c_str());
  note_item(state, "curves.span");
  if (!open) return;
  for (const double s : kSpans) {
    if (ImGui::Selectable(words(s).c_str(), s == span_of(state)))
      state.settings.set("curves.seconds", float(s));
    note_item(state, fmt::format("curves.span={:g}", s));
  }
  ImGui::EndCombo();
}

void files(WindowState& state, const Rect& area) {
  const float gap = 4 * state.scale;
  ImGui::SameLine(0, gap);
  if (text_button(state, "PNG", ""))  // a tooltip would be in the picture
    state.requests.picture_of = {area.x, area.y, area.width, area.height};
  ImGui::SameLine(0, gap);
  if (text_button(state, "SVG", "Writes the curves as drawn here to weft-curves.svg."))
    state.session.save_text("weft-curves.svg", curves_svg(shown_curves(state), vec2(800, 320)), "the curves");
  ImGui::SameLine(0, gap);
  if (text_button(state, "CSV", "Writes the values of the curves to weft-curves.csv."))
    state.session.save_text("weft-curves.csv", curves_csv(shown_curves(state)), "the values of the curves");
}

}  // namespace

float curves_height(const WindowState& state) {
  const bool shown = !state.memory.timings.curves.shown().empty() && !state.session.playback();
  return shown ? std::round(190 * state.scale) : 0;
}

void curves_view(WindowState& state, const Rect& area) {
  if (area.height <= 0) return;
  begin_strip("##curves", area, state.scale);
  ImGui::SetCursorPosY(4 * state.scale);
  numbers_list(state);
  ImGui::SameLine(0, 4 * state.scale);
  span_list(state);
  const ImVec2 below = ImGui::GetCursorScreenPos();
  const Rect plot{area.x, below.y, area.width, std::max(1.0f, area.y + area.height - below.y)};
  files(state, plot);
  const std::vector<Curve> curves = shown_curves(state);
  draw_curves(window_canvas(ImGui::GetWindowDrawList(), state.scale), curves, {plot.x, plot.y},
              {plot.width, plot.height});
  if (std::all_of(curves.begin(), curves.end(), [](const Curve& c) { return c.lines.empty(); }))
    ImGui::TextDisabled("No steps yet");
  state.item_rects["curves.plot"] = plot;
  end_strip();
}

void plot_tick(WindowState& state, const std::string& id) {
  Curves& curves = state.memory.timings.curves;
  const float size = 11 * state.scale, line = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton(("##plot" + id).c_str(), ImVec2(size, line))) curves.toggle(id);
  note_item(state, "plot." + id);
  const bool on = curves.shows(id), hot = ImGui::IsItemHovered();
  const ImU32 color = ImGui::GetColorU32(on ? theme::accent : hot ? theme::text : theme::line);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float x = at.x, y = at.y + (line - size) / 2;
  list->AddRect({x, y}, {x + size, y + size}, color, 2 * state.scale);
  const ImVec2 points[] = {{x + 0.2f * size, y + 0.7f * size},
                           {x + 0.45f * size, y + 0.35f * size},
                           {x + 0.6f * size, y + 0.6f * size},
                           {x + 0.8f * size, y + 0.25f * size}};
  list->AddPolyline(points, 4, color, 0, 1.3f * state.scale);
  theme::tooltip(on ? "Takes the curve of " + curve_label(id) + " away."
                    : "Plot: " + curve_label(id) + " over time.");
  ImGui::SameLine(0, 5 * state.scale);
}

}  // namespace weft
