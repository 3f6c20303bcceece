// Scene panel: what ships with the program, own files, saving.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>

#include "sim/scene/text/scene_file.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/session/open_input.h"
#include "viewer/session/window_keys.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

void open_path(WindowState& state) {
  std::string& path = state.memory.typed_path;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float button = ImGui::CalcTextSize("Open").x + 2 * style.FramePadding.x,
              browse = ImGui::CalcTextSize("Browse").x + 2 * style.FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - browse - 2 * style.ItemSpacing.x);
  if (state.requests.focus_open) ImGui::SetKeyboardFocusHere(), state.requests.focus_open = false;
  const bool entered =
      ImGui::InputTextWithHint("##path", "file or scene", &path,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  note_item(state, "scene.path");
  theme::tooltip(
      "Opens a scene (.toml, or the name of one that ships with the program), a mesh as cloth (.obj), a "
      "sewing pattern (.json, .dxf, or the name of a garment), or a recorded run (.weftcache). A mesh may be "
      "followed by options, "
      "as on the command line: --obstacle body.obj, --cloth-scale 0.01, --obstacle-scale 0.01, --up z. Files "
      "can also be dropped on the window.");
  ImGui::SameLine();
  if (text_button(state, "Open", "", button, !path.empty()) || (entered && !path.empty()))
    open_input(state, path);
  ImGui::SameLine();
  const std::string& why_not = state.offers.dialog.why_not();
  const bool ask =
      text_button(state, "Browse", why_not.empty() ? "Chooses a file in the desktop's dialog." : why_not,
                  browse, why_not.empty() && !state.offers.dialog.open());
  std::error_code gone;
  if (ask) state.offers.dialog.ask(std::filesystem::current_path(gone).string());
}

/// Picture, title and, under the cursor, what it is.
void item_row(WindowState& state, const CatalogueItem& item, bool current, bool arrived) {
  const float height = 30 * state.scale, picture = 1.5f * height, gap = 8 * state.scale;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  if (ImGui::Selectable(("##" + item.path).c_str(), current, 0, ImVec2(0, height)))
    state.session.open({item.path});
  note_item(state, "scene:" + item.name);
  if (current && arrived) ImGui::SetScrollHereY();
  const std::string title = elided(item.title, width - picture - gap);
  theme::tooltip((title == item.title ? "" : item.title + "\n\n") +
                 (item.description.empty() ? "" : item.description + "\n\n") + "weft " + item.name);
  if (!ImGui::IsItemVisible()) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 corner(at.x + picture, at.y + height);
  if (const unsigned texture = state.offers.thumbnails.of(item.picture))
    list->AddImage(ImTextureID(intptr_t(texture)), at, corner);
  else list->AddRectFilled(at, corner, ImGui::GetColorU32(theme::field), 3 * state.scale);
  list->AddText(ImVec2(corner.x + gap, at.y + (height - ImGui::GetFontSize()) / 2),
                ImGui::GetColorU32(theme::text), title.c_str());
}

/// What was opened: a scene's own file, or what was named.
std::string opened(const Session& session) {
  if (!session.scene().path.empty()) return session.scene().path;
  return session.input().empty() ? std::string() : session.input().front();
}

bool is(const CatalogueItem& item, const std::string& opened) {
  return item.path == opened || item.name == opened;
}

void list_scenes(WindowState& state) {
  const std::vector<CatalogueSection>& sections = state.offers.shipped.catalogue();
  if (sections.empty()) return ImGui::TextDisabled("No scenes were found beside the program.");
  const std::string now = opened(state.session);
  const bool arrived = state.memory.listed_scene != now;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme::header);
  ImGui::PushStyleColor(ImGuiCol_Header, theme::accent_dark);
  if (ImGui::BeginChild("##scenes", ImVec2(0, 260 * state.scale), true)) {
    for (const CatalogueSection& section : sections) {
      const bool first = &section == &sections.front();
      const std::string key = "scenes." + section.title;
      // A scene that was opened by other means is shown in its section.
      const auto current = [&](const CatalogueItem& item) { return is(item, now); };
      if (arrived && std::any_of(section.items.begin(), section.items.end(), current))
        state.settings.set(key, true);
      if (!fold(state, key, section.title.c_str(), first)) continue;
      for (const CatalogueItem& item : section.items) item_row(state, item, is(item, now), arrived);
    }
  }
  state.memory.listed_scene = now;
  const float wheel = wheel_left_over();
  ImGui::EndChild();
  note_item(state, "scenes");
  scroll_panel(wheel);
  ImGui::PopStyleColor(2);
}

}  // namespace

void scene_panel(WindowState& state) {
  if (!begin_section(state, "Scene")) return;
  if (text_button(state, "Search everything",
                  "Ctrl-K. Scenes, garments, fabrics, papers, parameters, commands.", -1))
    state.offers.finder.open = state.offers.finder.focus = true;
  list_scenes(state);
  open_path(state);
  const ButtonRow row({"Save tuned scene", "Copy command"});
  const bool simulated = !state.session.playback();
  // The tooltip needs files and all parameters, so its text is made only when shown.
  const bool save = text_button(state, "Save tuned scene", "", row.width(), simulated);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    theme::tooltip(simulated ? "Ctrl-S. Writes the scene with all sliders, pins and this view to\n" +
                                   state.session.save_path()
                             : kPlaybackReason);
  if (save) state.session.save(state.camera.pose());
  row.next();
  const bool copy = text_button(state, "Copy command", "", row.width());
  if (ImGui::IsItemHovered())
    theme::tooltip("Copies the command that runs this without a window to the clipboard:\n" +
                   state.session.command_line(state.view));
  if (copy) copy_command_line(state);
  end_section();
}

}  // namespace weft
