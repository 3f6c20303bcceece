// The desktop window: GLFW, Dear ImGui, and the events between two iterations of the main loop.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/base/math.h"
#include "viewer/window/event_turns.h"

struct GLFWwindow;
struct GLFWmonitor;

namespace weft {

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
  bool full_screen() const { return windowed_.has_value(); }
  /// Fills the monitor that most of the window is on, or has the place and size from before again.
  void set_full_screen(bool on);
  /// `size`, or in full screen that of the window before.
  ivec2 windowed_size() const { return windowed_ ? windowed_->size : size(); }
  /// As the present picture shows it: there may be events that wait for the next one.
  vec2 cursor() const;
  double refresh_rate() const;  // of the monitor that the window is on, Hz

  /// Waits up to `seconds` (0: not at all) and returns the events that the next picture can show, in order.
  /// Cursor motion and text are reported as `damage`.
  std::vector<WindowEvent> events(double seconds);
  /// True if some wait for the picture after it.
  bool more_events() const { return !turns_.waiting().empty(); }
  /// What `events` returns from now on is for another picture.
  void next_picture();
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
  GLFWmonitor* monitor() const;
  struct Windowed {
    ivec2 at{0}, size{0};
  };
  std::optional<Windowed> windowed_;  // the window before it filled the screen
  void listen();
  GLFWwindow* window_ = nullptr;
  float scale_ = 1, fixed_scale_ = 0;
  double cursor_x_ = 0, cursor_y_ = 0;  // as of the newest event
  bool cursor_known_ = false;
  // What ImGui, which reads mouse and keys once per picture, is shown of the events of this one:
  struct Held {
    vec2 cursor;
    bool shift = false, ctrl = false, alt = false;
  };
  struct Shown {
    std::optional<Held> press;
    bool twice = false;  // a double-click
    vec2 wheel{0};
    std::vector<int> struck;
    std::u32string text;
  };
  void show(const WindowEvent& event);
  void show_events();
  void end_events();
  EventTurns turns_;
  Shown shown_;
  std::optional<Held> actual_;  // what that hides, for one picture
  struct {
    double time = -1;  // s, of the last press of the left button; below 0: the next one begins anew
    vec2 at{0};
    // s: since when events are waited for and until when, and when the wait before ended
    double asked = 0, until = 0, answered = 0;
  } left_;
};

}  // namespace weft
