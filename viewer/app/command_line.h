// Everything the program does, from its arguments.
#pragma once

namespace weft {

/// The program. Opens the window, or runs without one on request or without a display. Returns the exit
/// status: 0, 1 for an error (printed on standard error), 2 for invalid arguments, 3 for unmet end conditions
/// with --check, 128 + signal after Ctrl-C. Throws nothing.
int run_command_line(int argc, char** argv);

}  // namespace weft
