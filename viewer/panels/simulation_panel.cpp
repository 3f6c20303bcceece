// Running the simulator: play and pause, pace, time step, methods, device.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/device/device.h"
#include "sim/methods/method_table.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/session/one_undo.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

void transport(WindowState& state) {
  using theme::Icon;
  Session& session = state.session;
  const float size = ImGui::GetFrameHeight() * 1.25f, gap = 4 * state.scale;
  const bool playing = session.playing();
  const std::string back = undo_label(state), again = redo_label(state);
  const bool recording = state.recording.active();
  if (theme::icon_button("play", playing ? Icon::pause : Icon::play, size,
                         playing ? "Pause (Space)" : "Play (Space)", playing))
    session.toggle_play();
  note_item(state, "play");
  same_line_if_room(size, gap);
  if (theme::icon_button("step", Icon::step, size, "One time step (. or right arrow)")) session.step_once();
  note_item(state, "step");
  same_line_if_room(size, gap);
  if (theme::icon_button("reset", Icon::reset, size, "Back to the start (R); sliders and pins stay"))
    session.reset();
  note_item(state, "reset");
  same_line_if_room(size, 3 * gap);
  if (theme::icon_button("undo", Icon::undo, size,
                         back.empty() ? "Nothing to undo (Ctrl-Z)" : "Undo (Ctrl-Z): " + back, false,
                         !back.empty()))
    undo(state);
  note_item(state, "undo");
  same_line_if_room(size, gap);
  if (theme::icon_button("redo", Icon::redo, size,
                         again.empty() ? "Nothing to redo (Ctrl-Shift-Z)" : "Redo (Ctrl-Shift-Z): " + again,
                         false, !again.empty()))
    redo(state);
  note_item(state, "redo");
  same_line_if_room(size, 3 * gap);
  if (theme::icon_button("record", recording ? Icon::stop : Icon::record, size,
                         recording ? "End the video (V)" : "Record a video (V)", recording, true,
                         theme::error))
    state.requests.toggle_recording = true;
  note_item(state, "record");
  same_line_if_room(size, gap);
  if (theme::icon_button("camera", Icon::camera, size, "Screenshot (P)")) state.requests.screenshot = true;
  note_item(state, "camera");
}

void time_line(WindowState& state) {
  const Frame& frame = state.session.frame();
  ImGui::TextDisabled("Time");
  ImGui::SameLine();
  ImGui::Text("%.2f s", frame.time);
  const std::string step = fmt::format("Step {}", frame.step);
  ImGui::SameLine(ImGui::GetCursorStartPos().x + ImGui::GetContentRegionAvail().x -
                  ImGui::CalcTextSize(step.c_str()).x);
  ImGui::TextDisabled("%s", step.c_str());
}

void pace_choice(WindowState& state) {
  Session& session = state.session;
  const int chosen = segmented(
      state, "pace",
      {{"Real time",
        "One second of the scene takes one second; a notice says where the machine is too slow for that."},
       {"Slow", "Slow motion by the factor below."},
       {"Fastest", "As fast as the machine can, without regard to the clock."}},
      int(session.pace()));
  if (chosen >= 0) {
    session.set_pace(Pace(chosen), session.slow_factor());
    state.settings.set("pace", float(chosen));
  }
  if (session.pace() != Pace::slow_motion) return;
  const double factors[] = {0.5, 0.25, 0.1, 0.05, 0.02, 0.01};
  std::vector<std::string> names;
  int current = 2;
  for (int i = 0; i < 6; ++i) {
    names.push_back(fmt::format("1/{:.0f} of real time", 1 / factors[i]));
    if (factors[i] == session.slow_factor()) current = i;
  }
  if (const int c =
          choice_list(state, "Speed", "pace.slow", names, current, {}, "Speed relative to real time.");
      c >= 0)
    session.set_pace(Pace::slow_motion, factors[c]);
}

/// Choices of the window, kept from run to run; they are not part of the scene's undo.
class KeepUpTarget : public ParamTarget {
 public:
  KeepUpTarget(WindowState& state, KeepUp& choice) : state_(state), choice_(choice) {
    table_.add("pace", choice_);
  }
  const ParamTable& table() const { return table_; }
  void begin(const std::string&) override {}
  void set(const std::string& key, const std::string& text) override {
    try {
      table_.set(key, text);
      state_.settings.set(key, text);
      state_.session.set_keep_up(choice_);
    } catch (const Error& e) {
      state_.toasts.add(LogLevel::error, e.what());
    }
  }
  void end() override {}

 private:
  WindowState& state_;
  KeepUp& choice_;
  ParamTable table_;
};

/// A scene with a budget of its own shows that in the place of the window's (`shows_budget`).
void keep_up_choice(WindowState& state) {
  KeepUp choice = state.session.keep_up();
  KeepUpTarget target(state, choice);
  for (const ParamRef& ref : target.table().refs())
    if (ref.key() == "pace.keep_up" || (choice.on && state.session.scene().step.budget <= 0))
      param_slider(state, target, ref);
}

bool shows_budget(const Session& session) { return session.keep_up().on && session.scene().step.budget > 0; }

void device_choice(WindowState& state) {
  static const std::vector<DeviceInfo> devices = list_devices();
  const auto why_not = [](int choice) -> std::string {
    if (choice == int(DeviceChoice::automatic)) return {};
    const DeviceKind kind = choice == int(DeviceChoice::cpu) ? DeviceKind::cpu : DeviceKind::cuda;
    std::string remark = "This device is not available.";
    for (const DeviceInfo& device : devices) {
      if (device.kind != kind) continue;
      if (device.usable) return {};
      remark = device.name + ": " + device.remark;
    }
    return remark;
  };
  const int chosen =
      choice_list(state, "Device", "device", {"Automatic", "CPU", "CUDA"}, int(state.session.device_choice()),
                  why_not, "Where the simulator runs. Now: " + state.session.view().device_name);
  if (chosen >= 0 && chosen != int(state.session.device_choice()))
    state.session.set_device(DeviceChoice(chosen));
}

/// Solver and collision method. Solvers that do not take the cloth are greyed. Only the present one is
/// explained beside the list, and each in it: all together would fill the window.
void method_choice(WindowState& state, const ParamRef& ref) {
  const bool is_solver = ref.key() == "step.solver";
  std::vector<std::string> labels, words;
  const auto add = [&](const std::string& label, const std::string& help) {
    labels.push_back(label), words.push_back(help);
  };
  if (is_solver)
    for (const SolverEntry& e : solvers()) add(e.label, e.help);
  else
    for (const CollisionEntry& e : collision_methods()) add(e.label, e.help);
  const auto missing = [&](int i) {
    const Scene& scene = state.session.scene();
    return is_solver ? why_not(solvers()[i], scene) : why_not(collision_methods()[i], scene);
  };
  const size_t now = size_t(ref.number());
  const int chosen = choice_list(state, ref.info().label, ref.key(), labels, int(now), missing,
                                 ref.info().help + "\n\n" + labels[now] + ": " + words[now],
                                 [&](int i) { return words[size_t(i)]; });
  if (chosen >= 0) state.session.change(ref.info().label, {{ref.key(), ref.info().choices[chosen]}});
}

bool has_group(const std::string& key, const char* group) { return key.rfind(group, 0) == 0; }

/// Guarantee and state of the collision method. Lines that come and go keep their space, so that items below
/// stay in place.
void collision_remarks(WindowState& state) {
  auto& [most, method] = state.memory.remarks;
  const int now = state.session.scene().step.collision;
  const std::vector<std::string>& remarks = state.session.frame().remarks;
  if (now != method) method = now, most = 0;
  most = std::max(most, remarks.size());
  ImGui::PushTextWrapPos(0);
  for (size_t i = 0; i < most; ++i) ImGui::TextDisabled("%s", i < remarks.size() ? remarks[i].c_str() : "");
  ImGui::PopTextWrapPos();
  ImGui::Spacing();
}

/// True if the Simulation panel shows a parameter: no other panel does, and it acts on the present methods.
bool shows(const WindowState& state, const std::string& key) {
  const Scene& scene = state.session.scene();
  const std::string group = key.substr(0, key.find('.'));
  if (group == "step" || group == "forces" || group == "drag" || group == "fabric" || group == "sewing")
    return false;
  for (const Cloth& cloth : scene.cloths)
    if (cloth.name == group) return false;
  if (group == "friction") return shows(state, "contact.friction");
  const auto& of_methods = method_groups();
  const bool known =
      std::any_of(of_methods.begin(), of_methods.end(), [&](const ParamGroup& g) { return g.name == group; });
  return !known || has_part(key, solvers()[size_t(scene.step.solver)],
                            collision_methods()[size_t(scene.step.collision)]);
}

std::string group_title(const std::string& group) {
  for (const ParamGroup& g : method_groups())
    if (g.name == group) return g.title;
  std::string title = pretty_name(group);
  title[0] = char(std::toupper(title[0]));
  return title;
}

/// A paper's method as published, or the scene's own settings again.
void paper_choice(WindowState& state) {
  const std::vector<PaperPreset>& list = state.offers.shipped.papers();
  if (list.empty()) return;
  SceneTarget target(state.session);
  auto& [revision, current] = state.memory.paper;
  if (revision != state.session.revision()) {
    revision = state.session.revision(), current = 0;
    for (int i = 0; i < int(list.size()); ++i)
      if (has_settings(state.session.scene(), list[size_t(i)])) current = i + 1;
  }
  std::vector<std::string> names{"Weft's own"};
  for (const PaperPreset& preset : list) names.push_back(preset.title);
  const int chosen = choice_list(state, "Paper", "step.paper", names, current, {},
                                 current > 0 ? list[size_t(current - 1)].description
                                             : "Runs a paper's method as its authors published it: solver, "
                                               "contact and their parameters at once.");
  if (chosen < 0 || chosen == current) return;
  const auto values = paper_values(list, chosen - 1, state.session.params(),
                                   [&](const ParamRef& ref) { return target.reset_text(ref); });
  state.session.change(names[size_t(chosen)], values);
}

/// Choices of several parameters at once, of the solver whose parameters are shown.
void solver_presets(WindowState& state, const std::string& group) {
  const SolverEntry& solver = solvers()[size_t(state.session.scene().step.solver)];
  if (solver.params.name != group) return;
  for (const MethodPreset& preset : solver.presets) {
    if (text_button(state, preset.label, preset.help, -1))
      state.session.change(preset.label, preset.settings);
  }
}

/// Parameters of the methods; advanced ones are folded.
void method_params(WindowState& state) {
  SceneTarget target(state.session);
  const std::vector<ParamRef>& refs = state.session.params().refs();
  const auto group_of = [](const ParamRef& ref) { return ref.key().substr(0, ref.key().find('.')); };
  for (size_t first = 0, end; first < refs.size(); first = end) {
    const std::string group = group_of(refs[first]);
    for (end = first; end < refs.size() && group_of(refs[end]) == group;) ++end;
    std::vector<const ParamRef*> common, more;
    for (size_t i = first; i < end; ++i)
      if (shows(state, refs[i].key())) (refs[i].info().advanced ? more : common).push_back(&refs[i]);
    if (common.empty() && more.empty()) continue;
    if (!fold(state, "group." + group, group_title(group).c_str(), true)) continue;
    solver_presets(state, group);
    for (const ParamRef* ref : common) param_slider(state, target, *ref);
    if (more.empty() || !fold(state, "more." + group, "More")) continue;
    for (const ParamRef* ref : more) param_slider(state, target, *ref);
  }
}

}  // namespace

void simulation_panel(WindowState& state) {
  if (!begin_section(state, "Simulation")) return;
  transport(state);
  time_line(state);
  pace_choice(state);
  keep_up_choice(state);
  paper_choice(state);
  SceneTarget target(state.session);
  for (const ParamRef& ref : state.session.params().refs()) {
    if (!has_group(ref.key(), "step.")) continue;
    if (ref.key() == "step.budget" && !shows_budget(state.session)) continue;
    if (ref.key() == "step.solver" || ref.key() == "step.collision") method_choice(state, ref);
    else param_slider(state, target, ref);
    if (ref.key() == "step.collision") collision_remarks(state);
  }
  device_choice(state);
  method_params(state);
  end_section();
}

}  // namespace weft
