// The panels. Each draws itself into the current column and acts through WindowState.
#pragma once
#include <functional>

#include "viewer/session/window_state.h"

namespace weft {

void scene_panel(WindowState& state);
void simulation_panel(WindowState& state);
void fabric_panel(WindowState& state);
void forces_panel(WindowState& state);
void view_panel(WindowState& state);
void camera_panel(WindowState& state);
void recording_panel(WindowState& state);
void timings_panel(WindowState& state);

/// Takes note of a new state for the history plot; call once per new frame, drawn or not.
void record_timings(const Frame& frame);
void record_contact(const Frame& frame);
/// Steps of collision handling and what they left over; nothing where the method takes none.
void contact_plot(WindowState& state, float height);

/// All of the window around the picture: side columns, status bar, help, hint, messages. Sets `state.viewport`.
void draw_layout(WindowState& state);
/// What lies over the picture: newtons beside handles, the legend, the recording sign.
void draw_view_overlay(WindowState& state, const CameraView& camera);
void status_bar(WindowState& state, const Rect& area);
/// The timeline of a recorded run, and the height that it takes below a picture of this width (0 without one): two lines where one has no room.
void timeline(WindowState& state, const Rect& area);
float timeline_height(const WindowState& state, float width);
/// Draws panels of the simulation; while a recorded run is shown they are greyed, with the reason above them.
void disabled_in_playback(WindowState& state, const std::function<void()>& panels);
void help_window(WindowState& state);
void first_hint(WindowState& state);

}  // namespace weft
