// A display of its own (Xvfb with openbox) and a mouse and keyboard (xdotool) for tests of the window.
#pragma once
#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/skip.h"
#include "viewer/gl/image.h"

namespace weft::testing {

/// A virtual display with a window manager, or `managed` false: without; gone with the object. Where Xvfb,
/// openbox, xdotool or ffmpeg is missing,
/// `missing` names it and the test should say so and pass.
class Desktop {
 public:
  Desktop(int width = 1400, int height = 900, bool managed = true);
  ~Desktop();
  Desktop(const Desktop&) = delete;
  const std::string& missing() const { return missing_; }
  /// ":7"
  const std::string& display() const { return display_; }
  /// A folder for the test's files; removed at the end.
  const std::string& folder() const { return folder_; }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  /// Runs a shell command with DISPLAY set, in the folder; returns what it printed.
  std::string shell(const std::string& command) const;
  /// Starts a program in the folder and returns its process id.
  pid_t start(const std::vector<std::string>& command) const;

 private:
  std::string missing_, display_, folder_;
  pid_t server_ = -1, manager_ = -1;
};

/// The `weft` program with a window on a Desktop, worked from outside and seen through its test report.
class RunningWeft {
 public:
  RunningWeft(const Desktop& desktop, std::vector<std::string> arguments);
  ~RunningWeft();

  using Report = nlohmann::json;
  /// Waits until the report satisfies `condition`; fails the test after `seconds` and prints `what`.
  Report wait_until(const std::string& what, const std::function<bool(const Report&)>& condition,
                    double seconds = 30);
  /// A report written after this call, once the window has drawn a few more pictures.
  Report fresh();
  bool running();
  pid_t process() const { return process_; }
  /// Halts the program, as a slow picture does; what the mouse does meanwhile is read by `go_on`.
  void stall();
  void go_on();

  void move_to(double x, double y);
  void press(int button = 1);
  void release(int button = 1);
  void click(double x, double y, int button = 1);
  /// A name as xdotool knows it: "space", "ctrl+z".
  void key(const std::string& name);
  void key_down(const std::string& name);
  void key_up(const std::string& name);
  /// Middle of a widget of the report's "items"; `across` from its left (0) to its right (1).
  std::pair<double, double> item(const std::string& name, double across = 0.5);
  void xdotool(const std::string& arguments);
  /// What the display shows inside the window.
  Image screenshot();

 private:
  void find_window();
  std::string log() const;
  const Desktop& desktop_;
  std::string report_path_;
  pid_t process_ = -1;
  std::string window_;
};

/// Writes a small hanging cloth of about `vertices` vertices and returns the file's path.
std::string write_small_scene(const Desktop& desktop, int vertices = 1500,
                              const std::string& title = "Small cloth");

}  // namespace weft::testing

/// For tests of a real window: ends the test where the machine has no display or no hands for it.
#define DESKTOP_OR_SKIP(desktop)                                                  \
  if (!desktop.missing().empty()) {                                               \
    weft::testing::skip("there is no " + desktop.missing() + " on this machine"); \
    return;                                                                       \
  }
