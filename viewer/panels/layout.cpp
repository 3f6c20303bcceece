// Side columns with splitters around the picture, and the status bar below it.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

constexpr float kDefaultWidth = 296, kLeastWidth = 240, kMostWidth = 520, kLeastView = 200,
                kLeastViewOfTwo = 320, kLeastOfTwo = 280;

struct Column {
  const char* id;
  const char* setting;
  bool on_left;
};

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;

/// The strip between a column and the picture: drag it to make the column wider.
void splitter(WindowState& state, const Column& column, float x, float height, float& width) {
  const float moved = grip_moved(state, (std::string(column.id) + "splitter").c_str(),
                                 std::string("splitter.") + column.setting, x, height);
  if (moved == 0) return;
  width = std::clamp(width + (column.on_left ? moved : -moved) / state.scale, kLeastWidth, kMostWidth);
  state.settings.set(column.setting, width);
}

/// Draws a column and returns its width in pixels.
template <class Content>
float draw_column(WindowState& state, const Column& column, float room, float height, Content content) {
  float width = std::clamp(state.settings.number(column.setting, kDefaultWidth), kLeastWidth, kMostWidth);
  const float pixels = std::min(std::round(width * state.scale), room);
  const float display = ImGui::GetIO().DisplaySize.x;
  ImGui::SetNextWindowPos(ImVec2(column.on_left ? 0 : display - pixels, 0));
  ImGui::SetNextWindowSize(ImVec2(pixels, height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8 * state.scale, 8 * state.scale));
  ImGui::Begin(column.id, nullptr, kFixed);
  content();
  ImGui::End();
  ImGui::PopStyleVar(2);
  splitter(state, column, column.on_left ? pixels : display - pixels, height, width);
  return pixels;
}

bool shows_pattern(const WindowState& state) {
  return state.pattern.visible && !state.pattern.editor.empty();
}

/// Draws the pattern in the left part of an area and returns the rest. The share is kept in the settings.
Rect beside_pattern(WindowState& state, const Rect& area) {
  constexpr float kLeast = 160;
  const float most = area.width - kLeast * state.scale;
  if (most < kLeast * state.scale) return area;  // too narrow for both
  const float share = state.settings.number("pattern.share", 0.45f);
  float width = std::clamp(std::round(share * area.width), kLeast * state.scale, most);
  pattern_view(state, {area.x, area.y, width, area.height});
  const float moved = grip_moved(state, "##patternsplitter", "splitter.pattern", area.x + width, area.height);
  if (moved != 0) state.settings.set("pattern.share", std::clamp((width + moved) / area.width, 0.05f, 0.95f));
  return {area.x + width, area.y, area.width - width, area.height};
}

/// Shown while the panels are hidden.
void hidden_note(WindowState& state, const Rect& view) {
  ImGui::SetNextWindowPos(ImVec2(view.x + 10 * state.scale, view.y + 10 * state.scale));
  ImGui::SetNextWindowBgAlpha(0.55f);
  ImGui::Begin(
      "##hidden", nullptr,
      kFixed | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav);
  ImGui::TextDisabled("H shows the panels");
  ImGui::End();
}

}  // namespace

void draw_layout(WindowState& state) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  state.offers.thumbnails.next_picture();
  const float bar = std::round(26 * state.scale);
  const float height = std::max(1.0f, display.y - (state.panels_visible ? bar : 0));
  float left = 0, right = 0;
  if (state.panels_visible) {
    const float beside_picture = display.x - kLeastView * state.scale,
                of_two = (display.x - kLeastViewOfTwo * state.scale) / 2;
    const auto running = [&] {
      scene_panel(state);
      disabled_in_playback(state, [&] {
        garment_panel(state);
        mannequin_panel(state);
        motion_panel(state);
        simulation_panel(state);
        fabric_panel(state);
        forces_panel(state);
      });
    };
    const auto looking = [&] {
      disabled_in_playback(state, [&] { lanes_panel(state); });
      timings_panel(state);
      view_panel(state);
      wrinkle_panel(state);
      camera_panel(state);
      recording_panel(state);
    };
    // Two columns if both are wide enough for their content and leave enough space for the picture; else all
    // panels in one.
    if (of_two >= kLeastOfTwo * state.scale) {
      left = draw_column(state, {"##left", "column.left", true}, of_two, height, running);
      right = draw_column(state, {"##right", "column.right", false}, of_two, height, looking);
    } else if (beside_picture > 60 * state.scale) {
      left = draw_column(state, {"##left", "column.left", true}, beside_picture, height,
                         [&] { running(), looking(); });
    }
    status_bar(state, {0, height, display.x, bar});
  }
  const float below = state.panels_visible ? timeline_height(state, display.x - left - right) : 0;
  state.viewport = {left, 0, std::max(1.0f, display.x - left - right), std::max(1.0f, height - below)};
  timeline(state, {left, height - below, state.viewport.width, below});
  const float curves = state.panels_visible ? std::min(curves_height(state), state.viewport.height / 2) : 0;
  state.viewport.height -= curves;
  curves_view(state, {left, state.viewport.height, state.viewport.width, curves});
  if (shows_pattern(state)) state.viewport = beside_pattern(state, state.viewport);
  if (!state.panels_visible) hidden_note(state, state.viewport);
  loading_note(state);
  first_hint(state);
  help_window(state);
  finder_window(state);
}

}  // namespace weft
