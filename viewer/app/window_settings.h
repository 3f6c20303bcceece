// What the window remembers from one run to the next.
#pragma once
#include <map>
#include <string>

namespace weft {

/// Names and values in $XDG_CONFIG_HOME/weft/window.ini (or ~/.config/weft). A file that is missing, damaged or not
/// writable costs nothing but the memory: defaults are used.
class WindowSettings {
 public:
  /// Reads the file; `path` empty: nothing is read or kept.
  explicit WindowSettings(std::string path);
  /// Where the file is; empty if there is neither $XDG_CONFIG_HOME nor $HOME.
  static std::string default_path();

  float number(const std::string& name, float fallback) const;
  bool flag(const std::string& name, bool fallback) const;
  std::string text(const std::string& name, const std::string& fallback) const;
  void set(const std::string& name, float value);
  void set(const std::string& name, bool value);
  void set(const std::string& name, const std::string& value);

  /// Writes the file if something changed since. Replaces it in one move, so that a crash leaves the old one.
  void save();

 private:
  std::string path_;
  std::map<std::string, std::string> values_;
  bool changed_ = false;
};

}  // namespace weft
