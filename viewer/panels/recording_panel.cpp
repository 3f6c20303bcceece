// Videos and screenshots.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "viewer/panels/panels.h"
#include "viewer/panels/theme.h"
#include "viewer/panels/widgets.h"

namespace weft {
namespace {

void choose_what(WindowState& state) {
  RecordingChoices& choices = state.recording.choices;
  if (const int c = segmented(state, "mode", {{"Live", "What is on screen, at the speed at which it is seen."},
                                              {"Frame-exact", "The simulator waits for the video: every step counts, at the scene's own speed, however slow the machine."}},
                              choices.exact ? 1 : 0); c >= 0)
    choices.exact = c == 1;
  const int rates[] = {24, 25, 30, 50, 60};
  int current = 4;
  std::vector<std::string> names;
  for (int i = 0; i < 5; ++i) {
    names.push_back(fmt::format("{} pictures/s", rates[i]));
    if (rates[i] == choices.fps) current = i;
  }
  if (const int c = choice_list(state, "Rate", "recording.fps", names, current, {}, "Pictures per second of the video."); c >= 0) choices.fps = rates[c];
  ImGui::Checkbox("With panels", &choices.with_panels);
  note_item(state, "recording.with_panels");
  theme::tooltip("Records the whole window with its panels. Off: only the picture.");
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  ImGui::InputTextWithHint("##file", "weft-001.mp4, in the current folder", &choices.path);
  theme::tooltip("The file to write: .mp4, or a folder (\"frames/\") for a sequence of PNG files.");
}

}  // namespace

void recording_panel(WindowState& state) {
  if (!begin_section(state, "Recording", false)) return;
  ImGui::BeginDisabled(state.recording.active());
  choose_what(state);
  ImGui::EndDisabled();
  const float width = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  if (text_button(state, state.recording.active() ? "Stop" : "Record", "V. Starts or ends the video.", width)) state.requests.toggle_recording = true;
  ImGui::SameLine();
  if (text_button(state, "Screenshot", "P. Saves the picture as PNG in the current folder.", width)) state.requests.screenshot = true;
  if (text_button(state, "Export glTF", "E. Saves the state that is shown as glTF (.glb) in the current folder: every cloth and body, with normals.", width))
    state.session.export_shown(".glb");
  ImGui::SameLine();
  if (text_button(state, "Export OBJ", "Saves the state that is shown as OBJ in the current folder: every cloth and body.", width)) state.session.export_shown(".obj");
  const bool simulated = !state.session.playback();
  if (text_button(state, "Save hands", simulated ? "Writes everything that was done by hand, stamped with simulated time, for 'weft replay'." : kPlaybackReason, -1, simulated))
    state.session.save_hands();
  if (state.recording.active()) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("%s", fmt::format("{:.1f} s in {}", state.recording.seconds(), state.recording.path()).c_str());
    if (state.recording.dropped()) ImGui::TextDisabled("%s", fmt::format("{} pictures dropped: the encoder lags", state.recording.dropped()).c_str());
    ImGui::PopTextWrapPos();
  }
  end_section();
}

}  // namespace weft
