// Plot of collision steps and residual per time step.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/methods/method_table.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/session/contact_history.h"
#include "viewer/session/stage_history.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

const ImVec4 kHard{0.90f, 0.36f, 0.10f, 1};

const StepsInWords& words(const ContactHistory& history) {
  return collision_methods()[size_t(history.method())].steps;
}
bool has_residual(const ContactHistory& history) { return !words(history).residual_limit.empty(); }

/// The counter that is drawn with the steps.
const CounterInfo& failed(const ContactHistory& history) {
  for (const CounterInfo& i : collision_methods()[size_t(history.method())].counters)
    if (i.name == words(history).failed) return i;
  static const CounterInfo none;
  return none;
}

std::string residual_text(float residual) {
  return residual >= 0.01f ? fmt::format("{:.2f}", double(residual))
         : residual > 0    ? fmt::format("{:.1e}", double(residual))
                           : "0";
}

/// Legend entry: a colour, its meaning and the last value.
void key(WindowState& state, const ImVec4& color, const std::string& name, const std::string& value,
         const std::string& tip) {
  swatch(state, color);
  ImGui::TextDisabled("%s", name.c_str());
  theme::tooltip(tip);
  ImGui::SameLine(0, 5 * state.scale);
  ImGui::TextUnformatted(value.c_str());
  theme::tooltip(tip);
}

void keys(WindowState& state) {
  const ContactHistory& history = state.memory.timings.contact;
  const ContactStep& last = history.steps().back();
  const float start = ImGui::GetCursorPosX(), width = ImGui::GetContentRegionAvail().x;
  key(state, theme::accent_dark, words(history).label, with_commas(last.steps), words(history).help);
  ImGui::SameLine(start + 0.6f * width);
  if (has_residual(history))
    key(state, theme::warning, "r", residual_text(last.residual),
        "Residual at the end of the step (logarithmic, six decades): the largest fraction of its path that a "
        "vertex could not move. Below the dashed line (threshold "
        "\u03b5) the cloth reached its target; above it the steps ran out, or cloth is pinched.");
  else key(state, kHard, failed(history).label, with_commas(last.failed), failed(history).help);
}

std::string words_of(const ContactHistory& history, const ContactStep& step) {
  const std::string when = fmt::format("Step {}: ", step.number);
  if (has_residual(history))
    return when + fmt::format("{} steps, residual {}", with_commas(step.steps), residual_text(step.residual));
  return when + fmt::format("{}: {}, {}: {}", words(history).label, with_commas(step.steps),
                            failed(history).label, with_commas(step.failed));
}

void label(WindowState& state, ImDrawList* list, ImVec2 at, const std::string& text) {
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const float pad = 3 * state.scale;
  list->AddRectFilled(ImVec2(at.x - pad, at.y), ImVec2(at.x + size.x + pad, at.y + size.y),
                      ImGui::GetColorU32(theme::plate), 3);
  list->AddText(at, ImGui::GetColorU32(theme::plate_text), text.c_str());
}

struct Plot {
  ImVec2 at, size;
  float bar = 1, x0 = 0;
  double top = 1;  // steps
};

void bars(const ContactHistory& history, ImDrawList* list, const Plot& p) {
  const auto rectangle = [&](size_t i, double value, const ImVec4& color) {
    const float bottom = p.at.y + p.size.y, x = p.x0 + p.bar * float(i);
    if (value > 0)
      list->AddRectFilled(ImVec2(x, bottom - float(value / p.top) * p.size.y), ImVec2(x + p.bar, bottom),
                          ImGui::GetColorU32(color));
  };
  for (size_t i = 0; i < history.steps().size(); ++i) {
    rectangle(i, history.steps()[i].steps, theme::accent_dark);
    rectangle(i, history.steps()[i].failed, kHard);
  }
}

void residuals(WindowState& state, ImDrawList* list, const Plot& p) {
  const ContactHistory& history = state.memory.timings.contact;
  const float inset = 3 * state.scale;
  const auto y = [&](float r) { return p.at.y + inset + (1 - residual_height(r)) * (p.size.y - 2 * inset); };
  const ParamRef* limit = state.session.params().find(words(history).residual_limit);
  const float line = y(limit ? float(limit->number()) : 0.0f);
  for (float x = p.at.x; x < p.at.x + p.size.x; x += 6 * state.scale)
    list->AddLine(ImVec2(x, line), ImVec2(x + 3 * state.scale, line), ImGui::GetColorU32(theme::dim_text));
  std::vector<ImVec2> points;
  for (size_t i = 0; i < history.steps().size(); ++i)
    points.push_back(ImVec2(p.x0 + p.bar * (float(i) + 0.5f), y(history.steps()[i].residual)));
  list->AddPolyline(points.data(), int(points.size()), ImGui::GetColorU32(theme::warning), 0,
                    1.3f * state.scale);
}

}  // namespace

void contact_counters(WindowState& state) {
  const Frame& frame = state.session.frame();
  const std::vector<CounterInfo>& counters = collision_methods()[size_t(frame.collision)].counters;
  if (counters.empty() || frame.stats.counters.empty() || state.session.playback()) return;
  const bool open = ImGui::TreeNodeEx("Counted in the last step", ImGuiTreeNodeFlags_SpanAvailWidth);
  note_item(state, "timings.counters");
  if (!open) return;
  for (const CounterInfo& i : counters) {
    const std::string value = with_commas(long(frame.stats.counter(i.name)));
    plot_tick(state, "stats." + i.name);
    ImGui::TextDisabled("%s", i.label.c_str());
    theme::tooltip(i.help);
    ImGui::SameLine(ImGui::GetCursorStartPos().x + ImGui::GetContentRegionAvail().x -
                    ImGui::CalcTextSize(value.c_str()).x);
    ImGui::TextUnformatted(value.c_str());
  }
  ImGui::TreePop();
}

void contact_plot(WindowState& state, float height) {
  const ContactHistory& history = state.memory.timings.contact;
  const auto& steps = history.steps();
  if (steps.size() < 2 || words(history).label.empty()) return;
  ImGui::Spacing();
  keys(state);
  Plot p;
  p.at = ImGui::GetCursorScreenPos(), p.size = ImVec2(ImGui::GetContentRegionAvail().x, height);
  p.bar = p.size.x / 240.0f, p.x0 = p.at.x + p.size.x - p.bar * float(steps.size());
  // One outlier should not flatten the rest.
  std::vector<int> sorted;
  for (const ContactStep& s : steps) sorted.push_back(s.steps);
  const auto high = sorted.begin() + long(sorted.size() * 98 / 100);
  std::nth_element(sorted.begin(), high, sorted.end());
  p.top = nice_ceiling(1.1 * *high);
  ImGui::InvisibleButton("##contact", p.size);
  note_item(state, "timings.contact");
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 corner(p.at.x + p.size.x, p.at.y + p.size.y);
  list->AddRectFilled(p.at, corner, ImGui::GetColorU32(theme::header), 4 * state.scale);
  list->PushClipRect(p.at, corner, true);
  bars(history, list, p);
  if (has_residual(history)) residuals(state, list, p);
  list->PopClipRect();
  const float pad = 6 * state.scale, line = ImGui::GetFontSize();
  label(state, list, ImVec2(p.at.x + pad, p.at.y + pad / 2), fmt::format("{} steps", shown_number(p.top)));
  if (has_residual(history)) {
    const auto right = [&](const char* text) { return corner.x - pad - ImGui::CalcTextSize(text).x; };
    label(state, list, ImVec2(right("r = 1"), p.at.y + pad / 2), "r = 1");
    label(state, list, ImVec2(right("1e-6"), corner.y - line - pad / 2), "1e-6");
  }
  if (!ImGui::IsItemHovered()) return;
  const int i = std::clamp(int((ImGui::GetIO().MousePos.x - p.x0) / p.bar), 0, int(steps.size()) - 1);
  theme::tooltip(words_of(history, steps[size_t(i)]));
}

}  // namespace weft
