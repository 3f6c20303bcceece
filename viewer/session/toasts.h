// Messages of the window and their history.
#pragma once
#include <deque>
#include <mutex>
#include <string>

#include "sim/base/log.h"

namespace weft {

class Toasts {
 public:
  /// Thread-safe. A message that repeats the newest one is counted, not listed again. `stays`: until the user
  /// closes it.
  void add(LogLevel level, const std::string& text, bool stays = false);
  /// Draws new messages in the lower right corner of (x, y, width, height). Errors, and messages with
  /// `stays`, remain until they are closed.
  void draw(float x, float y, float width, float height, float scale);
  /// Draws all of them; `open` as in ImGui.
  void draw_history(bool* open, float scale);
  /// True while a shown message will fade by itself.
  bool fading() const { return any_younger_than(0); }
  /// True until half a second after it has faded; the window must draw until then.
  bool needs_pictures() const { return any_younger_than(0.5); }
  /// Changes whenever a message comes in.
  long revision() const;
  /// Errors and warnings that were not yet seen in the history.
  int unread() const;
  std::string newest() const;
  /// The texts of all that are remembered, the newest last.
  std::vector<std::string> texts() const;
  /// Number of messages that remain until they are closed.
  int staying() const;

 private:
  struct Message {
    LogLevel level;
    std::string text, clock;
    double born;
    bool stays = false;
    int times = 1;
    bool closed = false;
    double lifetime() const;  // s
  };
  /// Some message that is still open is not older than its lifetime and `extra` seconds.
  bool any_younger_than(double extra) const;
  bool draw_one(Message& message, float right, float& bottom, float width, float scale, int index);
  mutable std::mutex mutex_;
  std::deque<Message> messages_;
  long revision_ = 0;
  int unread_ = 0;
};

}  // namespace weft
