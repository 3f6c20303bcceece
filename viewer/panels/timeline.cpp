// The timeline of a recorded run: below the picture, between the columns.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

constexpr double kSpeeds[] = {0.1, 0.25, 0.5, 1, 2, 4};

std::string speed_text(double speed) { return fmt::format("{:g}\u00d7", speed); }

void buttons(WindowState& state, const Playback& run, float size, float gap) {
  using theme::Icon;
  Session& session = state.session;
  if (theme::icon_button("timeline.play", run.playing() ? Icon::pause : Icon::play, size,
                         run.playing() ? "Pause (Space)" : "Play (Space)", run.playing()))
    session.toggle_play();
  note_item(state, "timeline.play");
  ImGui::SameLine(0, gap);
  if (theme::icon_button("timeline.step", Icon::step, size,
                         "Next frame (. or right arrow); , and left arrow go back"))
    session.step_once();
  note_item(state, "timeline.step");
  ImGui::SameLine(0, gap);
  if (theme::icon_button("timeline.home", Icon::reset, size, "First frame (Home)")) session.go_to_frame(0);
  note_item(state, "timeline.home");
}

void loop_button(WindowState& state, Playback& run, float size) {
  const bool on = run.looping();
  if (on)
    ImGui::PushStyleColor(ImGuiCol_Button, theme::accent_dark),
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, theme::accent_dark);
  if (ImGui::Button("Loop", ImVec2(0, size))) run.set_looping(!on);
  if (on) ImGui::PopStyleColor(2);
  note_item(state, "timeline.loop");
  theme::tooltip(on ? "Loops. Click to stop at the end." : "Stops at the end. Click to loop.");
}

void speed_list(WindowState& state, Playback& run, float width) {
  ImGui::SetNextItemWidth(width);
  const bool open =
      ImGui::BeginCombo("##speed", speed_text(run.speed()).c_str(), ImGuiComboFlags_NoArrowButton);
  note_item(state, "timeline.speed");
  if (!open)
    return theme::tooltip("Simulated seconds per second. Frames are skipped or repeated, never blended.");
  for (const double speed : kSpeeds) {
    if (ImGui::Selectable(speed_text(speed).c_str(), speed == run.speed())) run.set_speed(speed);
    note_item(state, fmt::format("timeline.speed={:g}", speed));
  }
  ImGui::EndCombo();
}

/// The bar: press or drag to go to a frame. While it is held, playing waits.
void bar(WindowState& state, const Playback& run, float width, float height) {
  bool& went_on = state.memory.timeline.played;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("##bar", ImVec2(width, height));
  note_item(state, "timeline");
  const int last = std::max(1, run.frame_count() - 1);
  const float margin = 6 * state.scale, room = std::max(1.0f, width - 2 * margin);
  if (ImGui::IsItemActivated()) {
    went_on = run.playing();
    state.session.pause();
  }
  if (ImGui::IsItemActive()) {
    const float share = std::clamp((ImGui::GetIO().MousePos.x - at.x - margin) / room, 0.0f, 1.0f);
    state.session.go_to_frame(int(std::lround(double(share) * last)));
  }
  if (ImGui::IsItemDeactivated() && went_on) state.session.play();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = at.y + height / 2, r = 2 * state.scale,
              x = at.x + margin + room * float(run.current()) / float(last);
  list->AddRectFilled(ImVec2(at.x + margin, y - r), ImVec2(at.x + margin + room, y + r),
                      ImGui::GetColorU32(theme::field), r);
  list->AddRectFilled(ImVec2(at.x + margin, y - r), ImVec2(x, y + r), ImGui::GetColorU32(theme::accent), r);
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  list->AddCircleFilled(ImVec2(x, y), (hot ? 7 : 6) * state.scale, ImGui::GetColorU32(theme::text), 24);
}

/// The widest words, so that the bar does not move.
std::string widest_words(const Playback& run) {
  const int last = run.frame_count() - 1;
  return fmt::format("{} / {}   {:.3f} s", last, last, run.time(last));
}

/// Width of the controls right of the bar, in pixels.
float right_of_bar(const Playback& run, float gap) {
  const float padding = 4 * ImGui::GetStyle().FramePadding.x;
  return ImGui::CalcTextSize((widest_words(run) + "Loop" + "0.25\u00d7").c_str()).x + padding + 3.5f * gap;
}

/// True if everything fits in one line with a usable bar.
bool in_one_line(const WindowState& state, const Playback& run, float width) {
  const float gap = 6 * state.scale;
  return width >=
         3 * (ImGui::GetFrameHeight() + gap) + 80 * state.scale + right_of_bar(run, gap) + 20 * state.scale;
}

}  // namespace

float timeline_height(const WindowState& state, float width) {
  const Playback* run = state.session.playback();
  return run ? std::round((in_one_line(state, *run, width) ? 40 : 72) * state.scale)
             : history_bar_height(state);
}

void timeline(WindowState& state, const Rect& area) {
  Playback* run = state.session.playback();
  if (area.height <= 0) return;
  if (!run) return history_bar(state, area);
  begin_strip("##timeline", area, state.scale);
  const float size = ImGui::GetFrameHeight(), gap = 6 * state.scale;
  const bool one_line = in_one_line(state, *run, area.width);
  ImGui::SetCursorPosY(((one_line ? area.height : area.height / 2) - size) / 2);
  buttons(state, *run, size, gap);
  const std::string words =
      fmt::format("{} / {}   {:.3f} s", run->current(), run->frame_count() - 1, run->time(run->current()));
  const float words_width = ImGui::CalcTextSize(widest_words(*run).c_str()).x;
  const float speed_width = ImGui::CalcTextSize("0.25\u00d7").x + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine(0, gap);
  bar(state, *run,
      std::max(20 * state.scale, ImGui::GetContentRegionAvail().x - (one_line ? right_of_bar(*run, gap) : 0)),
      size);
  if (one_line) ImGui::SameLine(0, gap);
  else ImGui::SetCursorPosY(area.height / 2 + (area.height / 2 - size) / 2);
  const float words_x = ImGui::GetCursorPosX();
  ImGui::TextUnformatted(elided(words, std::max(20.0f, ImGui::GetContentRegionAvail().x - speed_width -
                                                           ImGui::CalcTextSize("Loop").x - 5 * gap))
                             .c_str());
  note_item(state, "timeline.words");
  theme::tooltip(words + "\n\nFrame (counted from 0) and simulated time.");
  if (one_line) ImGui::SameLine(words_x + words_width + gap);
  else ImGui::SameLine(0, gap);
  loop_button(state, *run, size);
  ImGui::SameLine(0, gap);
  speed_list(state, *run, speed_width);
  end_strip();
}

void disabled_in_playback(WindowState& state, const std::function<void()>& panels) {
  if (!state.session.playback()) return panels();
  ImGui::PushTextWrapPos(0);
  ImGui::TextColored(theme::warning, "%s", kPlaybackReason);
  ImGui::PopTextWrapPos();
  note_item(state, "playback.reason");
  ImGui::BeginDisabled();
  panels();
  ImGui::EndDisabled();
}

}  // namespace weft
