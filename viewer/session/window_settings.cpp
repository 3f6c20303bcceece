#include "viewer/session/window_settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace weft {

WindowSettings::Values WindowSettings::read(const std::string& path) {
  Values values;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t equals = line.find('=');
    if (equals != std::string::npos && line[0] != '#')
      values[line.substr(0, equals)] = line.substr(equals + 1);
  }
  return values;
}

WindowSettings::WindowSettings(std::string path) : path_(std::move(path)) {
  if (!path_.empty()) values_ = read(path_);
}

std::string WindowSettings::default_path() {
  if (const char* xdg = std::getenv("XDG_CONFIG_HOME"); xdg && *xdg)
    return std::string(xdg) + "/weft/window.ini";
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.config/weft/window.ini";
  return {};
}

float WindowSettings::number(const std::string& name, float fallback) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return fallback;
  const std::string& s = found->second;
  float value = 0;
  const auto [end, code] = std::from_chars(s.data(), s.data() + s.size(), value);
  return code == std::errc() && end == s.data() + s.size() && std::isfinite(value) ? value : fallback;
}

bool WindowSettings::flag(const std::string& name, bool fallback) const {
  const auto found = values_.find(name);
  if (found == values_.end() || (found->second != "true" && found->second != "false")) return fallback;
  return found->second == "true";
}

std::string WindowSettings::text(const std::string& name, const std::string& fallback) const {
  const auto found = values_.find(name);
  return found == values_.end() ? fallback : found->second;
}

void WindowSettings::set(const std::string& name, float value) { set(name, fmt::format("{}", value)); }
void WindowSettings::set(const std::string& name, bool value) {
  set(name, std::string(value ? "true" : "false"));
}

void WindowSettings::set(const std::string& name, const std::string& value) {
  std::string& kept = values_[name];
  if (kept == value) return;
  kept = value;
  changed_.insert(name);
}

/// Unique to this process: two windows may close at once.
std::string WindowSettings::fresh_path() const { return fmt::format("{}.{}.new", path_, ::getpid()); }

void WindowSettings::save() {
  if (path_.empty() || changed_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
  Values all = read(path_);
  for (const std::string& name : changed_) all[name] = values_[name];
  const std::string fresh = fresh_path();
  {
    std::ofstream file(fresh);
    for (const auto& [name, value] : all) file << name << '=' << value << '\n';
    if (!file.flush()) return void(std::filesystem::remove(fresh, ignored));
  }
  std::filesystem::rename(fresh, path_, ignored);
  if (ignored) std::filesystem::remove(fresh, ignored);
  else changed_.clear();
}

std::string WindowSettings::why_not_kept() const {
  if (path_.empty()) return "there is no home folder";
  std::error_code fault;
  const auto folder = std::filesystem::path(path_).parent_path();
  std::filesystem::create_directories(folder, fault);
  if (fault) return folder.string() + ": " + fault.message();
  if (std::filesystem::is_directory(path_, fault)) return path_ + " is a folder";
  if (std::ofstream(fresh_path())) {
    std::filesystem::remove(fresh_path(), fault);
    return {};
  }
  return folder.string() + ": " + std::strerror(errno);
}

}  // namespace weft
