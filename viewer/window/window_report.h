// The state of the window as JSON, for tests that work it from outside with real mouse events.
#pragma once
#include <string>

#include "viewer/interact/hand.h"
#include "viewer/session/window_state.h"

namespace weft {

/// Writes to a new file and moves it into place, so that a reader never sees half of one. Positions on screen
/// are in the window's coordinates. Keys: "size", "viewport", "step", "time", "playing", "hover" (triangle,
/// barycentric, point, screen),
/// "handles" (id, point, target, force, point_screen, target_screen), "pinned", "params" (those that differ
/// from the scene as opened), "shown_handles" (as drawn: id, known, hand, hand_screen, target_screen), "pace"
/// (as the status bar says it),
/// "view", "items" (rectangles of widgets), "message" (the newest), "staying" (messages that wait to be
/// closed), "work_seen" (a scene being made is drawn, not the session's), "pictures", "title", "camera",
/// "recording",
/// "cloth_screen" (middle of the first cloth's vertices).
void write_window_report(const std::string& path, const WindowState& state, const CameraView& camera,
                         const Hover& hover, bool work_seen, long pictures);

}  // namespace weft
