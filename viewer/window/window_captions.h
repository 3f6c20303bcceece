// Texts in the videos of the window.
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
  /// The framebuffer for the video: `from`, or a copy with the chosen texts while recording.
  GLuint burn(const WindowState& state, GLuint from, ivec2 size);

 private:
  std::unique_ptr<CaptionPainter> painter_;  // once something was to be written
  ShownStepTime step_time_;
};

}  // namespace weft
