// Rates at which a video's frames are even, and runs at other rates.
#include "viewer/record/even_rate.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "sim/files/resampled_frames.h"
#include "viewer/record/recorder.h"

using namespace weft;

namespace {

/// How many steps apart neighbouring frames of a video are, of 12 s of it.
std::set<int> advances(double dt, double speed, double fps) {
  FrameClock clock(fps, 0, speed);
  std::set<int> found;
  int last = -1, step = 0;
  for (double time = 0; clock.frames() < int(12 * fps); ++step) {
    time = double(float(dt)) * (step + 1);
    for (int k = clock.frames_before(time); k > 0; --k) {
      if (last >= 0) found.insert(step - last);
      last = step;
    }
  }
  return found;
}

/// A run of `times`, whose frames hold their number as a coordinate.
class NumberedFrames final : public FrameSource {
 public:
  NumberedFrames(std::vector<double> times, double fps) : times_(std::move(times)) {
    info_.fps = fps, info_.dt = 1 / fps;
    info_.groups.push_back({"cloth", false, 0, 1, {}, {}, {}});
  }
  const RunInfo& info() const override { return info_; }
  int frame_count() const override { return int(times_.size()); }
  long long step(int frame) const override { return frame; }
  double time(int frame) const override { return times_.at(size_t(frame)); }
  void read(int frame, RunFrame& out) override { out = {frame, time(frame), {vec3(float(frame), 0, 0)}}; }

 private:
  RunInfo info_;
  std::vector<double> times_;
};

std::vector<int> shown(ResampledFrames& frames) {
  std::vector<int> numbers;
  for (int f = 0; f < frames.frame_count(); ++f) {
    RunFrame frame;
    frames.read(f, frame);
    CHECK(frame.step == f);
    CHECK(frame.time == doctest::Approx(f / frames.info().fps));
    numbers.push_back(int(frame.positions[0].x));
  }
  return numbers;
}

std::vector<double> steady(int count, double dt, double start = 0) {
  std::vector<double> times;
  for (int k = 0; k < count; ++k) times.push_back(start + k * dt);
  return times;
}

}  // namespace

TEST_CASE("without a rate of one's own a video is even, whatever the time step and the speed") {
  for (const double dt :
       {1.0 / 30, 1.0 / 60, 1.0 / 100, 1.0 / 120, 0.005, 0.004, 0.003, 0.007, 0.02, 0.05, 0.15})
    for (const double speed : {1.0, 0.1, 0.5, 2.0, 0.03}) {
      CAPTURE(dt);
      CAPTURE(speed);
      const double fps = even_rate(speed / double(float(dt)), 60);
      CHECK(fps > 30 - 1e-3);
      CHECK(fps < 60 + 1e-3);
      CHECK(uneven_words(double(float(dt)), speed, fps).empty());
      const std::set<int> steps = advances(dt, speed, fps);
      const bool repeats =
          speed / dt < fps * (1 - 1e-4);  // a state is shown several times: frames advance by 0 and 1
      CHECK(steps == (repeats ? std::set<int>{0, 1} : std::set<int>{int(std::lround(speed / dt / fps))}));
    }
  CHECK(even_rate(100.0000022, 60) == 50);
  CHECK(even_rate(60, 60) == 60);
  CHECK(even_rate(20, 60) == 60);
  CHECK(even_rate(50, 60) == 50);
  CHECK(advances(0.01, 1, 60) == std::set<int>{1, 2});  // what 60 would have given
}

TEST_CASE("a GIF is even where hundredths of a second allow it") {
  CHECK(even_rate(100, 25, true) == 25);
  CHECK(even_rate(60, 25, true) == 20);
  CHECK(even_rate(120, 25, true) == 20);
  CHECK(even_rate(250, 25, true) == 25);
  CHECK(even_rate(1000.0 / 7, 25, true) == doctest::Approx(100.0 / 7));
  CHECK(even_rate(1 / 0.00973, 25, true) == 25);  // there is none
  CHECK(uneven_words(0.00973, 1, 25, true).find("(9.73 ms each); --set step.dt=0.008 would be even") !=
        std::string::npos);
}

TEST_CASE("a rate that is wanted all the same is told to judder, with what would not") {
  const std::string words = uneven_words(0.01, 1, 60);
  CAPTURE(words);
  CHECK(words.find("frames advance by 1 or 2 steps by turns (10 ms each)") != std::string::npos);
  CHECK(words.find("--fps 50, or --set step.dt=0.00833333 would be even") != std::string::npos);
  CHECK(is_even_rate(1 / 0.00833333, 60));
  CHECK(uneven_words(0.01, 1, 24).find("by 4 or 5 steps") != std::string::npos);
  CHECK(uneven_words(0.04, 1, 60).find("states are shown for 2 or 3 frames by turns") != std::string::npos);
  CHECK(uneven_words(0.01, 1, 25).empty());
}

TEST_CASE("a run at another rate shows the newest state at each frame's time, and nothing in between") {
  NumberedFrames run(steady(101, 0.01, 3), 100);
  ResampledFrames film(run, 0, 100, 24);
  CHECK(film.info().fps == 24);
  CHECK(film.frame_count() == 25);
  const std::vector<int> numbers = shown(film);
  for (int f = 0; f < 25; ++f) CHECK(numbers[size_t(f)] == int(std::floor(f * 100.0 / 24 + 1e-6)));
  CHECK(film.least_advance() == 4);
  CHECK(film.most_advance() == 5);
  ResampledFrames even(run, 0, 100, 25);
  CHECK(even.least_advance() == 4);
  CHECK(even.most_advance() == 4);
  ResampledFrames part(run, 10, 20, 50);
  CHECK(shown(part) == std::vector<int>{10, 12, 14, 16, 18, 20});
  ResampledFrames slow(run, 0, 3, 200);
  CHECK(shown(slow) == std::vector<int>{0, 0, 1, 1, 2, 2, 3});
  ResampledFrames one(run, 5, 5, 24);
  CHECK(shown(one) == std::vector<int>{5});
}
