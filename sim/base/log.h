// One log for the whole program. The window and the command line subscribe to it.
#pragma once
#include <fmt/format.h>

#include <functional>
#include <string>

namespace weft {

enum class LogLevel { info, notice, warning, error };

/// Writes one line to every sink; safe from any thread.
void log_line(LogLevel level, const std::string& text);

/// Adds a sink (called under a lock, keep it short) and returns its id. Standard error is sink 0 and always
/// there; set_console_level(error) quiets it.
int add_log_sink(std::function<void(LogLevel, const std::string&)> sink);
void remove_log_sink(int id);
void set_console_level(LogLevel lowest);

template <class... A>
void log_notice(fmt::format_string<A...> f, A&&... a) {
  log_line(LogLevel::notice, fmt::format(f, std::forward<A>(a)...));
}
template <class... A>
void log_warning(fmt::format_string<A...> f, A&&... a) {
  log_line(LogLevel::warning, fmt::format(f, std::forward<A>(a)...));
}
template <class... A>
void log_error(fmt::format_string<A...> f, A&&... a) {
  log_line(LogLevel::error, fmt::format(f, std::forward<A>(a)...));
}

}  // namespace weft
