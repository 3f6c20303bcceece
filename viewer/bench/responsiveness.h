// Frame rate of the window while a time step takes long.
#pragma once
#include <string>

#include "viewer/window/window.h"

namespace weft {

struct ResponsivenessRequest {
  WindowOptions window;  // opened paused and fresh
  // of the three states in turn, so that other load on the machine affects all alike
  int rounds = 8;
  double seconds = 1;         // per state and round
  double step_seconds = 0.5;  // artificial duration of a step
  std::string markdown_file;  // empty: only printed
};

/// Pictures per second while the simulator is paused, while its step sleeps, and while its step computes on
/// all of its threads, each drawn as fast as the window can. Prints a Markdown table. Needs a display.
/// Returns the exit status.
int run_responsiveness(const ResponsivenessRequest& request);

}  // namespace weft
