// What is burnt into the videos of the window.
#pragma once
#include <memory>

#include "viewer/record/timings_caption.h"
#include "viewer/render/caption_painter.h"

namespace weft {

struct WindowState;

class WindowCaptions {
 public:
  /// A newer state is shown.
  void stepped(double step_ms) { step_time_.add(step_ms); }
  /// What a video shows of framebuffer `from`: while one is recorded a copy with the texts that were chosen, else itself.
  GLuint burn(const WindowState& state, GLuint from, ivec2 size);

 private:
  std::unique_ptr<CaptionPainter> painter_;  // once something was to be written
  ShownStepTime step_time_;
};

}  // namespace weft
