// Starting and ending a trace from the window.
#pragma once

namespace weft {

struct WindowState;

/// Starts a trace in the next free weft-trace-001.json of the current folder, or ends the current one and
/// reports its path and the programs that open it. Faults are reported.
void toggle_trace(WindowState& state);
/// Ends a trace that can no longer be written and reports why; call regularly.
void watch_trace(WindowState& state);
/// Ends the trace, if there is one.
void end_trace(WindowState& state);

}  // namespace weft
