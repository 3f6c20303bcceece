// The panels. Each draws itself into the current column and acts through WindowState.
#pragma once
#include <functional>

#include "viewer/session/window_state.h"

namespace weft {

void scene_panel(WindowState& state);
void simulation_panel(WindowState& state);
/// Progress of a scene that is being loaded, with a button that cancels; draws nothing for quick ones.
void loading_note(WindowState& state);
/// The same where no panel is drawn yet; at the foot of a picture of what is seen of the work, or alone.
void loading_splash(const Runner::Work& work, float scale, bool over_picture);
/// Measures and clip of the scene's first mannequin; draws nothing without one.
void mannequin_panel(WindowState& state);
/// Panels, seams and placement of the scene's garment; draws nothing without one.
void garment_panel(WindowState& state);
/// The flat pattern of the garment in this part of the window.
void pattern_view(WindowState& state, const Rect& area);
/// When bodies do what: their clips and lead-ins over time; draws nothing where none deforms.
void motion_panel(WindowState& state);
/// Runs with other methods beside this one.
void lanes_panel(WindowState& state);
void fabric_panel(WindowState& state);
void forces_panel(WindowState& state);
void view_panel(WindowState& state);
/// Fine wrinkles on the shown state.
void wrinkle_panel(WindowState& state);
void camera_panel(WindowState& state);
void recording_panel(WindowState& state);
void timings_panel(WindowState& state);

/// Takes note of a new state for the plots of stages and of contact; call once per new frame, drawn or not.
void record_timings(WindowState& state);
/// What the collision method counted in the last step, one line each; nothing for methods that count nothing.
void contact_counters(WindowState& state);
/// Steps of collision handling and their residual; draws nothing for methods without steps.
void contact_plot(WindowState& state, float height);

/// All of the window around the picture: side columns, status bar, help, hint, messages. Sets
/// `state.viewport`.
void draw_layout(WindowState& state);
/// Overlay on the picture: forces of handles, legend, recording sign.
void draw_view_overlay(WindowState& state, const CameraView& camera);
/// Arrows and rings on the selected body.
void draw_body_gizmo(WindowState& state, const CameraView& camera);
void status_bar(WindowState& state, const Rect& area);
/// The timeline of a recorded run, and its height below a picture of this width (0 without a run): two lines
/// if one is too narrow.
void timeline(WindowState& state, const Rect& area);
float timeline_height(const WindowState& state, float width);
/// The timeline of the run that is simulated: its kept states (Runner::timeline), and its height.
void history_bar(WindowState& state, const Rect& area);
float history_bar_height(const WindowState& state);
/// Numbers over time, in this part of the window, and the height of that; 0 while none is chosen.
void curves_view(WindowState& state, const Rect& area);
float curves_height(const WindowState& state);
/// A tick beside a number: whether its curve is shown. `id` as in Curves.
void plot_tick(WindowState& state, const std::string& id);
/// Draws panels of the simulation; while a recorded run is shown they are greyed, with the reason above them.
void disabled_in_playback(WindowState& state, const std::function<void()>& panels);
void help_window(WindowState& state);
/// The field that searches everything, while it is open.
void finder_window(WindowState& state);
void first_hint(WindowState& state);

}  // namespace weft
