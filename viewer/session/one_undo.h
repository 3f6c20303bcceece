// One undo for the scene's edits and those of the sewing pattern: the latest goes first.
#pragma once
#include "viewer/session/window_state.h"

namespace weft {

/// Undo (redo) as Ctrl-Z and the buttons do it, and what it would take back (do again), in words; empty if
/// nothing. Edits of the pattern count while a garment is shown.
void undo(WindowState& state);
void redo(WindowState& state);
std::string undo_label(const WindowState& state);
std::string redo_label(const WindowState& state);

}  // namespace weft
