// The pace of the simulation in words, for the status bar.
#pragma once
#include <string>

#include "viewer/session/window_session.h"

namespace weft {

struct PaceReading {
  bool playing = false;
  Pace pace = Pace::real_time;
  bool too_slow = false;        // Frame::too_slow
  double steps_per_second = 0;  // 0: not known yet
  double real_time_factor = 0;
  int step = 0;             // the newest state's
  double step_seconds = 0;  // Runner::step_seconds
  bool building = false;    // another scene is being built, and the numbers are of the one before
};

struct PaceWords {
  enum class Mood { good, slow, waiting };
  std::string text, tooltip;
  Mood mood = Mood::good;
};

/// Of a running simulation.
PaceReading pace_reading(const Session& session);
PaceWords pace_words(const PaceReading& reading);

/// Of what steps leave that a budget ended; empty where all were solved.
PaceWords unsolved_words(const LeftUnsolved& left);

/// True if the step that is being made is shown with its time.
bool shows_step(const PaceReading& reading);

}  // namespace weft
