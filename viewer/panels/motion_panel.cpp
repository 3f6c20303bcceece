// The motion of bodies over time: a bar for each, with its lead-in and its clips.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/scene/model/body_clips.h"
#include "sim/scene/model/body_file.h"
#include "sim/scene/model/deformation.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

constexpr size_t kMost = 6;  // bodies that are shown

/// Of a body from a file or with bones: its lead-in, and then its own motion.
std::vector<BodyMotion::Stretch> own_motion(const Obstacle& o, double end) {
  const double lead_in = double(lead_in_of(o));
  const std::string what =
      o.bones.empty() ? std::filesystem::path(body_file(o)).filename().string() : "bones";
  return {{"start", 0, 0, 0}, {what, 0, lead_in, std::max(end, lead_in)}};
}

std::vector<BodyBar> bars_of(const Scene& scene) {
  std::vector<BodyBar> bars;
  for (size_t i = 0; i < scene.obstacles.size() && bars.size() < kMost; ++i) {
    const Obstacle& o = scene.obstacles[i];
    if (!o.deforms()) continue;
    BodyBar bar{int(i), o.name, {}};
    try {
      bar.stretches = o.shape == ObstacleShape::mannequin
                          ? make_body_motion(o.mannequin, make_skeleton(o.mannequin.params)).stretches()
                          : own_motion(o, double(scene.duration));
    } catch (const Error&) {
      continue;  // a clip that is gone: the scene runs on without it
    }
    bars.push_back(std::move(bar));
  }
  return bars;
}

/// Pixels of a time (s) on the bar.
struct Scale {
  float left, width;
  double end;
  float at(double time) const { return left + width * float(std::clamp(time / end, 0.0, 1.0)); }
};

ImU32 colour(size_t clip, float alpha) {
  static const ImVec4 colours[] = {
      {0.37f, 0.52f, 0.75f, 1}, {0.33f, 0.60f, 0.48f, 1}, {0.66f, 0.52f, 0.31f, 1}, {0.56f, 0.44f, 0.66f, 1}};
  ImVec4 c = colours[clip % 4];
  c.w = alpha;
  return ImGui::GetColorU32(c);
}

void draw_stretches(const BodyBar& bar, const Scale& scale, float top, float height) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(ImVec2(scale.left, top), ImVec2(scale.left + scale.width, top + height),
                      ImGui::GetColorU32(theme::field), 3);
  for (size_t i = 0; i < bar.stretches.size(); ++i) {
    const BodyMotion::Stretch& s = bar.stretches[i];
    const bool last = i + 1 == bar.stretches.size();  // goes on, or holds its end
    const float x0 = scale.at(s.blend), x1 = scale.at(s.begin), x2 = scale.at(last ? scale.end : s.end);
    const ImU32 before = colour(i + 3, 0.9f), own = colour(i, 0.9f);
    if (x1 > x0)
      list->AddRectFilledMultiColor(ImVec2(x0, top), ImVec2(x1, top + height), i ? before : own, own, own,
                                    i ? before : own);
    if (x2 > x1) list->AddRectFilled(ImVec2(x1, top), ImVec2(x2, top + height), own);
    if (last && s.end < scale.end)
      list->AddLine(ImVec2(scale.at(s.end), top), ImVec2(scale.at(s.end), top + height),
                    ImGui::GetColorU32(theme::field));
    const std::string label = elided(s.clip, x2 - x1 - 6);
    if (x2 - x1 > 24)
      list->AddText(ImVec2(x1 + 4, top + (height - ImGui::GetFontSize()) / 2),
                    ImGui::GetColorU32(theme::text), label.c_str());
  }
}

std::string in_words(const BodyBar& bar, double time) {
  for (size_t i = 0; i < bar.stretches.size(); ++i) {
    const BodyMotion::Stretch& s = bar.stretches[i];
    const bool last = i + 1 == bar.stretches.size();
    if (time < s.begin && i > 0)
      return fmt::format("{:.2f} s: {} to {}, {:.2f} to {:.2f} s", time,
                         i == 1 && bar.stretches[0].end == 0 ? "lead-in from the pose of dressing"
                                                             : "from " + bar.stretches[i - 1].clip,
                         s.clip, s.blend, s.begin);
    if (time < s.end || last)
      return fmt::format("{:.2f} s: {}, {:.2f} to {:.2f} s{}", time, s.clip, s.begin, s.end,
                         last ? ", then on" : "");
  }
  return {};
}

void draw_bar(WindowState& state, const BodyBar& bar, double end) {
  const float height = ImGui::GetFrameHeight(), width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Scale scale{at.x, width, end};
  ImGui::TextDisabled("%s", elided(bar.name, width).c_str());
  const float top = ImGui::GetCursorScreenPos().y;
  ImGui::InvisibleButton(("##motion" + bar.name).c_str(), ImVec2(std::max(width, 1.0f), height));
  note_item(state, "motion:" + bar.name);
  draw_stretches(bar, scale, top, height);
  const float x = scale.at(state.session.frame().time);
  ImGui::GetWindowDrawList()->AddLine(ImVec2(x, top - 2), ImVec2(x, top + height + 2),
                                      ImGui::GetColorU32(theme::accent), 2 * state.scale);
  if (ImGui::IsItemHovered())
    theme::tooltip(in_words(
        bar,
        end * double(std::clamp((ImGui::GetIO().MousePos.x - at.x) / std::max(width, 1.0f), 0.0f, 1.0f))));
}

/// The lead-in of a body, taken over when the field is let go.
void lead_in_field(WindowState& state, const BodyBar& bar) {
  int& edited = state.memory.motion.edited;
  float& wanted = state.memory.motion.wanted;
  const Obstacle& written = state.session.scene().obstacles[size_t(bar.obstacle)];
  const bool mannequin = written.shape == ObstacleShape::mannequin,
             needed = mannequin && written.mannequin.params.lead_in < 0;
  const float now = lead_in_of(needed ? state.session.view().scene.obstacles[size_t(bar.obstacle)] : written);
  float shown = edited == bar.obstacle ? wanted : now;
  ImGui::SetNextItemWidth(-1);
  if (ImGui::DragFloat(("##lead_in" + bar.name).c_str(), &shown, 0.02f, 0, 60,
                       needed ? "Lead-in as needed: %.2f s" : "Lead-in %.2f s", ImGuiSliderFlags_AlwaysClamp))
    edited = bar.obstacle, wanted = shown;
  note_item(state, "lead_in:" + bar.name);
  const bool done = ImGui::IsItemDeactivatedAfterEdit();
  const auto set = [&](float seconds) {
    Obstacle body = written;
    body.mannequin.params.lead_in = seconds;
    state.session.set_obstacle(bar.obstacle, std::move(body));
  };
  if (mannequin && !needed && ImGui::IsItemClicked(ImGuiMouseButton_Right)) return set(-1);
  theme::tooltip(mannequin ? "Time in which the body goes from the pose in which it was dressed to its first "
                             "clip. 0: the garment is put on in "
                             "the first clip's pose. Right click: as needed, 1 s where the scene puts a "
                             "garment on it, else none. The scene "
                             "starts again."
                           : "Time in which the body's motion begins, so that it starts at rest. 0: at once. "
                             "The scene starts again.");
  if (!done) return;
  edited = -1;
  if (wanted != now || needed) set(wanted);
}

}  // namespace

void motion_panel(WindowState& state) {
  std::vector<BodyBar>& bars = state.memory.motion.bars;
  const Scene& scene = state.session.view().scene;
  if (const uint64_t model = state.session.view().model_id; model != state.memory.motion.model)
    bars = bars_of(scene), state.memory.motion.model = model;
  if (bars.empty() || !begin_section(state, "Motion")) return;
  double end = std::max(double(scene.duration), state.session.frame().time);
  for (const BodyBar& bar : bars) end = std::max(end, bar.stretches.back().end);
  for (const BodyBar& bar : bars) {
    draw_bar(state, bar, std::max(end, 1e-3));
    if (size_t(bar.obstacle) < state.session.scene().obstacles.size()) lead_in_field(state, bar);
  }
  end_section();
}

}  // namespace weft
