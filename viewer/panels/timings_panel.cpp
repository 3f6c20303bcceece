// Timings panel: cost of every stage of a step.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/session/stage_history.h"
#include "viewer/session/window_trace.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

std::string milliseconds(double ms) {
  return ms >= 100  ? fmt::format("{:.0f}", ms)
         : ms >= 10 ? fmt::format("{:.1f}", ms)
                    : fmt::format("{:.2f}", ms);
}

void right_aligned(const std::string& text, bool dim = false) {
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, ImGui::GetContentRegionAvail().x - width));
  dim ? ImGui::TextDisabled("%s", text.c_str()) : ImGui::TextUnformatted(text.c_str());
}

std::string solver_residual_text(const StepStats& stats) {
  const double percent = 100 * double(stats.solver_residual);
  const std::string text = percent >= 10    ? fmt::format("{:.0f} %", percent)
                           : percent >= 0.1 ? fmt::format("{:.1f} %", percent)
                           : percent > 0    ? "< 0.1 %"
                                            : "0 %";
  return stats.turns_without_momentum > 0 ? text + ", slowed down" : text;
}

void rates(WindowState& state) {
  const Frame& frame = state.session.frame();
  const bool playing = state.session.playing();
  const auto row = [&](const char* id, const char* name, const std::string& value, const char* tip,
                       bool amber = false) {
    plot_tick(state, id);
    ImGui::TextDisabled("%s", name);
    theme::tooltip(tip);
    ImGui::SameLine(ImGui::GetCursorStartPos().x + ImGui::GetContentRegionAvail().x -
                    ImGui::CalcTextSize(value.c_str()).x);
    ImGui::TextColored(amber ? theme::warning : theme::text, "%s", value.c_str());
  };
  row("rate.steps", "Steps per second", playing ? fmt::format("{:.1f}", frame.steps_per_second) : "paused",
      "Finished time steps per second of wall clock.");
  row("rate.real_time", "Real-time factor",
      playing ? fmt::format("{:.2f}\u00d7", frame.real_time_factor) : "paused",
      "Simulated time per wall-clock time; 1 is real time.");
  row("stats.solver_residual", "Solver residual", solver_residual_text(frame.stats),
      "Solver residual of the last step: the mean error of its displacements, as the solver estimates it, "
      "divided by what gravity "
      "moves in one step. At several percent large motions lag and resting cloth creeps: use more iterations "
      "or shorter time "
      "steps. Slowed down: the residual grew, and descent continued without momentum. Amber: a budget ended "
      "the step before it was solved.",
      frame.stats.budget_iterations > 0);
  row("rate.launches", "Kernel launches", fmt::format("{}", frame.launches),
      "In the last step; on a GPU in the last measured step (one in 30).");
}

/// What the error of steps, or their time, is due to, and a button with the one change that helps. The rows
/// are there when there is nothing to say, too: what is below must not move under the mouse.
void reason_line(WindowState& state) {
  ReasonWatch& watch = state.memory.timings.reasons;
  const float width = ImGui::GetContentRegionAvail().x;
  if (watch.list().empty()) {
    ImGui::TextDisabled("%s", watch.known() ? "Steps are solved, and in time" : "");
    note_item(state, "reason");
    return ImGui::Dummy(ImVec2(width, ImGui::GetFrameHeight()));
  }
  const StepReason& reason = watch.list().front();
  const std::string text = elided(reason.words, width);
  ImGui::TextColored(theme::warning, "%s", text.c_str());
  note_item(state, "reason");
  std::string tip = (text == reason.words ? "" : reason.words + "\n\n") + reason.tooltip;
  for (size_t i = 1; i < watch.list().size(); ++i) tip += "\n\nAlso: " + watch.list()[i].words + ".";
  theme::tooltip(tip);
  if (!reason.has_change()) return ImGui::Dummy(ImVec2(width, ImGui::GetFrameHeight()));
  std::string does = reason.coarser != 1 ? "Builds the scene again, from its start." : "Sets";
  for (const auto& [key, value] : reason.change) does += " " + key + " = " + value;
  if (reason.restart && reason.coarser == 1) does += ", and begins anew";
  if (text_button(state, reason.button, does + (reason.coarser == 1 ? ". Ctrl-Z takes it back." : ""), -1))
    watch.apply(state.session, reason);
}

/// Stacked areas, oldest left, with the stage under the cursor named.
void history_plot(WindowState& state, float height) {
  const auto& steps = state.memory.timings.stages.steps();
  const ImVec2 at = ImGui::GetCursorScreenPos(), size(ImGui::GetContentRegionAvail().x, height);
  ImGui::InvisibleButton("##history", size);
  note_item(state, "timings.plot");
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), ImGui::GetColorU32(theme::header),
                      4 * state.scale);
  if (steps.size() < 2) {
    list->AddText(ImVec2(at.x + 8 * state.scale, at.y + size.y / 2 - ImGui::GetFontSize() / 2),
                  ImGui::GetColorU32(theme::dim_text), "No steps yet");
    return;
  }
  std::vector<float> totals;
  for (const auto& step : steps) totals.push_back(std::accumulate(step.begin(), step.end(), 0.0f));
  // One outlier should not flatten the rest: the axis follows the 98th percentile, and higher bars are cut.
  std::vector<float> sorted = totals;
  std::nth_element(sorted.begin(), sorted.begin() + long(sorted.size() * 98 / 100), sorted.end());
  const double top = nice_ceiling(sorted[sorted.size() * 98 / 100] * 1.1);
  const float bar = size.x / 240.0f, x0 = at.x + size.x - bar * float(steps.size());
  list->PushClipRect(at, ImVec2(at.x + size.x, at.y + size.y), true);
  for (size_t i = 0; i < steps.size(); ++i) {
    float y = at.y + size.y;
    for (size_t s = 0; s < steps[i].size(); ++s) {
      const float h = float(steps[i][s] / top) * size.y;
      if (h > 0)
        list->AddRectFilled(ImVec2(x0 + bar * float(i), y - h), ImVec2(x0 + bar * float(i + 1), y),
                            theme::series_color(int(s)));
      y -= h;
    }
  }
  list->PopClipRect();
  const std::string label = fmt::format("{} ms", shown_number(top));
  const ImVec2 text_size = ImGui::CalcTextSize(label.c_str());
  list->AddRectFilled(ImVec2(at.x + 3 * state.scale, at.y + 2 * state.scale),
                      ImVec2(at.x + text_size.x + 9 * state.scale, at.y + text_size.y + 4 * state.scale),
                      ImGui::GetColorU32(theme::plate), 3);
  list->AddText(ImVec2(at.x + 6 * state.scale, at.y + 3 * state.scale), ImGui::GetColorU32(theme::plate_text),
                label.c_str());
  if (ImGui::IsItemHovered()) {
    const int i = std::clamp(int((ImGui::GetIO().MousePos.x - x0) / bar), 0, int(steps.size()) - 1);
    std::string words =
        fmt::format("{} steps ago: {} ms", int(steps.size()) - 1 - i, milliseconds(totals[size_t(i)]));
    for (size_t s = 0; s < steps[size_t(i)].size(); ++s)
      words += fmt::format("\n{}: {} ms", pretty_name(state.memory.timings.stages.names()[s]),
                           milliseconds(steps[size_t(i)][s]));
    theme::tooltip(words);
  }
}

/// Stages below the first level are folded by default: a solver has dozens.
/// The list contains stages of the start too, which do not count. A stage that once took some microseconds
/// stays in the table, since rows that come and go would move the ones below them.
bool costs_something(WindowState& state, const StageTime& stage) {
  std::set<std::string>& costly = state.memory.timings.costly;
  if (stage.worst >= 0.005) costly.insert(stage.path);
  return stage.depth == 0 || costly.count(stage.path) > 0;
}

void stage_name(WindowState& state, const StageTime& stage, bool foldable) {
  const float square = 9 * state.scale,
              middle = ImGui::GetCursorScreenPos().y + ImGui::GetTextLineHeight() / 2;
  const float x = ImGui::GetCursorScreenPos().x, row = ImGui::GetCursorPosX();
  if (foldable) {
    if (ImGui::Selectable(("##" + stage.path).c_str(), false,
                          ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap)) {
      if (!state.memory.timings.unfolded.erase(stage.path)) state.memory.timings.unfolded.insert(stage.path);
    }
    note_item(state, "stage." + stage.path);
    ImGui::SameLine(0, 0);
  }
  const int series = state.memory.timings.stages.series_of(stage.path);
  if (series >= 0 && stage.depth == 1)
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x, middle - square / 2),
                                              ImVec2(x + square, middle + square / 2),
                                              theme::series_color(series), 2 * state.scale);
  float indent = stage.depth == 0 ? 0 : square + 5 * state.scale + float(stage.depth - 1) * 10 * state.scale;
  if (stage.depth > 0) {
    if (foldable)
      fold_arrow(ImVec2(x + indent + 4 * state.scale, middle), 3.5f * state.scale,
                 state.memory.timings.unfolded.count(stage.path));
    indent += 12 * state.scale;
  }
  ImGui::SetCursorPosX(row + indent);
  plot_tick(state, "stage." + stage.path);
  const std::string name = elided(pretty_name(stage.name), ImGui::GetContentRegionAvail().x);
  stage.depth > 1 ? ImGui::TextDisabled("%s", name.c_str()) : ImGui::TextUnformatted(name.c_str());
  theme::tooltip(fmt::format("{}\n{} ms in the last step, in {} call{}", stage.path, milliseconds(stage.now),
                             stage.launches, stage.launches == 1 ? "" : "s"));
}

void stage_row(WindowState& state, const StageTime& stage, double whole, bool foldable) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  stage_name(state, stage, foldable);
  ImGui::TableNextColumn(), right_aligned(milliseconds(stage.mean));
  ImGui::TableNextColumn(), right_aligned(milliseconds(stage.worst), true);
  ImGui::TableNextColumn(), right_aligned(whole > 0 ? fmt::format("{:.0f}%", 100 * stage.mean / whole) : "");
}

void stage_rows(WindowState& state, const std::vector<StageTime>& stages) {
  int shown_depth = 1;  // deeper ones are inside of a folded stage
  for (size_t i = 0; i < stages.size(); ++i) {
    const StageTime& stage = stages[i];
    if (stage.depth > shown_depth || !costs_something(state, stage)) continue;
    bool foldable = false;
    for (size_t k = i + 1; stage.depth > 0 && k < stages.size() && stages[k].depth > stage.depth && !foldable;
         ++k)
      foldable = costs_something(state, stages[k]);
    stage_row(state, stage, stages[0].mean, foldable);
    shown_depth =
        std::max(1, stage.depth) + (foldable && state.memory.timings.unfolded.count(stage.path) ? 1 : 0);
  }
}

void stage_table(WindowState& state) {
  const auto& stages = state.session.frame().stages;
  if (stages.empty() || stages[0].mean <= 0) return;
  constexpr ImGuiTableFlags flags =
      ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoPadOuterX;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(4 * state.scale, 1.5f * state.scale));
  if (ImGui::BeginTable("##stages", 4, flags)) {
    const float number = ImGui::CalcTextSize("88888").x + state.scale;
    ImGui::TableSetupColumn("Stage", ImGuiTableColumnFlags_WidthStretch);
    for (const char* name : {"mean", "worst", "share"}) ImGui::TableSetupColumn(name, 0, number);
    ImGui::TableNextRow();
    ImGui::TableNextColumn(), ImGui::TextDisabled("Stage (ms)");
    for (const char* name : {"mean", "worst", "share"}) ImGui::TableNextColumn(), right_aligned(name, true);
    stage_rows(state, stages);
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

/// Above the table: that grows a row when a stage first costs something, and a button must not move under the
/// mouse.
void trace_button(WindowState& state) {
  const char* tip =
      "Writes the time of every stage, picture and encoded frame to weft-trace-001.json in the current "
      "folder, for ui.perfetto.dev or "
      "chrome://tracing. On a GPU the stages are those of one step in 30.";
  if (text_button(state, state.memory.timings.trace ? "End trace" : "Record trace", tip, -1))
    toggle_trace(state);
}

}  // namespace

void record_timings(WindowState& state) {
  const Frame& frame = state.session.frame();
  auto& timings = state.memory.timings;
  if (frame.model_id != timings.last_model) timings.stages.clear(), timings.costly.clear();
  timings.last_model = frame.model_id;
  if (frame.step != timings.last_step && frame.step > 0) timings.stages.add(frame.stages);
  timings.last_step = frame.step;
  timings.contact.add(frame);
  if (state.session.playback()) return;
  timings.reasons.look(state.session, state.memory.crossings);
  ComparedLanes& lanes = state.session.lanes();
  const auto timeline = state.session.timeline();
  if (timings.curves.vertices() != timings.watched)
    state.session.runner().watch(timings.watched = timings.curves.vertices());
  const int solver = state.session.scene().step.solver;
  for (const FrameNumbers& n : state.session.runner().take_numbers(frame.id))
    timings.curves.add(n, *timeline, fmt::format("{} {}", solver, n.collision),
                       n.id == frame.id ? more_of(lanes, 0) : Curves::More());
  timings.of_lanes.add(lanes, timings.curves);
}

void timings_panel(WindowState& state) {
  watch_trace(state);
  if (!begin_section(state, "Timings")) return;
  if (state.session.playback()) {
    ImGui::TextDisabled("A recorded run makes no steps.");
    return end_section();
  }
  rates(state);
  reason_line(state);
  history_plot(state, 84 * state.scale);
  contact_plot(state, 64 * state.scale);
  contact_counters(state);
  trace_button(state);
  stage_table(state);
  end_section();
}

}  // namespace weft
