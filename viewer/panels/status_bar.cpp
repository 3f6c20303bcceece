// Status bar: one line about device, speed and size.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <functional>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/session/pace_words.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

struct Item {
  std::string text, tooltip;
  ImVec4 color = theme::dim_text;
  const char* name = nullptr;          // of the item, where it can be clicked
  std::function<void()> clicked = {};  // may be empty
};

/// Whether the shown state crosses; a click goes to the first one that did.
void add_verdict(WindowState& state, std::vector<Item>& list) {
  const Session& session = state.session;
  const std::string& promise =
      session.frame().remarks.empty() ? session.view().guarantee : session.frame().remarks.front();
  const VerdictWords words = verdict_words(state.memory.crossings, promise);
  if (words.text.empty()) return;
  Item item{words.text, words.tooltip, words.crosses ? theme::error : theme::good, "verdict"};
  if (const int step = state.memory.crossings.record()->first_step(); step >= 0)
    item.clicked = [&state, step] {
      Session& s = state.session;
      s.playback() ? s.go_to_frame(step) : s.show_step(step);
    };
  list.push_back(std::move(item));
}

std::vector<Item> items(WindowState& state) {
  Session& session = state.session;
  const SceneView& scene = session.view();
  const Frame& frame = session.frame();
  std::vector<Item> list;
  const bool playing = session.playing();
  if (state.recording.finishing())
    list.push_back({"Finishing video\u2026",
                    "The file is being completed in the background. Closing the window waits for it.",
                    theme::warning});
  if (const Playback* run = session.playback()) {
    list.push_back({playing ? "Recorded run" : "Recorded run, paused",
                    "Frames of a file, shown as they are. Space plays and pauses.",
                    playing ? theme::good : theme::warning});
    list.push_back({scene.device_name, run->path(), theme::text});
    list.push_back({fmt::format("{} frames, {:.2f} s", run->frame_count(), run->duration()),
                    "Frames in the file, and the simulated time they span."});
    list.push_back({fmt::format("{} vertices, {} triangles", with_commas(frame.vertex_count),
                                with_commas(long(scene.triangles.size()))),
                    "All cloths together."});
    add_verdict(state, list);
    return list;
  }
  const PaceWords pace = pace_words(pace_reading(session));
  list.push_back(
      {pace.text, pace.tooltip, pace.mood == PaceWords::Mood::good ? theme::good : theme::warning});
  if (const int body = session.bodies().selected(); body >= 0)
    list.push_back(
        {scene.scene.obstacles[size_t(body)].name + ": drag an arrow to move it, a ring to turn it",
         "It goes where it is put in the steps to come, no faster than the mouse pulls (Mouse, "
         "speed limit), on top of its own motion. Ctrl-Z takes it back; Esc leaves it.",
         theme::accent});
  if (const StepStats& stats = frame.stats; stats.let_through > 0)
    list.push_back(
        {fmt::format("{} {} without room", with_commas(stats.let_through),
                     stats.let_through == 1 ? "vertex" : "vertices"),
         fmt::format("{}: bodies pass through cloth there, which cannot be kept out of both. It is "
                     "hatched in orange (View, Exceptions).",
                     stats.let_through_place),
         theme::warning});
  add_verdict(state, list);
  if (const PaceWords left = unsolved_words(session.left_unsolved()); !left.text.empty())
    list.push_back({left.text, left.tooltip, theme::warning});
  list.push_back({scene.device_name,
                  scene.device_note.empty() ? "Device of the simulator." : scene.device_note, theme::text});
  list.push_back({fmt::format("{} vertices, {} triangles", with_commas(frame.vertex_count),
                              with_commas(long(scene.triangles.size()))),
                  "All cloths together."});
  const std::string why = state.renderer.why_not_shared();
  list.push_back(
      {state.renderer.vertex_path(),
       "Path of the vertices to the renderer. Drawn by " + state.renderer.renderer_name() + "." +
           (why.empty() ? ""
                        : "\n\nThe GPU cannot share them with OpenGL (" + why +
                              "), so they are copied through the host: the same picture, a little later."),
       why.empty() ? theme::dim_text : theme::warning});
  // The frame's is of the method that made it; the scene's may be of an earlier choice.
  const std::string& promise = frame.remarks.empty() ? scene.guarantee : frame.remarks.front();
  if (!promise.empty()) list.push_back({promise, "What the collision method promises."});
  return list;
}

}  // namespace

void status_bar(WindowState& state, const Rect& area) {
  begin_strip("##status", area, state.scale);
  const float y = (area.height - ImGui::GetFontSize()) / 2;
  const int unread = state.toasts.unread();
  const std::string messages = unread ? fmt::format("Messages ({})", unread) : "Messages";
  const float gap = 14 * state.scale;
  const float right =
      std::max(gap, area.width - ImGui::CalcTextSize((messages + "Help").c_str()).x - 3 * gap);
  ImGui::SetCursorPos(ImVec2(10 * state.scale, y));
  bool first = true;
  for (const Item& item : items(state)) {
    if (!first) {
      ImGui::SameLine(0, gap);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x - gap / 2, at.y + 2 * state.scale),
                                          ImVec2(at.x - gap / 2, at.y + ImGui::GetFontSize()),
                                          ImGui::GetColorU32(theme::line));
    }
    first = false;
    const float room = right - ImGui::GetCursorPosX();
    if (room < 2 * gap) break;
    // Text that does not fit ends in an ellipsis; its tooltip has all of it.
    const std::string text = elided(item.text, room);
    ImGui::TextColored(item.color, "%s", text.c_str());
    if (item.name) note_item(state, item.name);
    if (item.clicked && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (item.clicked && ImGui::IsItemClicked()) item.clicked();
    theme::tooltip(text == item.text ? item.tooltip : item.text + "\n\n" + item.tooltip);
  }
  bool& history_open = state.memory.messages_open;
  const auto link = [&](const std::string& text, const char* name, bool& on, ImVec4 color) {
    ImGui::SetCursorPosY(y);
    ImGui::TextColored(color, "%s", text.c_str());
    note_item(state, name);
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsItemClicked()) on = !on;
  };
  ImGui::SetCursorPos(ImVec2(right + gap, y));
  link(messages, "messages", history_open, unread ? theme::warning : theme::dim_text);
  ImGui::SameLine(0, gap);
  link("Help", "help", state.help_open, theme::dim_text);
  theme::tooltip("Keys and mouse (F1 or ?)");
  end_strip();
  state.toasts.draw_history(&history_open, state.scale);
}

}  // namespace weft
