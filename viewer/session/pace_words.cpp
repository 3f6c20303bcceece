#include "viewer/session/pace_words.h"

#include <fmt/format.h>

namespace weft {
namespace {

constexpr double kLongStep = 1;  // s

/// Two digits that count: 0.4, 0.13, 0.012; 24 from ten on.
std::string short_number(double value) {
  return value < 10 ? fmt::format("{:.2g}", value) : fmt::format("{:.0f}", value);
}

}  // namespace

PaceReading pace_reading(const Session& session) {
  const Frame& frame = session.frame();
  return {.playing = session.playing(),
          .pace = session.pace(),
          .too_slow = frame.too_slow,
          .steps_per_second = frame.steps_per_second,
          .real_time_factor = frame.real_time_factor,
          .step = frame.step,
          .step_seconds = session.playback() ? 0 : session.runner().step_seconds(),
          .building = session.loading().has_value()};
}

bool shows_step(const PaceReading& r) {
  if (r.step_seconds >= kLongStep) return true;
  // While steps take that long, their line stays between them.
  return r.playing && r.step_seconds > 0 && r.steps_per_second > 0 && r.steps_per_second < 1 / kLongStep;
}

PaceWords pace_words(const PaceReading& r) {
  if (r.building)
    return {"Building a scene",
            "The panels are still those of the scene before it. What is changed in them now is refused or "
            "lost; they can be used when the new scene is there.",
            PaceWords::Mood::waiting};
  if (shows_step(r))
    return {
        fmt::format("Step {}: solving, {:.0f} s", r.step + 1, r.step_seconds) +
            (r.steps_per_second > 0 ? fmt::format(", {}\u00d7 real time", short_number(r.real_time_factor))
                                    : std::string()),
        "The time step that is being made, and how long it has taken so far. Fewer vertices or a larger "
        "time step make it shorter.",
        PaceWords::Mood::slow};
  if (!r.playing) return {"Paused", "Space plays.", PaceWords::Mood::waiting};
  if (r.steps_per_second <= 0)
    return {fmt::format("Step {}", r.step + 1), "The speed is known after a few steps.",
            PaceWords::Mood::good};
  const std::string speed =
      short_number(r.real_time_factor) + "\u00d7 real time, " + short_number(r.steps_per_second) + " steps/s";
  if (r.too_slow && r.pace == Pace::real_time)
    return {
        "Slow motion, " + speed,
        "A time step takes longer than the time that it simulates, so all motion is slowed by this factor; "
        "handles are drawn under the cursor and follow it faster to keep up. Fewer vertices, a larger time "
        "step or fewer iterations bring real time nearer.",
        PaceWords::Mood::slow};
  return {speed, "Simulated time per wall-clock time, and finished time steps per second.",
          PaceWords::Mood::good};
}

PaceWords unsolved_words(const LeftUnsolved& left) {
  if (left.share() <= 0) return {};
  const double mm = 1e3 * left.error();
  const std::string off = mm < 0.01 ? "less than 0.01"
                                    : fmt::format("{:.{}f}", mm,
                                                  mm < 1     ? 2
                                                  : mm < 100 ? 1
                                                             : 0);
  return {
      "Keeping up, off by " + off + " mm a step",
      fmt::format("While you drag, the solver of a step ends when its time is over (contact never does), "
                  "which leaves the cloth off by so much in the mean: {:.2g} % of what gravity moves in a "
                  "step. Steps are solved again when you let go. Such a run has other bits each time; its "
                  "saved hands replay to the same.",
                  100 * left.share()),
      PaceWords::Mood::slow};
}

}  // namespace weft
