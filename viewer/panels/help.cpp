// Keyboard and mouse help, and the hint of the first run.
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/session/window_keys.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

void row(const char* keys, const char* words, float column, bool wrap) {
  const float start = ImGui::GetCursorPosX();
  ImGui::TextColored(theme::accent, "%s", keys);
  ImGui::SameLine();
  ImGui::SetCursorPosX(start + column);
  if (wrap) ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(words);
  if (wrap) ImGui::PopTextWrapPos();
}

void mouse_rows(float scale) {
  ImGui::TableNextColumn();
  ImGui::TextDisabled("Mouse");
  ImGui::Spacing();
  for (const auto& [keys, words] : mouse_help()) row(keys, words, 185 * scale, true);
}

/// In so many columns.
void key_rows(WindowState& state, int columns) {
  std::vector<const KeyBinding*> keys;
  for (const KeyBinding& b : key_bindings())
    if (b.keys[0]) keys.push_back(&b);
  const size_t each = (keys.size() + size_t(columns) - 1) / size_t(columns);
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i % each == 0) {
      ImGui::TableNextColumn();
      ImGui::TextDisabled(i == 0 ? "Keys" : " ");
      ImGui::Spacing();
    }
    row(keys[i]->keys, keys[i]->words, 110 * state.scale, true);
  }
  note_item(state, "help.last");
}

}  // namespace

/// As high as its text, which a wide window has in three columns.
void help_window(WindowState& state) {
  if (!state.help_open) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = std::min(1160 * state.scale, display.x * 0.94f);
  const int columns = width < 700 * state.scale ? 1 : width < 1000 * state.scale ? 2 : 3;
  ImGui::SetNextWindowPos(ImVec2(display.x / 2, display.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, display.y * 0.92f));
  ImGui::SetNextWindowSize(ImVec2(width, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(20 * state.scale, 14 * state.scale));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::popup);
  if (ImGui::Begin("Keys and mouse", &state.help_open,
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                       ImGuiWindowFlags_NoSavedSettings)) {
    if (ImGui::BeginTable("##help", columns, ImGuiTableFlags_SizingStretchSame)) {
      mouse_rows(state.scale);
      key_rows(state, std::max(1, columns - 1));
      ImGui::EndTable();
    }
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

/// At the bottom, since cloth usually hangs from the top.
void first_hint(WindowState& state) {
  state.hint.height = 0;
  // The colour legend is at the same place.
  if (!state.hint.visible || state.help_open || state.renderer.legend().visible) return;
  const Rect& view = state.viewport;
  ImGui::SetNextWindowPos(ImVec2(view.x + view.width / 2, view.y + view.height - 12 * state.scale),
                          ImGuiCond_Always, ImVec2(0.5f, 1));
  ImGui::SetNextWindowSize(ImVec2(std::min(480 * state.scale, view.width - 16 * state.scale), 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(16 * state.scale, 12 * state.scale));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8 * state.scale);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::popup);
  ImGui::Begin("##hint", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  row("Drag the cloth", "with the left mouse button; Ctrl-click pins it", 120 * state.scale, true);
  row("Look around", "with the right button and the wheel; F frames all", 120 * state.scale, true);
  row("Space", "pauses, R resets, F1 shows all keys", 120 * state.scale, true);
  ImGui::Spacing();
  if (text_button(state, "Got it", "", 90 * state.scale)) {
    state.hint.visible = false;
    state.settings.set("hint.dismissed", true);
  }
  state.hint.height = ImGui::GetWindowSize().y + 8 * state.scale;
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

}  // namespace weft
