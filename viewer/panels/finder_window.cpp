// Search everything: a field above the picture with what is found below it.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/session/finder.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

constexpr size_t kShown = 12;

void run(WindowState& state, const FinderEntry& entry) {
  FinderView& finder = state.offers.finder;
  if (entry.kind == FinderEntry::Kind::parameter) {
    finder.slider = finder.slider == entry.name ? "" : entry.name;
    return;
  }
  finder.open = false;
  const auto chosen = entry.run;  // another scene replaces the entries
  chosen(state);
}

/// The slider of a parameter that was found, of the scene or of the picture.
void slider(WindowState& state, const std::string& key) {
  SceneTarget scene(state.session);
  if (const ParamRef* ref = state.session.params().find(key)) return void(param_slider(state, scene, *ref));
  ParamTable table;
  table.add("view", state.view);
  ViewTarget view(state, table);
  if (const ParamRef* ref = table.find(key)) param_slider(state, view, *ref);
}

/// Label to the left, kind to the right; the detail is the tooltip.
void found_row(WindowState& state, const FinderEntry& entry, bool chosen) {
  using Kind = FinderEntry::Kind;
  const float width = ImGui::GetContentRegionAvail().x, gap = 12 * state.scale;
  const bool command = entry.kind == Kind::command;
  // Keys of commands and of parameters, of which several may have one label; else what it is.
  const std::string kind = command                         ? entry.detail
                           : entry.kind == Kind::parameter ? entry.name
                                                           : kind_name(entry.kind);
  const float kind_width = ImGui::CalcTextSize(kind.c_str()).x;
  const float start = ImGui::GetCursorPosX();
  const std::string id = "##" + kind + entry.name + entry.label;
  const bool clicked =
      ImGui::Selectable((elided(entry.label, width - kind_width - gap) + id).c_str(), chosen);
  note_item(state, "found:" + (entry.name.empty() ? entry.label : entry.name));
  theme::tooltip(command ? entry.label : entry.detail + "\n\n" + kind_name(entry.kind) + ", " + entry.name);
  ImGui::SameLine(start + width - kind_width);
  ImGui::TextDisabled("%s", kind.c_str());
  if (clicked) run(state, entry);
}

/// Enter runs what the arrow keys have chosen (press_finder_key).
void keys(WindowState& state, const std::vector<int>& found, bool entered) {
  FinderView& finder = state.offers.finder;
  const int last = std::max(0, int(found.size()) - 1);
  finder.chosen = std::clamp(finder.chosen, 0, last);
  if (entered && !found.empty()) {
    run(state, finder.entries[size_t(found[size_t(finder.chosen)])]);
    finder.focus = finder.open;
  }
}

void contents(WindowState& state) {
  FinderView& finder = state.offers.finder;
  if (finder.focus) ImGui::SetKeyboardFocusHere(), finder.focus = false;
  ImGui::SetNextItemWidth(-1);
  const std::string before = finder.query;
  const bool entered = ImGui::InputTextWithHint(
      "##query", "scene, garment, fabric, paper, parameter or command", &finder.query,
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  note_item(state, "finder.query");
  if (finder.query != before) finder.chosen = 0, finder.slider.clear();
  const std::vector<int> found = find_entries(finder.entries, finder.query, kShown);
  keys(state, found, entered);
  for (size_t i = 0; i < found.size(); ++i) {
    const FinderEntry entry = finder.entries[size_t(found[i])];
    found_row(state, entry, int(i) == finder.chosen);
    if (!entry.name.empty() && entry.name == finder.slider) slider(state, entry.name);
  }
  if (found.empty() && !finder.query.empty()) ImGui::TextDisabled("Nothing is called so.");
}

}  // namespace

void finder_window(WindowState& state) {
  FinderView& finder = state.offers.finder;
  if (!finder.open) return finder.entries.clear();
  if (finder.entries.empty()) finder.entries = finder_entries(state), finder.slider.clear();
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(display.x / 2, 60 * state.scale), ImGuiCond_Always, ImVec2(0.5f, 0));
  ImGui::SetNextWindowSize(ImVec2(std::min(560 * state.scale, display.x * 0.94f), 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(12 * state.scale, 12 * state.scale));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::popup);
  if (ImGui::Begin(
          "##finder", nullptr,
          ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings))
    contents(state);
  // Not by the focus, which a click takes away only at the end of its picture.
  const bool away =
      !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows | ImGuiHoveredFlags_NoPopupHierarchy |
                              ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (away && ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsAnyItemHovered()) finder.open = false;
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

}  // namespace weft
