// Everything the program does, from its arguments.
#pragma once

namespace weft {

/// The program. Opens the window, or runs without one where asked to or where there is no display. Returns the exit status: 0, 1 for
/// an error (told in words on standard error), 2 for arguments that make no sense, 3 for unmet end conditions with
/// --check, 128 + signal after Ctrl-C. Throws nothing.
int run_command_line(int argc, char** argv);

}  // namespace weft
