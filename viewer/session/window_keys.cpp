#include "viewer/session/window_keys.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/session/one_undo.h"
#include "viewer/session/window_command.h"

namespace weft {
namespace {

/// By one of vertex_fields().
void colour_by(WindowState& state, const std::string& name) {
  if (const Playback* run = state.session.playback())
    if (const std::string reason = run->why_not(name); !reason.empty())
      return state.toasts.add(LogLevel::notice, reason);
  ParamTable table;
  table.add("view", state.view);
  const ParamRef* ref = table.find("view.colouring");
  ref->set_text(name);
  state.settings.set(ref->key(), "\"" + name + "\"");
}

/// One brush step: from a single point to 1 cm, then by a quarter.
void scale_brush(WindowState& state, float factor) {
  const ParamRef* ref = state.session.params().find("drag.brush_radius");
  if (!ref) return;
  constexpr float kSmallest = 0.01f;
  float radius = float(ref->number());
  if (factor > 1) radius = std::max(radius * factor, kSmallest);
  else radius = radius <= kSmallest * 1.001f ? 0 : radius * factor;
  radius = std::min(radius, float(ref->info().max));
  state.session.change("Brush radius", {{ref->key(), fmt::format("{:.3g}", radius)}});
}

/// Plots the height of the vertex under the cursor, and its distance from the one that was marked before.
void mark_vertex(WindowState& state) {
  auto& timings = state.memory.timings;
  if (!state.pointed || state.session.playback())
    return state.toasts.add(LogLevel::notice, "Point at the cloth: M plots the height of its nearest vertex");
  const ivec3 t = state.session.view().triangles[size_t(state.pointed->triangle)];
  const vec3 b = state.pointed->barycentric;
  const int vertex = b.x >= b.y && b.x >= b.z ? t.x : b.y >= b.z ? t.y : t.z;
  const auto show = [&](const std::string& id) {
    if (!timings.curves.shows(id)) timings.curves.toggle(id);
  };
  show(fmt::format("vertex.{}", vertex));
  if (timings.marked >= 0 && timings.marked != vertex)
    show(fmt::format("distance.{}.{}", timings.marked, vertex));
  timings.marked = vertex;
  state.session.runner().watch(timings.watched = timings.curves.vertices());  // from the next step on
}

void show_pattern(WindowState& state) {
  if (state.pattern.editor.empty() && state.session.loading())
    return state.toasts.add(LogLevel::notice,
                            "The scene is still being built; its pattern can be shown when it is there");
  if (state.pattern.editor.empty())
    return state.toasts.add(LogLevel::notice, "This scene has no garment made from a sewing pattern");
  state.pattern.visible = !state.pattern.visible;
}

void toggle(WindowState& state, bool ViewSettings::*setting, const char* key) {
  state.view.*setting = !(state.view.*setting);
  state.settings.set(key, state.view.*setting);
}

}  // namespace

const std::vector<KeyBinding>& key_bindings() {
  using S = WindowState;
  static const std::vector<KeyBinding> bindings = {
      {GLFW_KEY_SPACE, false, false, "Space", "Play or pause", [](S& s) { s.session.toggle_play(); }},
      {GLFW_KEY_PERIOD, false, false, ". or \u2192", "One time step", [](S& s) { s.session.step_once(); },
       true},
      {GLFW_KEY_RIGHT, false, false, "", "", [](S& s) { s.session.step_once(); }, true},
      {GLFW_KEY_COMMA, false, false, ", or \u2190", "One step back", [](S& s) { s.session.step_back(); },
       true},
      {GLFW_KEY_LEFT, false, false, "", "", [](S& s) { s.session.step_back(); }, true},
      {GLFW_KEY_HOME, false, false, "Home, End", "First and last kept step, or frame",
       [](S& s) { s.session.go_to_end(false); }},
      {GLFW_KEY_END, false, false, "", "", [](S& s) { s.session.go_to_end(true); }},
      {GLFW_KEY_R, false, false, "R", "Reset to the start; sliders and pins stay",
       [](S& s) { s.session.reset(); }},
      {GLFW_KEY_F, false, false, "F", "Frame everything", [](S& s) { s.requests.frame_view = true; }},
      {GLFW_KEY_Z, true, false, "Ctrl-Z", "Undo slider, pin, drag, body, pattern", [](S& s) { undo(s); },
       true},
      {GLFW_KEY_Z, true, true, "Ctrl-Shift-Z", "Redo", [](S& s) { redo(s); }, true},
      {GLFW_KEY_Y, true, false, "", "", [](S& s) { redo(s); }, true},
      {GLFW_KEY_S, true, false, "Ctrl-S", "Save the tuned scene",
       [](S& s) { s.session.save(s.camera.pose()); }},
      {GLFW_KEY_C, true, true, "Ctrl-Shift-C", "Copy the headless command line", copy_command_line},
      {GLFW_KEY_O, true, false, "Ctrl-O", "Open a scene or mesh by its path",
       [](S& s) { s.panels_visible = s.requests.focus_open = true; }},
      {GLFW_KEY_K, true, false, "Ctrl-K", "Search scenes, garments, parameters, commands",
       [](S& s) { s.offers.finder.open = s.offers.finder.focus = true; }},
      {GLFW_KEY_V, false, false, "V", "Start or end a video",
       [](S& s) { s.requests.toggle_recording = true; }},
      {GLFW_KEY_P, false, false, "P or F12", "Screenshot", [](S& s) { s.requests.screenshot = true; }},
      {GLFW_KEY_F12, false, false, "", "", [](S& s) { s.requests.screenshot = true; }},
      {GLFW_KEY_E, false, false, "E", "Export the state that is shown as glTF",
       [](S& s) { s.session.export_shown(".glb"); }},
      {GLFW_KEY_H, false, false, "H", "Hide or show the panels",
       [](S& s) { s.panels_visible = !s.panels_visible; }},
      {GLFW_KEY_G, false, false, "G", "Show or hide the sewing pattern", show_pattern},
      {GLFW_KEY_F11, false, false, "F11", "Full screen, and back",
       [](S& s) { s.requests.full_screen = !s.requests.full_screen; }},
      {GLFW_KEY_M, false, false, "M", "Plot the vertex under the cursor", mark_vertex},
      {GLFW_KEY_W, false, false, "W", "Wireframe",
       [](S& s) { toggle(s, &ViewSettings::wireframe, "view.wireframe"); }},
      {GLFW_KEY_1, false, false, "1", "Fabric colours", [](S& s) { colour_by(s, "none"); }},
      {GLFW_KEY_2, false, false, "2", "Colour by stretch", [](S& s) { colour_by(s, "stretch"); }},
      {GLFW_KEY_3, false, false, "3", "Colour by speed", [](S& s) { colour_by(s, "speed"); }},
      {GLFW_KEY_4, false, false, "4", "Colour by contact", [](S& s) { colour_by(s, "contact"); }},
      {GLFW_KEY_5, false, false, "5", "Colour by collision phase", [](S& s) { colour_by(s, "phase"); }},
      {GLFW_KEY_6, false, false, "6", "Colour by bound of a forward step",
       [](S& s) { colour_by(s, "bound"); }},
      {GLFW_KEY_7, false, false, "7", "Colour by stretch along the warp", [](S& s) { colour_by(s, "warp"); }},
      {GLFW_KEY_8, false, false, "8", "Colour by stretch along the weft", [](S& s) { colour_by(s, "weft"); }},
      {GLFW_KEY_9, false, false, "9", "Colour by pressure on bodies", [](S& s) { colour_by(s, "pressure"); }},
      {GLFW_KEY_0, false, false, "0", "Colour by age of contact", [](S& s) { colour_by(s, "age"); }},
      {GLFW_KEY_LEFT_BRACKET, false, false, "[ and ]", "Smaller or larger brush",
       [](S& s) { scale_brush(s, 0.8f); }, true},
      {GLFW_KEY_RIGHT_BRACKET, false, false, "", "", [](S& s) { scale_brush(s, 1.25f); }, true},
      {GLFW_KEY_B, false, false, "B", "Brush that pins, frees or fastens (Forces panel)",
       [](S& s) { s.memory.brush.on = !s.memory.brush.on; }},
      {GLFW_KEY_L, false, false, "L", "Leave the held handle in place",
       [](S& s) { s.session.drag().end(true); }},
      {GLFW_KEY_BACKSPACE, false, false, "Backspace", "Let go of all handles",
       [](S& s) { s.session.drag().release_all(); }},
      {GLFW_KEY_F1, false, false, "F1 or ?", "This help", [](S& s) { s.help_open = !s.help_open; }},
      {GLFW_KEY_SLASH, false, false, "", "", [](S& s) { s.help_open = !s.help_open; }},
      {GLFW_KEY_ESCAPE, false, false, "Esc", "Close help; put the brush away; leave the selected body",
       [](S& s) {
         if (std::exchange(s.help_open, false) || std::exchange(s.memory.brush.on, false)) return;
         s.session.bodies().select(-1, s.session.view());
       }},
  };
  return bindings;
}

const std::vector<std::pair<const char*, const char*>>& mouse_help() {
  static const std::vector<std::pair<const char*, const char*>> help = {
      {"Drag on cloth", "Pull it where the cursor points"},
      {"Wheel while dragging", "Pull closer or farther, by 2 % of the cloth's size"},
      {"Shift on release", "Leave the handle in place, for several at once"},
      {"Drag a handle", "Take it up again"},
      {"Ctrl-click on cloth", "Pin or free the nearest vertex"},
      {"Ctrl-Shift-drag", "Pin or free all vertices within a rectangle"},
      {"Ctrl-Shift-Alt-drag", "Fasten them as one, on a handle to drag"},
      {"Wheel with the brush (B)", "Larger or smaller ring; a drag pins, frees or fastens"},
      {"Click a body", "Select it: arrows move it, rings turn it"},
      {"Right drag, Alt-drag", "Orbit; also a left drag beside the cloth"},
      {"Middle drag", "Pan"},
      {"Wheel", "Zoom to the cursor"},
      {"Drag a slider", "Change; Shift for fine steps"},
      {"Double-click, Ctrl-click", "Reset a slider; type a value"},
  };
  return help;
}

bool press_key(WindowState& state, int key, bool ctrl, bool shift, bool repeated) {
  for (const KeyBinding& b : key_bindings()) {
    if (b.key != key || b.ctrl != ctrl || b.shift != shift) continue;
    if (!repeated || b.repeats) b.run(state);
    return true;
  }
  return false;
}

bool press_finder_key(WindowState& state, int key) {
  FinderView& finder = state.offers.finder;
  if (!finder.open) return false;
  if (key == GLFW_KEY_DOWN) return ++finder.chosen, true;
  if (key == GLFW_KEY_UP) return finder.chosen = std::max(0, finder.chosen - 1), true;
  if (key == GLFW_KEY_ESCAPE) return finder.open = false, true;
  return false;
}

void copy_command_line(WindowState& state) {
  const std::string command = state.session.command_line(state.view);
  ImGui::SetClipboardText(command.c_str());
  state.toasts.add(LogLevel::notice, "Copied: " + command);
  if (state.session.pinned_by_hand())
    state.toasts.add(
        LogLevel::notice,
        "The command does not include pins made by hand: save the scene (Ctrl-S) and run that file");
  if (state.session.bodies_by_hand())
    state.toasts.add(
        LogLevel::notice,
        "The command does not include bodies moved by hand: save the scene (Ctrl-S) and run that "
        "file");
  if (state.session.pattern_by_hand())
    state.toasts.add(LogLevel::notice,
                     "The command does not include the pattern as changed in the window: save the scene "
                     "(Ctrl-S) and run that file");
}

}  // namespace weft
