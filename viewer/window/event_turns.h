// Events from the desktop, a picture at a time.
#pragma once
#include <string>
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// An event from the desktop.
struct WindowEvent {
  enum class Kind { key, text, press, release, move, wheel, drop, damage };
  Kind kind = Kind::damage;
  int key = 0;  // GLFW key or mouse button
  bool shift = false, ctrl = false, alt = false;
  bool repeated = false;  // a key
  bool twice = false;     // the second press of a double-click
  double x = 0, y = 0;    // position of the cursor at the time of the event
  float wheel = 0, sideways = 0;
  int struck = 0;          // the key at this place of the keyboard, whatever the layout has there; 0: none
  unsigned character = 0;  // text
  std::vector<std::string> paths;
};

/// Dear ImGui before 1.87 reads mouse and keys once per picture, so that of two clicks within a slow one it
/// sees one press, and of a press, a movement and a release a release elsewhere. Here a picture is given the
/// events up to the first that it could not show beside the others: one change of a button, at the place
/// where it happened; the rest follows in the next pictures.
class EventTurns {
 public:
  void add(WindowEvent event) { waiting_.push_back(std::move(event)); }
  /// The events taken from now on are for another picture.
  void next_picture() { changed_ = false; }
  /// Takes what this picture can show, in order.
  std::vector<WindowEvent> take();
  /// Events that wait for the next picture.
  const std::vector<WindowEvent>& waiting() const { return waiting_; }
  /// Cursor and buttons after the events taken so far.
  vec2 cursor() const { return cursor_; }
  bool down(int button) const { return button >= 0 && button < kButtons && down_[button]; }
  static constexpr int kButtons = 5;

 private:
  bool fits(const WindowEvent& event) const;
  std::vector<WindowEvent> waiting_;
  vec2 cursor_{0};
  bool down_[kButtons] = {};
  bool changed_ = false;  // a button, in this picture
};

}  // namespace weft
