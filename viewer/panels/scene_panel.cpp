// Scene panel: shipped scenes, own files, saving.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>

#include "sim/scene/text/scene_file.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/session/window_keys.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

struct Entry {
  std::string path, title, description;
};

/// Read once: titles do not change while the program runs. A scene that cannot be read is listed with its
/// fault.
const std::vector<Entry>& shipped() {
  static const std::vector<Entry> entries = [] {
    std::vector<Entry> list;
    try {
      for (const std::string& path : builtin_scenes()) {
        Entry entry{path, builtin_name(path), ""};
        try {
          const Scene scene = read_scene(path);
          entry.title = scene.title, entry.description = scene.description;
        } catch (const std::exception& e) {
          entry.description = e.what();
        }
        list.push_back(std::move(entry));
      }
    } catch (const std::exception&) {
      // Without assets the browser is empty; files can still be opened by path.
    }
    return list;
  }();
  return entries;
}

void open_path(WindowState& state) {
  static std::string path;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float button = ImGui::CalcTextSize("Open").x + 2 * style.FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - style.ItemSpacing.x);
  if (state.requests.focus_open) ImGui::SetKeyboardFocusHere(), state.requests.focus_open = false;
  const bool entered =
      ImGui::InputTextWithHint("##path", "file or scene", &path,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  note_item(state, "scene.path");
  theme::tooltip(
      "Opens a scene (.toml, or the name of one that ships with the program), a mesh as cloth (.obj), a "
      "sewing pattern (.json, .dxf), or a recorded run (.weftcache). A mesh may be followed by options, "
      "as on the command line: --obstacle body.obj, --cloth-scale 0.01, --obstacle-scale 0.01, --up z. Files "
      "can also be dropped on the window.");
  ImGui::SameLine();
  if (text_button(state, "Open", "", button, !path.empty()) || (entered && !path.empty()))
    state.session.open_line(path);
}

void list_scenes(WindowState& state) {
  const auto& entries = shipped();
  if (entries.empty()) return ImGui::TextDisabled("No scenes were found beside the program.");
  const float row = ImGui::GetTextLineHeightWithSpacing();
  const float height =
      row * float(std::clamp<size_t>(entries.size(), 2, 7)) + 2 * ImGui::GetStyle().WindowPadding.y;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme::header);
  ImGui::PushStyleColor(ImGuiCol_Header, theme::accent_dark);
  static std::string shown_path;
  const std::string& path = state.session.scene().path;
  if (ImGui::BeginChild("##scenes", ImVec2(0, height), true)) {
    for (const Entry& entry : entries) {
      const bool current = path == entry.path;
      const std::string title = elided(entry.title, ImGui::GetContentRegionAvail().x);
      if (ImGui::Selectable((title + "##" + entry.path).c_str(), current)) state.session.open({entry.path});
      note_item(state, "scene:" + builtin_name(entry.path));
      if (current && shown_path != path) ImGui::SetScrollHereY();
      theme::tooltip((title == entry.title ? "" : entry.title + "\n\n") +
                     (entry.description.empty() ? "" : entry.description + "\n\n") + entry.path);
    }
  }
  shown_path = path;
  ImGui::EndChild();
  ImGui::PopStyleColor(2);
}

}  // namespace

void scene_panel(WindowState& state) {
  if (!begin_section(state, "Scene")) return;
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
