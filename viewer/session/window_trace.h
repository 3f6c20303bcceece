// Starting and ending a trace from the window.
#pragma once

namespace weft {

struct WindowState;

/// Starts a trace in the next free weft-trace-001.json of the current folder, or ends the one that is written and says where it
/// is and what opens it. Faults are told.
void toggle_trace(WindowState& state);
/// Ends a trace that can no longer be written and tells why; call now and then.
void watch_trace(WindowState& state);
/// Ends the trace, if there is one.
void end_trace(WindowState& state);

}  // namespace weft
