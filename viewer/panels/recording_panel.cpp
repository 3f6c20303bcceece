// Videos and screenshots.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

/// Texts in the video, and the camera's motion during it.
void burnt_in(WindowState& state) {
  RecordingChoices& choices = state.recording.choices;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  ImGui::InputTextWithHint("##caption", "Caption", &choices.caption);
  note_item(state, "recording.caption");
  theme::tooltip("Written into the lower left corner of the video.");
  ImGui::Checkbox("Show timings", &choices.show_timings);
  note_item(state, "recording.timings");
  theme::tooltip(
      "Written into the upper left corner of the video: simulated time, steps/s, ms per step, solver and "
      "vertices.");
  bool turns = choices.turntable > 0;
  if (ImGui::Checkbox("Turntable", &turns)) choices.turntable = turns ? 10 : 0;
  note_item(state, "recording.turntable");
  theme::tooltip("The camera turns about its target while recording.");
  if (!turns) return;
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  float period = float(choices.turntable);
  if (ImGui::SliderFloat("##period", &period, 2, 60, "%.0f s per turn", ImGuiSliderFlags_AlwaysClamp))
    choices.turntable = double(period);
  note_item(state, "recording.period");
}

/// Size and samples of what is written without panels.
void choose_size(WindowState& state) {
  RecordingChoices& choices = state.recording.choices;
  std::vector<ivec2> sizes = {ivec2(0),     {1280, 720},  {1920, 1080}, {2560, 1440},
                              {3840, 2160}, {1080, 1080}, {1080, 1920}};
  size_t current = size_t(std::find(sizes.begin(), sizes.end(), choices.size) - sizes.begin());
  if (current == sizes.size()) sizes.push_back(choices.size);
  std::vector<std::string> names;
  for (const ivec2& size : sizes)
    names.push_back(size.x > 0 ? fmt::format("{} x {}", size.x, size.y) : "as on screen");
  if (const int c = choice_list(state, "Size", "recording.size", names, int(current), {},
                                "Pixels of videos and screenshots, whatever the window's size.");
      c >= 0)
    choices.size = sizes[size_t(c)];
  const std::vector<int> samples = {1, 2, 4};
  const size_t chosen = size_t(std::find(samples.begin(), samples.end(), choices.samples) - samples.begin());
  if (const int c = choice_list(state, "Supersampling", "recording.samples", {"none", "2 x 2", "4 x 4"},
                                int(chosen), {},
                                "Draws larger and averages: smooth edges, also in low quality, for 4 and 16 "
                                "times the drawing.");
      c >= 0)
    choices.samples = samples[size_t(c)];
  ImGui::Checkbox("Transparent", &choices.transparent);
  note_item(state, "recording.transparent");
  theme::tooltip(
      "Cloth and bodies alone, with an alpha channel: screenshots, and videos as .mov (ProRes 4444), .webm "
      "(VP9) or a folder of PNG files.");
}

void choose_what(WindowState& state) {
  RecordingChoices& choices = state.recording.choices;
  if (const int c = segmented(state, "mode",
                              {{"Live", "Records the screen as shown, at its speed."},
                               {"Frame-exact",
                                "The simulator waits for the encoder: the video has the scene's own speed, "
                                "however slow the machine."}},
                              choices.exact ? 1 : 0);
      c >= 0)
    choices.exact = c == 1;
  std::vector<double> rates = {24, 25, 30, 50, 60};
  size_t current = size_t(std::find(rates.begin(), rates.end(), choices.fps) - rates.begin());
  if (current == rates.size()) rates.push_back(choices.fps);  // as given on the command line
  std::vector<std::string> names;
  for (const double rate : rates) names.push_back(fmt::format("{:g} pictures/s", rate));
  if (const int c = choice_list(state, "Rate", "recording.fps", names, int(current), {},
                                "Frames per second of the video. Default when frame-exact: the nearest rate "
                                "at which all frames last equally many steps.");
      c >= 0)
    choices.fps = rates[size_t(c)], choices.fps_chosen = true;
  ImGui::Checkbox("With panels", &choices.with_panels);
  note_item(state, "recording.with_panels");
  theme::tooltip("Records the whole window with its panels. Off: only the picture.");
  if (!choices.with_panels) choose_size(state);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  ImGui::InputTextWithHint(
      "##file",
      state.recording.alpha() ? "weft-001.mov, in the current folder" : "weft-001.mp4, in the current folder",
      &choices.path);
  note_item(state, "recording.path");
  theme::tooltip(
      "The file to write: .mp4, .mov, .webm, .gif (up to 800 pixels wide, 25 pictures/s), or a folder "
      "(\"frames/\") for a sequence of PNG files. "
      "Existing files are kept: take.mp4, then take-002.mp4, take-003.mp4, ...");
  burnt_in(state);
}

}  // namespace

void recording_panel(WindowState& state) {
  if (!begin_section(state, "Recording", false)) return;
  ImGui::BeginDisabled(state.recording.active());
  choose_what(state);
  ImGui::EndDisabled();
  const ButtonRow row({"Record", "Screenshot"}), exports({"Export glTF", "Export OBJ"});
  if (text_button(state, state.recording.active() ? "Stop" : "Record", "V. Starts or ends the video.",
                  row.width()))
    state.requests.toggle_recording = true;
  row.next();
  if (text_button(state, "Screenshot", "P. Saves the picture as PNG in the current folder.", row.width()))
    state.requests.screenshot = true;
  if (text_button(state, "Export glTF",
                  "E. Saves the state that is shown as glTF (.glb) in the current folder: every cloth and "
                  "body, with normals.",
                  exports.width()))
    state.session.export_shown(".glb");
  exports.next();
  if (text_button(state, "Export OBJ",
                  "Saves the state that is shown as OBJ in the current folder: every cloth and body.",
                  exports.width()))
    state.session.export_shown(".obj");
  const bool simulated = !state.session.playback();
  if (text_button(
          state, "Save hands",
          simulated ? "Saves all user input with its simulated time, for 'weft replay'." : kPlaybackReason,
          -1, simulated))
    state.session.save_hands();
  if (state.recording.active()) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled(
        "%s", fmt::format("{:.1f} s in {}", state.recording.seconds(), state.recording.path()).c_str());
    if (state.recording.dropped())
      ImGui::TextDisabled(
          "%s", fmt::format("{} pictures dropped: the encoder lags", state.recording.dropped()).c_str());
    ImGui::PopTextWrapPos();
  }
  end_section();
}

}  // namespace weft
