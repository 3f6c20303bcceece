// The keyboard, in one table: what a key does and what the help says about it.
#pragma once
#include <string>
#include <vector>

#include "viewer/session/window_state.h"

namespace weft {

/// A key with its modifiers. `run` acts on the window.
struct KeyBinding {
  int key = 0;              // GLFW_KEY_*
  bool ctrl = false, shift = false;
  const char* keys;         // as the help shows it
  const char* words;
  void (*run)(WindowState&);
  bool repeats = false;     // acts again while held down
};
const std::vector<KeyBinding>& key_bindings();

/// Mouse actions and their descriptions, for the help.
const std::vector<std::pair<const char*, const char*>>& mouse_help();

/// Runs the binding of a key press. False if there is none.
bool press_key(WindowState& state, int key, bool ctrl, bool shift, bool repeated);

/// Puts the headless command on the clipboard and says so.
void copy_command_line(WindowState& state);

}  // namespace weft
