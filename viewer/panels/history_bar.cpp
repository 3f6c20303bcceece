// The timeline of the run that is simulated: back and forth among its kept states, and files of a stretch.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/record/recorder.h"
#include "viewer/session/stretch_film.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

constexpr float kMostMegabytes = 65536;

/// What the timeline is drawn from.
struct Line {
  const RunTimeline& run;
  int first = 0, last = 1;  // steps
  float x = 0, width = 1;   // pixels
  float at(int step) const { return x + width * float(step - first) / float(std::max(1, last - first)); }
  /// The kept step nearest to this place.
  int step_at(float px) const {
    const float wanted = float(first) + (px - x) / width * float(last - first);
    int best = first;
    for (const RunTimeline::Moment& m : run.kept)
      if (std::abs(float(m.step) - wanted) < std::abs(float(best) - wanted)) best = m.step;
    return best;
  }
};

void draw_line(WindowState& state, const Line& line, float y, bool hot) {
  const auto& memory = state.memory.timeline;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float r = 2 * state.scale;
  const int from = memory.from < 0 ? line.first : memory.from, to = memory.to < 0 ? line.last : memory.to;
  list->AddRectFilled({line.x, y - r}, {line.x + line.width, y + r}, ImGui::GetColorU32(theme::field), r);
  if (memory.from >= 0 || memory.to >= 0)
    list->AddRectFilled({line.at(std::max(from, line.first)), y - 3 * r},
                        {line.at(std::min(to, line.last)), y + 3 * r}, ImGui::GetColorU32(theme::field_hot),
                        r);
  const float here = line.at(line.run.step());
  list->AddRectFilled({line.x, y - r}, {here, y + r}, ImGui::GetColorU32(theme::accent), r);
  // Where steps are missing each kept one has a mark.
  for (size_t i = 1; i < line.run.kept.size(); ++i) {
    const int step = line.run.kept[i].step;
    if (step - line.run.kept[i - 1].step > 1)
      list->AddLine({line.at(step), y + 2 * r}, {line.at(step), y + 4 * r},
                    ImGui::GetColorU32(theme::dim_text));
  }
  list->AddCircleFilled({here, y}, (hot ? 7 : 6) * state.scale, ImGui::GetColorU32(theme::text), 24);
}

/// Press or drag to show a kept state. The run stays paused there: going on would drop what comes after.
void bar(WindowState& state, const RunTimeline& run, float width, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("##historybar", ImVec2(std::max(1.0f, width), height));
  note_item(state, "history");
  const float margin = 8 * state.scale;
  const Line line{run, run.kept.front().step, run.kept.back().step, at.x + margin,
                  std::max(1.0f, width - 2 * margin)};
  if (ImGui::IsItemActive()) {
    const int wanted = line.step_at(ImGui::GetIO().MousePos.x);
    if (wanted != run.step() || state.session.playing()) state.session.show_step(wanted);
  }
  draw_line(state, line, at.y + height / 2, ImGui::IsItemHovered() || ImGui::IsItemActive());
  theme::tooltip(
      "The kept states of this run: drag to go back and forth (also , and .). What comes after the shown "
      "state "
      "stays until the run goes on from it. Small marks: steps between them were dropped to save memory.");
}

void film(WindowState& state, const std::vector<int>& steps) {
  auto& memory = state.memory.timeline;
  if (steps.empty() || memory.film || state.recording.active())
    return state.toasts.add(LogLevel::notice, "Nothing was recorded: a video is being made already");
  memory.film = std::make_shared<StretchFilm>(state, steps);
}

void write(WindowState& state, const std::vector<int>& steps, const std::string& ending) {
  auto& memory = state.memory.timeline;
  if (memory.writing) return state.toasts.add(LogLevel::notice, "The export before is still being written");
  std::string path = next_free_path(std::filesystem::current_path().string(), "weft", ending);
  if (ending.empty()) path += "/";  // a folder of OBJ files
  memory.writing = std::make_shared<StretchExport>(state.session.runner(), steps, path);
}

void stretch_menu(WindowState& state, const RunTimeline& run) {
  auto& memory = state.memory.timeline;
  const std::vector<int> steps = steps_of_stretch(run, memory.from, memory.to);
  ImGui::TextUnformatted("Export this stretch");
  if (text_button(state, "Begin here", "The stretch begins with the state that is shown.")) {
    memory.from = run.step();
    if (memory.to >= 0 && memory.to < memory.from) memory.to = -1;
  }
  ImGui::SameLine();
  if (text_button(state, "End here", "The stretch ends with the state that is shown.")) {
    memory.to = run.step();
    if (memory.from > memory.to) memory.from = -1;
  }
  ImGui::SameLine();
  if (text_button(state, "Whole run", "Everything that is kept.")) memory.from = memory.to = -1;
  if (steps.empty()) return ImGui::TextDisabled("No state of it is kept any more");
  const bool missing = steps.back() - steps.front() + 1 != int(steps.size());
  ImGui::TextDisabled("%s",
                      fmt::format("Steps {} to {}: {} states{}", steps.front(), steps.back(), steps.size(),
                                  missing ? " (some steps were dropped to save memory)" : "")
                          .c_str());
  const std::pair<const char*, const char*> kinds[] = {
      {"USD", ".usda"}, {"Cache", ".weftcache"}, {"PC2", ".pc2"}, {"OBJ", ""}, {"glTF (last)", ".glb"}};
  for (const auto& [name, ending] : kinds) {
    if (text_button(state, name, fmt::format("Writes weft-001{} in the current folder.", ending)))
      write(state, steps, ending), ImGui::CloseCurrentPopup();
    ImGui::SameLine();
  }
  if (text_button(state, "Video", "Records every state of the stretch, as the Recording panel is set."))
    film(state, steps), ImGui::CloseCurrentPopup();
}

void memory_menu(WindowState& state, const RunTimeline& run) {
  ImGui::Separator();
  ImGui::TextUnformatted("Memory for the history");
  float megabytes = state.settings.number("history.megabytes", kHistoryMegabytes);
  ImGui::SetNextItemWidth(160 * state.scale);
  const bool changed =
      ImGui::InputFloat("MB", &megabytes, 256, 1024, "%.0f", ImGuiInputTextFlags_EnterReturnsTrue);
  note_item(state, "history.megabytes");
  if (changed) {
    megabytes = std::clamp(megabytes, 0.0f, kMostMegabytes);
    state.settings.set("history.megabytes", megabytes);
    state.session.runner().set_history_budget(size_t(megabytes) * 1000000);
  }
  ImGui::TextDisabled(
      "Once it is full every step of the newer half stays,\nand fewer of the older. 0: none.");
  if (!run.why.empty()) ImGui::TextColored(theme::warning, "%s", run.why.c_str());
}

std::string words_of(const WindowState& state, const RunTimeline& run) {
  if (const auto& w = state.memory.timeline.writing)
    return fmt::format("Exporting {:.0f} %", 100 * w->share());
  if (run.kept.empty()) return run.why;
  if (run.shown < 0) return fmt::format("step {}", run.step());
  return fmt::format("step {} of {}: Space goes on from here", run.step(), run.kept.back().step);
}

/// Reports an export that is done.
void watch_writing(WindowState& state) {
  auto& writing = state.memory.timeline.writing;
  if (!writing || !writing->done()) return;
  state.toasts.add(writing->failed() ? LogLevel::error : LogLevel::notice, writing->words());
  writing.reset();
}

}  // namespace

float history_bar_height(const WindowState& state) { return std::round(34 * state.scale); }

void history_bar(WindowState& state, const Rect& area) {
  watch_writing(state);
  const auto run = state.session.timeline();
  begin_strip("##history", area, state.scale);
  const float size = ImGui::GetFrameHeight(), gap = 6 * state.scale;
  ImGui::SetCursorPosY((area.height - size) / 2);
  if (ImGui::ArrowButton("##back", ImGuiDir_Left)) state.session.step_back();
  note_item(state, "history.back");
  theme::tooltip("One step back (, or left arrow)");
  ImGui::SameLine(0, gap);
  if (ImGui::ArrowButton("##on", ImGuiDir_Right)) state.session.step_once();
  note_item(state, "history.on");
  theme::tooltip(
      "One step (. or right arrow): the kept one, or a new one where there is none or something was changed");
  const float padding = 2 * ImGui::GetStyle().FramePadding.x;
  const float whole = ImGui::CalcTextSize("88888 of 88888 MB").x + padding;
  const float room = area.width - 20 * state.scale - 2 * size - 4 * gap, most = 250 * state.scale;
  // Where the bar would have no room the words go, and the button's.
  const bool narrow = room - whole - std::min(area.width * 0.35f, most) < 40 * state.scale;
  const std::string memory =
      narrow ? "\u2026"
             : fmt::format("{:.0f} of {:.0f} MB", double(run->bytes) * 1e-6, double(run->budget) * 1e-6);
  const float memory_width = narrow ? size : whole;
  const float words_room = narrow ? 0.0f : std::min(area.width * 0.35f, most);
  const float bar_width = room - memory_width - words_room;
  ImGui::SameLine(0, gap);
  if (!run->kept.empty()) bar(state, *run, bar_width, size);
  else ImGui::Dummy(ImVec2(std::max(1.0f, bar_width), size));
  ImGui::SameLine(0, gap);
  const float x = ImGui::GetCursorPosX();
  const std::string words = words_of(state, *run);
  if (!narrow) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(run->shown < 0 && !run->kept.empty() ? theme::dim_text : theme::warning, "%s",
                       elided(words, words_room).c_str());
    note_item(state, "history.words");
    theme::tooltip(words + (run->why.empty() ? "" : "\n\n" + run->why));
    ImGui::SameLine(x + words_room + gap);
  }
  if (ImGui::Button((memory + "##memory").c_str(), ImVec2(memory_width, 0)))
    ImGui::OpenPopup("##historymenu");
  note_item(state, "history.menu");
  theme::tooltip((narrow ? words + "\n\n" : "") +
                 "Memory of the kept states. Export a stretch of them; give them more or less memory.");
  if (ImGui::BeginPopup("##historymenu")) {
    stretch_menu(state, *run);
    memory_menu(state, *run);
    ImGui::EndPopup();
  }
  end_strip();
}

}  // namespace weft
