// The keyboard in one table: keys, actions and help texts.
#pragma once
#include <string>
#include <vector>

#include "viewer/session/window_state.h"

namespace weft {

/// A key with its modifiers. `run` acts on the window.
struct KeyBinding {
  int key = 0;  // GLFW_KEY_*
  bool ctrl = false, shift = false;
  const char* keys;  // as the help shows it
  const char* words;
  void (*run)(WindowState&);
  bool repeats = false;  // acts again while held down
};
const std::vector<KeyBinding>& key_bindings();

/// Mouse actions and their descriptions, for the help.
const std::vector<std::pair<const char*, const char*>>& mouse_help();

/// Runs the binding of a key press. False if there is none.
bool press_key(WindowState& state, int key, bool ctrl, bool shift, bool repeated);

/// Keys of the search field while it is open: arrows choose, Escape closes. False for others.
bool press_finder_key(WindowState& state, int key);

/// Copies the headless command to the clipboard and reports it.
void copy_command_line(WindowState& state);

}  // namespace weft
