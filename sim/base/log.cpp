#include "sim/base/log.h"

#include <cstdio>
#include <map>
#include <mutex>

#include "sim/base/shorten.h"

namespace weft {
namespace {
std::mutex sink_mutex;
std::map<int, std::function<void(LogLevel, const std::string&)>> sinks;
int next_id = 1;
LogLevel console_level = LogLevel::notice;
const char* prefix(LogLevel level) {
  switch (level) {
    case LogLevel::warning: return "warning: ";
    case LogLevel::error: return "error: ";
    default: return "";
  }
}
}  // namespace

void log_line(LogLevel level, const std::string& whole) {
  const std::string text = shortened(whole, 2000);  // a file's name or a key may be of any length
  std::lock_guard lock(sink_mutex);
  if (level >= console_level) std::fprintf(stderr, "weft: %s%s\n", prefix(level), text.c_str());
  for (auto& [id, sink] : sinks) sink(level, text);
}

int add_log_sink(std::function<void(LogLevel, const std::string&)> sink) {
  std::lock_guard lock(sink_mutex);
  sinks[next_id] = std::move(sink);
  return next_id++;
}

void remove_log_sink(int id) {
  std::lock_guard lock(sink_mutex);
  sinks.erase(id);
}

void set_console_level(LogLevel lowest) {
  std::lock_guard lock(sink_mutex);
  console_level = lowest;
}

}  // namespace weft
