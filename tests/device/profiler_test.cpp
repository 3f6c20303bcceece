#include "sim/device/profiler.h"

#include <doctest/doctest.h>

#include <map>

using namespace weft;

namespace {

std::map<std::string, StageTime> by_path(const Profiler& p) {
  std::map<std::string, StageTime> out;
  for (const StageTime& s : p.stages()) out[s.path] = s;
  return out;
}

/// A device that takes a given time for every stage, and finishes when it is told to.
class ScriptedClock final : public StageClock {
 public:
  double milliseconds = 1;
  bool finished = true;
  int begun = 0, ended = 0, depth = 0;
  void begin() override {
    ++begun;
    marks_.clear();
    depth = 0;
    enter(0);
  }
  void enter(int node) override {
    marks_.push_back({node, milliseconds});
    ++depth;
  }
  void leave(int) override { --depth; }
  void end() override { ++ended; }
  bool collect(std::vector<StageMark>& out) override {
    if (finished) out = marks_;
    return finished;
  }

 private:
  std::vector<StageMark> marks_;
};

void make_step(Profiler& p) {
  p.begin_step();
  {
    StageScope solve(p, "solve");
    StageScope a(p, "relax");
  }
  {
    StageScope solve(p, "solve");
    for (int i = 0; i < 2; ++i) StageScope a(p, "relax");
  }
  { StageScope contact(p, "contact"); }
  p.end_step();
}

}  // namespace

TEST_CASE("stages nest by where they were opened and add up by name") {
  Profiler p;
  for (int step = 0; step < 5; ++step) make_step(p);
  const auto stages = by_path(p);
  REQUIRE(stages.size() == 4);
  CHECK(stages.at("step/solve").launches == 2);
  CHECK(stages.at("step/solve/relax").launches == 3);
  CHECK(stages.at("step/solve/relax").depth == 2);
  CHECK(stages.at("step/solve/relax").name == "relax");
  CHECK(stages.at("step/solve").now >= stages.at("step/solve/relax").now);
  CHECK(stages.at("step").now >= stages.at("step/solve").now);
}

TEST_CASE("stages are listed parents first, in the order in which they were opened") {
  Profiler p;
  make_step(p);
  std::vector<std::string> paths;
  for (const StageTime& s : p.stages()) paths.push_back(s.path);
  CHECK(paths == std::vector<std::string>{"step", "step/solve", "step/solve/relax", "step/contact"});
}

TEST_CASE("mean and worst are over the last hundred steps") {
  Profiler p;
  p.begin_step();
  const int stage = p.enter("stage");
  p.leave(stage);
  p.add(stage, 1000);
  p.end_step();
  const auto idle_step = [&] {
    p.begin_step();
    p.add(stage, 2);
    p.end_step();
  };
  for (int i = 0; i < 99; ++i) idle_step();
  CHECK(by_path(p).at("step/stage").worst >= 1000);
  CHECK(by_path(p).at("step/stage").mean == doctest::Approx((1000 + 99 * 2) / 100.0).epsilon(1e-3));
  idle_step();
  CHECK(by_path(p).at("step/stage").worst == 2);
  CHECK(by_path(p).at("step/stage").mean == 2);
}

TEST_CASE("a profiler that is off records no stage") {
  Profiler p;
  p.enabled = false;
  make_step(p);
  CHECK(p.stages().size() == 1);
}

TEST_CASE("a device's clock measures the second step and every thirtieth after it") {
  Profiler p;
  ScriptedClock clock;
  p.set_clock(&clock);
  make_step(p);
  CHECK(clock.begun == 0);
  make_step(p);
  CHECK(clock.begun == 1);
  CHECK(clock.ended == 1);
  for (int i = 0; i < 29; ++i) make_step(p);
  CHECK(clock.begun == 1);
  make_step(p);
  CHECK(clock.begun == 2);
}

TEST_CASE("times of a device's clock are its own and arrive when the device has finished") {
  Profiler p;
  ScriptedClock clock;
  clock.milliseconds = 7;
  clock.finished = false;
  p.set_clock(&clock);
  for (int i = 0; i < 5; ++i) make_step(p);
  CHECK(by_path(p).at("step").now == 0);
  CHECK(p.wall_ms() > 0);  // the host's, and always there
  clock.finished = true;
  make_step(p);
  const auto stages = by_path(p);
  CHECK(stages.at("step").now == 7);
  CHECK(stages.at("step/solve").now == 14);
  CHECK(stages.at("step/solve/relax").now == 21);
  CHECK(stages.at("step/solve/relax").launches == 3);
  CHECK(stages.at("step/contact").worst == 7);
}

TEST_CASE("a measured step that was broken off is dropped and the next one is measured") {
  Profiler p;
  ScriptedClock clock;
  p.set_clock(&clock);
  make_step(p);
  p.begin_step();
  { StageScope solve(p, "solve"); }
  for (int i = 0; i < 31; ++i) make_step(p);
  CHECK(clock.begun == 2);
  CHECK(clock.ended == 1);
  make_step(p);
  CHECK(by_path(p).at("step/solve/relax").launches == 3);
}

TEST_CASE("without a device's clock the host's times are back") {
  Profiler p;
  ScriptedClock clock;
  clock.milliseconds = 1e6;
  p.set_clock(&clock);
  for (int i = 0; i < 3; ++i) make_step(p);
  CHECK(by_path(p).at("step").now == 1e6);
  p.set_clock(nullptr);
  make_step(p);
  CHECK(by_path(p).at("step").now < 1e6);
}

namespace {

/// Writes down what it hears.
class Notebook final : public StepListener {
 public:
  struct Entry {
    long number;
    std::vector<StageSpan> spans;
    bool on_device;
  };
  std::vector<Entry> measured;
  std::vector<long> ended;
  void step_ended(long number, Time begin, Time end) override {
    CHECK(begin <= end);
    ended.push_back(number);
  }
  void stages(long number, Time, const std::vector<StageSpan>& spans, bool on_device) override {
    measured.push_back({number, spans, on_device});
  }
};

}  // namespace

TEST_CASE("a listener hears of each stage with its begin and end, children inside their parents") {
  Profiler p;
  Notebook notebook;
  make_step(p);
  p.add_listener(&notebook);
  make_step(p);
  p.remove_listener(&notebook);
  make_step(p);
  REQUIRE(notebook.measured.size() == 1);
  CHECK(notebook.ended == std::vector<long>{2});
  CHECK(notebook.measured[0].number == 2);
  const auto& spans = notebook.measured[0].spans;
  std::vector<std::string> paths;
  for (const StageSpan& s : spans) paths.push_back(p.path_of(s.node));
  CHECK(paths ==
        std::vector<std::string>{"solve/relax", "solve", "solve/relax", "solve/relax", "solve", "contact"});
  CHECK(spans[0].begin >= spans[1].begin);
  CHECK(spans[0].end <= spans[1].end);
  CHECK(spans[1].end <= spans[4].begin);
  CHECK(spans[4].depth == 1);
  CHECK(spans[3].depth == 2);
}

TEST_CASE(
    "with a device's clock a listener hears the host's time of every step and the stages of measured ones, "
    "by their number") {
  Profiler p;
  ScriptedClock clock;
  Notebook notebook;
  p.set_clock(&clock);
  p.add_listener(&notebook);
  for (int i = 0; i < 40; ++i) make_step(p);
  CHECK(notebook.ended.size() == 40);
  REQUIRE(notebook.measured.size() == 2);
  CHECK(notebook.measured[0].number == 2);
  CHECK(notebook.measured[1].number == 32);
  CHECK(notebook.measured[0].on_device);
  CHECK(notebook.measured[0].spans[0].depth == 0);
  CHECK(notebook.measured[0].spans.size() == 7);
}

TEST_CASE(
    "a device's clock may name ranges for other tools: every stage of every step, closed as it was opened") {
  class Ranges final : public StageClock {
   public:
    std::vector<std::string> open;
    int opened = 0;
    void begin() override {}
    void enter(int) override {}
    void leave(int) override {}
    void end() override {}
    bool collect(std::vector<StageMark>&) override { return true; }
    void open_range(const char* name) override { open.push_back(name), ++opened; }
    void close_range() override { open.pop_back(); }
  } clock;
  Profiler p;
  p.set_clock(&clock);
  for (int i = 0; i < 3; ++i) make_step(p);
  CHECK(clock.opened == 3 * 6);
  CHECK(clock.open.empty());
}

TEST_CASE("launches are those of the last step that launched all of its work itself") {
  Profiler p;
  const auto step = [&](int launches, bool played) {
    p.begin_step();
    p.count_launch(launches);
    if (played) p.played_back();
    p.end_step();
  };
  step(40, false);
  CHECK(p.launches() == 40);
  CHECK(p.launches_counted());
  step(2, true);  // the host's own, beside what a recording holds
  CHECK(p.launches() == 40);
  CHECK_FALSE(p.launches_counted());
  step(55, false);
  CHECK(p.launches() == 55);
  CHECK(p.launches_counted());
}
