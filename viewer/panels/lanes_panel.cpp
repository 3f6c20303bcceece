// Runs with other methods beside this one.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "sim/base/error.h"
#include "sim/methods/method_table.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/session/window_command.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

/// What a person compares most, as lanes: other solvers, other collision methods, half the time step, twice
/// the edge length.
struct Offer {
  std::string label, lane;
};

std::vector<Offer> offers(WindowState& state) {
  const Scene& scene = state.session.scene();
  std::vector<Offer> list;
  for (size_t i = 0; i < solvers().size(); ++i)
    if (int(i) != scene.step.solver && why_not(solvers()[i], scene).empty())
      list.push_back({solvers()[i].label, "solver=" + solvers()[i].name});
  for (size_t i = 0; i < collision_methods().size(); ++i)
    if (int(i) != scene.step.collision && why_not(collision_methods()[i], scene).empty())
      list.push_back({collision_methods()[i].label, "collision=" + collision_methods()[i].name});
  list.push_back({"Half the time step", fmt::format("dt={:.6g}", 0.5 * double(scene.step.dt))});
  if (!scene.cloths.empty() && !scene.cloths[0].mesh && !state.session.frame().positions.empty()) {
    const double vertices = double(state.session.frame().positions.size());
    const auto& view = state.session.view();
    double length = 0;
    for (const ivec2& e : view.edges)
      length += double(glm::distance(view.rest[size_t(e.x)], view.rest[size_t(e.y)]));
    if (!view.edges.empty() && vertices > 200)
      list.push_back(
          {"Edges twice as long", fmt::format("edge={:.3g}", 2 * length / double(view.edges.size()))});
  }
  list.push_back({"The reference: solved to its end", "reference=true,name=reference"});
  for (const PaperPreset& preset : state.offers.shipped.papers())
    list.push_back({preset.title, "preset=" + preset.name});
  return list;
}

void add_lane(WindowState& state, const std::string& text) {
  try {
    state.session.compare_with(read_lane(text));
  } catch (const Error& fault) {
    state.toasts.add(LogLevel::error, fault.what());
  }
}

void choose_lane(WindowState& state) {
  const std::vector<Offer> list = offers(state);
  std::vector<std::string> names{"..."};
  for (const Offer& offer : list) names.push_back(offer.label);
  const int chosen =
      choice_list(state, "Compare with", "lanes.add", names, 0, {},
                  "Runs this scene again with that choice beside this run: at the same simulated "
                  "time, under the same hand. All begin anew.");
  if (chosen > 0) add_lane(state, list[size_t(chosen) - 1].lane);
  ImGui::SetNextItemWidth(-1);
  const bool typed =
      ImGui::InputTextWithHint("##lane", "solver=descent,dt=0.005", &state.memory.lanes.typed,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  note_item(state, "lanes.typed");
  theme::tooltip(
      "What the other run has of its own, as --lane of 'weft compare' takes it: any parameters, and solver, "
      "collision, dt, preset, device, edge (m) and name. Enter adds it.");
  if (!typed || state.memory.lanes.typed.empty()) return;
  const size_t before = state.session.lanes().size();
  add_lane(state, state.memory.lanes.typed);
  if (state.session.lanes().size() > before) state.memory.lanes.typed.clear();
}

void lane_lines(WindowState& state) {
  const ComparedLanes& lanes = state.session.lanes();
  size_t ended = 0;
  for (size_t i = 0; i < lanes.size(); ++i) {
    ImGui::PushID(int(i));
    const float cross = ImGui::GetFrameHeight(), room = ImGui::GetContentRegionAvail().x - cross;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(elided(lanes.name(i), room).c_str());
    if (i > 0) {
      ImGui::SameLine(ImGui::GetCursorStartPos().x + room);
      if (ImGui::Button("x", ImVec2(cross, 0))) ended = i;
      note_item(state, fmt::format("lanes.end.{}", i));
      theme::tooltip("Ends this run.");
    }
    // Lines of a constant height: buttons below stay where they are.
    const auto& frame = lanes.frame(i);
    const bool there = frame && lanes.running();
    const auto timing = [&] {
      const StepStats& stats = frame->stats;
      return fmt::format("{:.3g} ms a step, {:.2g} % left{}", double(stats.step_ms),
                         100 * double(stats.solver_residual), stats.budget_iterations > 0 ? ", ended" : "");
    };
    const RunDifference d = lanes.difference(i);
    ImGui::TextDisabled("%s", there ? timing().c_str() : "is being made");
    theme::tooltip(
        "What the last step took, and what its solver left: the mean error of the displacements over what "
        "gravity moves in a step. Ended: by its budget, before it was solved.");
    if (i > 0)
      ImGui::TextDisabled(
          "%s",
          there ? fmt::format("{:.3g} mm apart, {:.3g} at most", 1e3 * d.mean, 1e3 * d.largest).c_str() : "");
    ImGui::PopID();
  }
  if (ended > 0) {
    state.session.lanes().remove(ended);
    if (!lanes.any()) state.session.end_comparison();
  }
}

void layout_choice(WindowState& state) {
  const int chosen =
      segmented(state, "lanes.layout",
                {{"Split", "Each run in a field of its own."},
                 {"Wipe", "The first run left, the second right of a line."},
                 {"Overlay", "All over each other, as ghosts."},
                 {"Difference",
                  "As split, the others coloured by how far each point is from where the first run "
                  "has it at the same time."}},
                state.memory.lanes.layout);
  if (chosen >= 0) state.memory.lanes.layout = chosen;
  if (state.memory.lanes.layout != 1) return;
  ImGui::SetNextItemWidth(-1);
  ImGui::SliderFloat("##wipe", &state.memory.lanes.wipe, 0, 1, "line at %.2f of the width");
  note_item(state, "lanes.wipe");
}

/// Lanes to the same end, or with the same time.
void budget_choice(WindowState& state) {
  ComparedLanes& lanes = state.session.lanes();
  auto& memory = state.memory.lanes;
  const int chosen =
      segmented(state, "lanes.budget",
                {{"Solved", "Each run solves its steps as its parameters say."},
                 {"Same milliseconds",
                  "Each run has the same time for the same motion: its solver ends when that is over, and "
                  "the error that "
                  "is left is what to compare. Contact, bodies and block descent are not cut short, and the "
                  "reference is solved to its end. Saved hands replay the same counts."}},
                lanes.budget() > 0);
  if (chosen >= 0) lanes.set_budget(chosen > 0 ? 1e-3 * double(memory.budget_ms) : 0);
  if (lanes.budget() <= 0) return;
  ImGui::SetNextItemWidth(-1);
  if (ImGui::SliderFloat("##budget", &memory.budget_ms, 0.5f, 100, "%.3g ms for a step of the longest",
                         ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp))
    lanes.set_budget(1e-3 * double(memory.budget_ms));
  note_item(state, "lanes.milliseconds");
}

/// The command that does the same without a window, from the start.
std::string compare_command(const WindowState& state) {
  std::string command = state.session.command_line(state.view);
  const std::string own = "weft ", headless = " --headless";
  if (command.starts_with(own)) command.insert(own.size(), "compare ");
  if (const size_t at = command.find(headless); at != command.npos) command.erase(at, headless.size());
  command += fmt::format(" --lane 'name=this run,dt={:.6g}'", double(state.session.scene().step.dt));
  for (size_t i = 1; i < state.session.lanes().size(); ++i)
    command += " --lane " + shell_word(state.session.lanes().spec(i).text);
  if (const double budget = state.session.lanes().budget(); budget > 0)
    command += fmt::format(" --budget {:.4g}", 1e3 * budget);
  return command + " --record compared.mp4 --table compared.csv";
}

}  // namespace

void lanes_panel(WindowState& state) {
  if (!begin_section(state, "Compare", false)) return;
  const ComparedLanes& lanes = state.session.lanes();
  if (lanes.size() < ComparedLanes::kMostLanes) choose_lane(state);
  if (lanes.any()) {
    lane_lines(state);
    layout_choice(state);
    budget_choice(state);
    const ButtonRow row({"End comparison", "Copy command"});
    if (text_button(state, "End comparison", "Ends the other runs; this one goes on.", row.width()))
      state.session.end_comparison();
    row.next();
    if (text_button(state, "Copy command",
                    "Copies the command that compares these runs from their start, without a window, with a "
                    "video and a table.",
                    row.width()))
      ImGui::SetClipboardText(compare_command(state).c_str());
  } else {
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("A second run of this scene with another method, beside this one");
    ImGui::PopTextWrapPos();
  }
  end_section();
}

}  // namespace weft
