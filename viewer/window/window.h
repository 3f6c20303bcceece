// The interactive window.
#pragma once
#include <memory>
#include <string>

#include "viewer/session/window_options.h"

namespace weft {

/// Opens the window and runs until it is closed. Returns the exit status. Throws Error where there is no
/// display or no OpenGL 4.5, and for a scene that cannot be built.
int run_window(const WindowOptions& options);

/// The same in single turns, for tests and for `run_window`.
class Window {
 public:
  explicit Window(const WindowOptions& options);
  ~Window();
  Window(const Window&) = delete;

  /// One iteration of the main loop: events, then one picture if something changed. Waits for events while
  /// nothing moves. False if the window should close.
  bool turn();
  /// Draws every turn, without waiting for events or for the display: for measuring the rate of pictures.
  void set_unthrottled(bool on);
  /// Pictures drawn since the start.
  long pictures() const;
  class Session& session();
  /// OpenGL's name of the renderer.
  std::string renderer_name() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
