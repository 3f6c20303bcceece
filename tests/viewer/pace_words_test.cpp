#include "viewer/session/pace_words.h"

#include <doctest/doctest.h>

using namespace weft;

namespace {

PaceReading playing(double steps_per_second, double real_time_factor, bool too_slow) {
  return {.playing = true,
          .too_slow = too_slow,
          .steps_per_second = steps_per_second,
          .real_time_factor = real_time_factor,
          .step = 30};
}

}  // namespace

TEST_CASE("a run that is slower than real time says that it is slow motion, and by what factor") {
  CHECK(pace_words(playing(24, 0.4, true)).text == "Slow motion, 0.4\u00d7 real time, 24 steps/s");
  CHECK(pace_words(playing(2.52, 0.0421, true)).text == "Slow motion, 0.042\u00d7 real time, 2.5 steps/s");
  CHECK(pace_words(playing(24, 0.4, true)).mood == PaceWords::Mood::slow);
  CHECK(pace_words(playing(60, 1, false)).text == "1\u00d7 real time, 60 steps/s");
  CHECK(pace_words(playing(60, 0.997, false)).mood == PaceWords::Mood::good);
  PaceReading chosen = playing(6, 0.1, true);
  chosen.pace = Pace::slow_motion;
  CHECK(pace_words(chosen).text == "0.1\u00d7 real time, 6 steps/s");
}

TEST_CASE("a step of more than a second is named with the time that it has taken") {
  PaceReading first{.playing = true, .step = 0, .step_seconds = 12.3};
  CHECK(pace_words(first).text == "Step 1: solving, 12 s");
  CHECK(pace_words(first).mood == PaceWords::Mood::slow);
  PaceReading later = playing(0.4, 0.0067, true);
  later.step_seconds = 0.2;  // the next one: the line stays
  CHECK(pace_words(later).text == "Step 31: solving, 0 s, 0.0067\u00d7 real time");
  PaceReading quick = playing(30, 0.5, true);
  quick.step_seconds = 0.03;
  CHECK(pace_words(quick).text == "Slow motion, 0.5\u00d7 real time, 30 steps/s");
  PaceReading single{.step = 7, .step_seconds = 3};  // by a key, while it is paused
  CHECK(pace_words(single).text == "Step 8: solving, 3 s");
  single.step_seconds = 0;
  CHECK(pace_words(single).text == "Paused");
}

TEST_CASE("no speed is claimed before it is known") {
  CHECK(pace_words(PaceReading{.playing = true, .step = 0}).text == "Step 1");
}

TEST_CASE("what a budget leaves is told in mm, stays for a moment, and goes when the hand lets go") {
  LeftUnsolved left;
  Frame frame;
  frame.handles.emplace_back();
  const auto look = [&](int step, int iterations, float residual) {
    frame.step = step, frame.stats.budget_iterations = iterations, frame.stats.solver_residual = residual;
    left.look(frame, 0.01f);
    return unsolved_words(left).text;
  };
  CHECK(look(1, 0, 0.5f).empty());                                 // solved as well as it could be
  CHECK(look(2, 9, 0.2f) == "Keeping up, off by 0.20 mm a step");  // 0.2 g h²
  CHECK(unsolved_words(left).mood == PaceWords::Mood::slow);
  CHECK(unsolved_words(left).tooltip.find("20 % of what gravity moves") != std::string::npos);
  CHECK(look(3, 0, 0.001f) == "Keeping up, off by 0.20 mm a step");
  CHECK(look(4, 9, 3) == "Keeping up, off by 2.9 mm a step");
  CHECK(look(5, 9, 0.1f) == "Keeping up, off by 2.8 mm a step");  // the largest, fading
  CHECK(look(25, 0, 0.001f) != "");
  CHECK(look(26, 0, 0.001f).empty());
  CHECK(look(27, 9, 0.001f) == "Keeping up, off by less than 0.01 mm a step");
  frame.handles.clear();
  CHECK(look(28, 0, 0.001f).empty());
}

TEST_CASE("a reset takes what a budget left off the status bar") {
  LeftUnsolved left;
  Frame frame;
  frame.handles.emplace_back();
  frame.step = 100, frame.stats.budget_iterations = 4, frame.stats.solver_residual = 0.3f;
  left.look(frame, 0.01f);
  CHECK(left.error() == doctest::Approx(0.3 * 9.81 * 1e-4));
  frame.step = 1, frame.stats.budget_iterations = 0;
  left.look(frame, 0.01f);
  CHECK(left.error() == 0);
}

TEST_CASE("while another scene is built its pace is not that of the scene before it") {
  PaceReading r = playing(6, 0.1, true);
  r.building = true;
  CHECK(pace_words(r).text == "Building a scene");
  CHECK(pace_words(r).mood == PaceWords::Mood::waiting);
}
