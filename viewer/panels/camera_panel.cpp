// The camera's path: keys in simulated time that videos follow.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "sim/scene/camera_path.h"
#include "sim/scene/text/viewpoint_table.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/session/window_camera.h"
#include "viewer/theme/theme.h"

namespace weft {

namespace {

/// Views by name: a click goes there, the field and its button keep the present one.
void viewpoints(WindowState& state) {
  const std::vector<Viewpoint>& list = state.session.scene().of<ViewpointList>().list;
  for (const Viewpoint& v : list) {
    if (!text_button(state, v.name, "Shows this view. In videos: --viewpoint \"" + v.name + "\".", -1))
      continue;
    state.memory.camera.follow_path = false;
    state.camera.set_pose(v.pose);
  }
  std::string& name = state.memory.camera.name;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.6f);
  ImGui::InputTextWithHint("##viewpoint", "name", &name);
  note_item(state, "viewpoint.name");
  ImGui::SameLine();
  if (!text_button(state, "Keep view", "Keeps this view under that name; Ctrl-S writes it into the scene.",
                   -1, !name.empty()))
    return;
  state.session.keep_viewpoints(with_viewpoint(list, {name, state.camera.pose()}));
  name.clear();
}

}  // namespace

void camera_panel(WindowState& state) {
  if (!begin_section(state, "Camera", false)) return;
  const auto& keys = state.session.scene().camera_path;
  const double now = state.session.frame().time;
  ImGui::BeginDisabled(keys.empty());
  ImGui::Checkbox("Follow camera path", &state.memory.camera.follow_path);
  note_item(state, "camera.follow");
  ImGui::EndDisabled();
  theme::tooltip(
      "The camera follows its keys in simulated time, as in a video made without a window. Turning it by "
      "hand stops that.");
  const ButtonRow row({"Add key here", "Remove key"});
  if (text_button(state, "Add key here",
                  "Adds this view as a key of the camera path, at the time shown. Ctrl-S writes the path "
                  "into the scene.",
                  row.width()))
    add_camera_key(state);
  row.next();
  if (text_button(state, "Remove key", "Removes the key nearest to the time shown.", row.width(),
                  !keys.empty()))
    remove_camera_key(state);
  ImGui::PushTextWrapPos(0);
  if (keys.empty()) ImGui::TextDisabled("No camera path: pause at a view and add keys");
  else
    ImGui::TextDisabled(
        "%s", fmt::format("{} key{} from {:.2f} to {:.2f} s; now {:.2f} s, nearest key {:.2f} s", keys.size(),
                          keys.size() == 1 ? "" : "s", keys.front().time, keys.back().time, now,
                          keys[size_t(nearest_key(keys, now))].time)
                  .c_str());
  ImGui::PopTextWrapPos();
  viewpoints(state);
  end_section();
}

}  // namespace weft
