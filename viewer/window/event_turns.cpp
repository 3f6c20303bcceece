#include "viewer/window/event_turns.h"

#include <iterator>

namespace weft {

bool EventTurns::fits(const WindowEvent& e) const {
  if (!changed_ || e.kind == WindowEvent::Kind::damage) return true;
  return e.kind == WindowEvent::Kind::move && vec2(e.x, e.y) == cursor_;
}

std::vector<WindowEvent> EventTurns::take() {
  size_t count = 0;
  for (; count < waiting_.size() && fits(waiting_[count]); ++count) {
    const WindowEvent& e = waiting_[count];
    cursor_ = vec2(e.x, e.y);
    const bool press = e.kind == WindowEvent::Kind::press;
    if (!press && e.kind != WindowEvent::Kind::release) continue;
    changed_ = true;
    if (e.key >= 0 && e.key < kButtons) down_[e.key] = press;
  }
  const auto end = waiting_.begin() + std::ptrdiff_t(count);
  std::vector<WindowEvent> taken(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  return taken;
}

}  // namespace weft
