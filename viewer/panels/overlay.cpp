// Overlay on the picture: forces of handles, colour scale, recording sign.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/render/lane_pictures.h"
#include "viewer/session/pointed_value.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

std::string newtons(float force) {
  return force < 1 ? fmt::format("{:.0f} mN", force * 1000) : fmt::format("{:.2f} N", force);
}

void handle_forces(WindowState& state, const CameraView& camera, ImDrawList* list, float ratio) {
  for (const ShownHandle& handle : state.session.shown_handles()) {
    const auto at = camera.project(handle.hand);
    if (!at || !handle.known) continue;
    const std::string force = newtons(handle.simulated.force);
    // Beside the handle, on its other side where the picture ends, and always inside it.
    const Rect& v = state.viewport;
    const ImVec2 size = ImGui::CalcTextSize(force.c_str());
    const float margin = 8 * state.scale, beside = 14 * state.scale, x = v.x + at->x / ratio,
                y = v.y + at->y / ratio - 22 * state.scale;
    const float right = v.x + v.width - size.x - margin, bottom = v.y + v.height - size.y - margin;
    const float wanted = x + beside <= right ? x + beside : x - beside - size.x;
    text_plate(
        list,
        ImVec2(std::max(v.x + margin, std::min(wanted, right)), std::max(v.y + margin, std::min(y, bottom))),
        force, ImGui::GetColorU32(theme::plate_text), state.scale);
  }
}

/// The number behind the colour under the cursor, beside it.
void value_under_cursor(WindowState& state, ImDrawList* list) {
  if (!state.pointed || state.view.colouring == 0) return;
  const auto text =
      pointed_value(state.session.frame(), state.session.view(), state.view.colouring, *state.pointed);
  if (!text) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos, size = ImGui::CalcTextSize(text->c_str());
  const float beside = 18 * state.scale, margin = 8 * state.scale;
  const Rect& v = state.viewport;
  const bool right = mouse.x + beside + size.x + margin < v.x + v.width;
  const float y = std::min(mouse.y + beside, v.y + v.height - size.y - margin);
  text_plate(list, ImVec2(right ? mouse.x + beside : mouse.x - beside - size.x, y), *text,
             ImGui::GetColorU32(theme::plate_text), state.scale);
}

void recording_sign(WindowState& state, ImDrawList* list) {
  if (!state.recording.active()) return;
  const std::string text =
      fmt::format("      {} {:.1f} s", state.recording.exact() ? "Recording, frame-exact" : "Recording",
                  state.recording.seconds());
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  const ImVec2 at(
      state.viewport.x + std::max(8 * state.scale, state.viewport.width - width - 16 * state.scale),
      state.viewport.y + 12 * state.scale);
  text_plate(list, at, text, ImGui::GetColorU32(theme::plate_text), state.scale);
  list->AddCircleFilled(ImVec2(at.x + 8 * state.scale, at.y + ImGui::GetFontSize() / 2), 5 * state.scale,
                        ImGui::GetColorU32(theme::error), 20);
}

/// The line between two runs that are compared, which the mouse moves.
void wipe_line(WindowState& state) {
  if (!state.session.lanes().running() || state.memory.lanes.layout != int(LaneLayout::wipe)) return;
  const Rect& v = state.viewport;
  float& share = state.memory.lanes.wipe;
  const float moved = grip_moved(state, "##wipe_line", "lanes.line", v.x + share * v.width, v.y + v.height);
  if (moved != 0 && v.width > 0) share = std::clamp((ImGui::GetIO().MousePos.x - v.x) / v.width, 0.0f, 1.0f);
}

}  // namespace

void draw_view_overlay(WindowState& state, const CameraView& camera) {
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  const Rect& v = state.viewport;
  list->PushClipRect(ImVec2(v.x, v.y), ImVec2(v.x + v.width, v.y + v.height), true);
  const float ratio = ImGui::GetIO().DisplayFramebufferScale.x;
  if (state.view.handles) handle_forces(state, camera, list, ratio);
  value_under_cursor(state, list);
  draw_body_gizmo(state, camera);
  recording_sign(state, list);
  list->PopClipRect();
  wipe_line(state);
  state.toasts.draw(v.x, v.y, v.width, v.height - state.hint.height, state.scale);
}

}  // namespace weft
