// Runs that are compared with the session's own.
#include "viewer/session/window_session.h"

namespace weft {

void Session::compare_with(const LaneSpec& lane) {
  if (refused_in_playback() || refused_while_loading()) return;
  end_edit();
  drag_.release_all();
  Scene tuned = runner_->tuned_scene();
  add_own(tuned);
  lanes().add(tuned, lane, device_choice_);
}

void Session::end_comparison() {
  lanes().end();
  runner_->set_pace(course_.pace, course_.slow_factor);
  runner_->set_keep_up(course_.keep_up);
}

void Session::turn_lanes(double wall, bool by_step) {
  if (!lanes().any()) return;
  const double pace = course_.pace == Pace::real_time     ? 1
                      : course_.pace == Pace::slow_motion ? course_.slow_factor
                                                          : 0;
  lanes().turn(playing(), wall, pace, by_step);
  if (!lanes().any()) end_comparison();  // the last one could not be built
}

bool Session::refused_while_making() {
  const bool making = lanes().any() && !lanes().running();
  if (making) tell_(LogLevel::notice, "Nothing was changed: a run to compare with is being made");
  return making;
}

bool Session::refused_while_comparing() {
  if (lanes().any())
    tell_(LogLevel::notice, "While runs are compared none goes back; R sets all of them to their start");
  return lanes().any();
}

}  // namespace weft
