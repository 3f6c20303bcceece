#include "viewer/session/window_trace.h"

#include <fmt/format.h>

#include <filesystem>

#include "viewer/record/trace_file.h"
#include "viewer/session/window_state.h"

namespace weft {

void toggle_trace(WindowState& state) {
  if (state.memory.timings.trace) return end_trace(state);
  try {
    state.memory.timings.trace = std::make_shared<TraceFile>(
        next_free_path(std::filesystem::current_path().string(), "weft-trace", ".json"));
  } catch (const std::exception& e) {
    return state.toasts.add(LogLevel::error, e.what());
  }
  set_current_trace(state.memory.timings.trace);
  state.session.runner().listen(state.memory.timings.trace);
}

void watch_trace(WindowState& state) {
  if (state.memory.timings.trace && !state.memory.timings.trace->fault().empty()) end_trace(state);
}

void end_trace(WindowState& state) {
  if (!state.memory.timings.trace) return;
  state.session.runner().listen(nullptr);
  set_current_trace(nullptr);
  if (state.memory.timings.trace->close())
    state.toasts.add(
        LogLevel::notice,
        fmt::format("Saved a trace of {} steps to {}; ui.perfetto.dev or chrome://tracing opens it",
                    state.memory.timings.trace->steps(), state.memory.timings.trace->path()));
  else state.toasts.add(LogLevel::error, state.memory.timings.trace->fault());
  state.memory.timings.trace.reset();
}

}  // namespace weft
