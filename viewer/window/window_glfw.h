// The desktop window: GLFW, Dear ImGui, and the events between two iterations of the main loop.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/base/math.h"

struct GLFWwindow;

namespace weft {

/// An event from the desktop since the last iteration, in order.
struct WindowEvent {
  enum class Kind { key, press, release, wheel, drop, damage };
  Kind kind = Kind::damage;
  int key = 0;  // GLFW key or mouse button
  bool shift = false, ctrl = false, alt = false;
  bool repeated = false;
  double x = 0, y = 0;  // position of the cursor at the time of the event
  float wheel = 0;
  std::vector<std::string> paths;
};

/// An OpenGL 4.5 window with ImGui in it. Throws Error where there is no display or no such OpenGL.
class DesktopWindow {
 public:
  /// `scale` 0: from the display. Sizes in screen coordinates; the desktop places the window.
  struct Options {
    int width = 1440, height = 900;
    bool maximized = false;
    bool within_screen = false;  // smaller than that where the screen is
    float scale = 0;
  };
  explicit DesktopWindow(const Options& options);
  ~DesktopWindow();
  DesktopWindow(const DesktopWindow&) = delete;

  GLFWwindow* handle() const { return window_; }
  /// Scale of text and widgets.
  float scale() const { return scale_; }
  /// True if the display's scale has changed since the last call (the window was moved to another monitor).
  bool rescale();
  ivec2 size() const;              // screen coordinates; 0 when minimised
  ivec2 framebuffer_size() const;  // pixels
  bool minimised() const;
  bool maximised() const;
  vec2 cursor() const;
  double refresh_rate() const;  // refresh rate of the display, Hz

  /// Waits up to `seconds` (0: not at all) and returns the events. Mere cursor motion is reported as
  /// `damage`.
  std::vector<WindowEvent> events(double seconds);
  bool should_close() const;

  void begin_gui();
  /// Draws the widgets over framebuffer 0.
  void end_gui();
  void swap();
  void set_vsync(bool on);
  void set_title(const std::string& title);

 private:
  friend struct WindowEvents;
  void make_window(const Options& options);
  void listen();
  GLFWwindow* window_ = nullptr;
  float scale_ = 1, fixed_scale_ = 0;
  double cursor_x_ = 0, cursor_y_ = 0;  // as of the newest event
  bool cursor_known_ = false;
  // ImGui reads mouse and keys once per picture. Presses of this iteration, and what they hide from ImGui for
  // one picture:
  struct Held {
    vec2 cursor;
    bool shift = false, ctrl = false, alt = false;
  };
  void show_presses();
  void end_presses();
  std::optional<Held> pressed_, actual_;
  std::vector<int> struck_;
  struct {
    double time = -1;  // s, of the last press of the left button; below 0: the next one begins anew
    vec2 at{0};
    bool twice = false;  // a double-click in this iteration
    // s: since when events are waited for and until when, and when the wait before ended
    double asked = 0, until = 0, answered = 0;
  } left_;
  std::vector<WindowEvent> pending_;
};

}  // namespace weft
