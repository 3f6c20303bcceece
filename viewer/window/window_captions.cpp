#include "viewer/window/window_captions.h"

#include <imgui.h>

#include <algorithm>

#include "viewer/session/window_state.h"
#include "viewer/theme/theme.h"

namespace weft {

GLuint WindowCaptions::burn(const WindowState& state, GLuint from, ivec2 size) {
  if (!state.recording.active()) return from;
  const RecordingChoices& choices = state.recording.choices;
  Captions captions{choices.caption, {}, state.renderer.legend().visible};
  const Frame& frame = state.session.frame();
  if (choices.show_timings)
    captions.timings = state.session.playback() ? recorded_text(frame.time, frame.vertex_count)
                                                : timings_text(frame.time, step_time_.next(),
                                                               state.session.scene(), frame.vertex_count);
  if (captions.empty()) return from;
  if (from == 0) {  // the whole window: beside its panels
    const Rect& v = state.viewport;
    const float ratio = float(size.x) / std::max(1.0f, ImGui::GetIO().DisplaySize.x);
    captions.area = ivec4(glm::round(vec4(v.x, v.y, v.width, v.height) * ratio));
  }
  if (!painter_) painter_ = std::make_unique<CaptionPainter>(theme::find_font());
  return painter_->burn(from, size, captions);
}

}  // namespace weft
