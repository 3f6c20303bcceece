// Settings of the window that are kept between runs.
#pragma once
#include <map>
#include <set>
#include <string>

namespace weft {

/// Default of "history.megabytes": memory for the kept states of a run (sim/run/state_history.h). Of 10,000
/// vertices at 60 steps a second the newer half of it has every step of some 20 s.
constexpr float kHistoryMegabytes = 1024;

/// Names and values in $XDG_CONFIG_HOME/weft/window.ini (or ~/.config/weft). If the file is missing, damaged
/// or not writable, defaults are used.
class WindowSettings {
 public:
  /// Reads the file; `path` empty: nothing is read or written.
  explicit WindowSettings(std::string path);
  /// Path of the file; empty if there is neither $XDG_CONFIG_HOME nor $HOME.
  static std::string default_path();

  float number(const std::string& name, float fallback) const;
  bool flag(const std::string& name, bool fallback) const;
  std::string text(const std::string& name, const std::string& fallback) const;
  void set(const std::string& name, float value);
  void set(const std::string& name, bool value);
  void set(const std::string& name, const std::string& value);

  /// Writes the file if something changed. Renames a new file into place, so that a crash leaves the old one.
  /// Settings that another window wrote meanwhile are kept, except those changed here.
  void save();
  /// Why changes cannot be kept, in words; empty where they can.
  std::string why_not_kept() const;

 private:
  using Values = std::map<std::string, std::string>;
  static Values read(const std::string& path);
  std::string fresh_path() const;
  std::string path_;
  Values values_;
  std::set<std::string> changed_;
};

}  // namespace weft
