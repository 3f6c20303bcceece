// Faults injected by tests, named in WEFT_INJECT="nan@20:vertex=7,lost@30". tests/faults/README.md lists
// their effects. Without the variable each check costs one load.
#pragma once
#include <atomic>
#include <string>

namespace weft {

namespace inject_detail {
extern std::atomic<bool> any;
bool due(const char* name, long at);
}  // namespace inject_detail

/// NAME[@STEP][:key=value]..., separated by commas; replaces earlier faults. Throws Error for an unknown or
/// misspelt fault.
void set_injected_faults(const std::string& text);
/// The same with the environment variable WEFT_INJECT, where it is set. Once, when a program starts.
void read_injected_faults();

/// True if the fault is due at `at` (a time step; -1: anywhere) and has occurred fewer times than its key
/// `times` says (default 1; 0: unlimited). The first `after` questions are skipped, and of the others all but
/// every `each`-th. Thread-safe.
inline bool inject(const char* name, long at = -1) {
  return inject_detail::any.load(std::memory_order_relaxed) && inject_detail::due(name, at);
}
/// Whether the fault was requested at any step.
bool injected(const char* name);
/// A value of the fault, or `fallback` if the fault was not requested or has no such key.
double injected_value(const char* name, const std::string& key, double fallback);

}  // namespace weft
