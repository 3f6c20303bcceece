#include "sim/run/pace.h"

#include <doctest/doctest.h>

using namespace weft;

namespace {

/// A clock that the test moves.
struct FakeClock {
  PaceControl::TimePoint now{};
  void advance(double seconds) {
    now += std::chrono::duration_cast<PaceControl::Clock::duration>(std::chrono::duration<double>(seconds));
  }
  double seconds() const { return std::chrono::duration<double>(now.time_since_epoch()).count(); }
};

/// Makes `steps` steps of `dt` simulated seconds that cost `cost` seconds each; returns how long they took.
double run(PaceControl& pace, FakeClock& clock, double& time, int steps, double dt, double cost) {
  const double start = clock.seconds();
  for (int k = 0; k < steps; ++k) {
    const auto due = pace.due(time, clock.now);
    if (due > clock.now) clock.now = due;
    clock.advance(cost);
    time += dt;
    pace.stepped(time, clock.now);
  }
  return clock.seconds() - start;
}

}  // namespace

TEST_CASE("in real time a simulated second takes a second") {
  PaceControl pace;
  FakeClock clock;
  double time = 0;
  run(pace, clock, time, 300, 0.01, 0.002);
  CHECK(clock.seconds() == doctest::Approx(2.992).epsilon(1e-6));  // 299 waits of 10 ms and one step
  CHECK(pace.real_time_factor() == doctest::Approx(1).epsilon(0.01));
  CHECK(pace.steps_per_second() == doctest::Approx(100).epsilon(0.01));
  CHECK(!pace.too_slow());
}

TEST_CASE("in slow motion a simulated second takes ten") {
  PaceControl pace;
  pace.set(Pace::slow_motion, 0.1);
  FakeClock clock;
  double time = 0;
  run(pace, clock, time, 30, 0.01, 0.002);
  CHECK(clock.seconds() == doctest::Approx(2.902).epsilon(1e-6));
  CHECK(!pace.too_slow());
}

TEST_CASE("as fast as possible waits for nothing") {
  PaceControl pace;
  pace.set(Pace::fastest, 1);
  FakeClock clock;
  double time = 0;
  CHECK(run(pace, clock, time, 100, 0.01, 0.002) == doctest::Approx(0.2));
  CHECK(pace.real_time_factor() == doctest::Approx(5).epsilon(0.01));
  CHECK(!pace.too_slow());
}

TEST_CASE("steps that cost more than they simulate are noticed, and recovery too") {
  PaceControl pace;
  FakeClock clock;
  double time = 0;
  run(pace, clock, time, 100, 0.01, 0.02);
  CHECK(pace.too_slow());
  CHECK(pace.real_time_factor() == doctest::Approx(0.5).epsilon(0.01));
  run(pace, clock, time, 400, 0.01, 0.002);
  CHECK(!pace.too_slow());
}

TEST_CASE(
    "the lag is by how much steps are too slow for the pace that was asked for, and 1 where they are not") {
  const auto lag = [](Pace asked, double factor, double cost) {
    PaceControl pace;
    pace.set(asked, factor);
    CHECK(pace.lag() == 1);
    FakeClock clock;
    double time = 0;
    run(pace, clock, time, 100, 0.01, cost);
    return pace.lag();
  };
  CHECK(lag(Pace::real_time, 1, 0.002) == 1);
  CHECK(lag(Pace::real_time, 1, 0.0102) == 1);
  CHECK(lag(Pace::real_time, 1, 0.08) == doctest::Approx(8));
  CHECK(lag(Pace::real_time, 1, 3) == doctest::Approx(300));
  CHECK(lag(Pace::slow_motion, 0.1, 0.08) == 1);
  CHECK(lag(Pace::slow_motion, 0.1, 0.3) == doctest::Approx(3));
  CHECK(lag(Pace::fastest, 1, 0.002) == 1);
}

TEST_CASE("a long stall is not made up for by hurrying") {
  PaceControl pace;
  FakeClock clock;
  double time = 0;
  run(pace, clock, time, 100, 0.01, 0.001);
  clock.advance(5);
  // At most a tenth of a second of debt may be caught up, so 100 steps take 0.9 s or more.
  CHECK(run(pace, clock, time, 100, 0.01, 0.001) >= 0.89);
}

TEST_CASE("a short stall is caught up") {
  PaceControl pace;
  FakeClock clock;
  double time = 0;
  run(pace, clock, time, 100, 0.01, 0.001);
  clock.advance(0.05);
  CHECK(run(pace, clock, time, 100, 0.01, 0.001) == doctest::Approx(0.95).epsilon(0.01));
}

TEST_CASE(
    "a step may take most of the time that the pace leaves it, unless the scene or the user says else") {
  PaceControl pace;
  CHECK_FALSE(pace.budget(0.01f, 0));
  CHECK_FALSE(pace.budget(0.01f, 5));
  pace.set_keep_up({});
  CHECK(*pace.budget(0.01f, 0) == doctest::Approx(0.0085));
  CHECK(*pace.budget(0.01f, 5) == 5);
  pace.set(Pace::slow_motion, 0.1);
  CHECK(*pace.budget(0.01f, 0) == doctest::Approx(0.085));
  pace.set(Pace::fastest, 0.1);
  CHECK(*pace.budget(0.01f, 0) == doctest::Approx(0.0085));
  pace.set_keep_up({true, 0.02f});
  CHECK(*pace.budget(0.01f, 0) == 0.02f);
  pace.set_keep_up({false, 0.02f});
  CHECK(*pace.budget(0.01f, 0) == 0);
  CHECK(*pace.budget(0.01f, 5) == 0);
}
