#include "viewer/session/stretch_film.h"

#include <utility>

#include "viewer/session/window_state.h"

namespace weft {

StretchFilm::StretchFilm(WindowState& state, std::vector<int> steps)
    : steps_(std::move(steps)), exact_before_(state.recording.choices.exact) {
  state.session.show_step(steps_.front());
}

bool StretchFilm::turn(WindowState& state) {
  const auto end = [&] {
    state.recording.choices.exact = exact_before_;
    return false;
  };
  const bool there = state.session.frame().step == steps_[next_];
  if (!began_) {
    if (!there) return true;
    state.recording.choices.exact = true;
    state.requests.toggle_recording = began_ = true;
    return true;
  }
  if (state.requests.toggle_recording) return true;  // it begins, or ends, with the next picture
  if (!state.recording.active()) return end();       // refused, or somebody ended it
  if (!there || state.recording.wants(state.session.frame())) return true;
  if (++next_ < steps_.size()) return state.session.show_step(steps_[next_]), true;
  state.requests.toggle_recording = true;
  return end();
}

}  // namespace weft
