// Where the seed of the trials comes from, and that it says all of what chance does in them.
#include <doctest/doctest.h>

#include <cstdlib>

#include "test_paths.h"
#include "tests/safety/scene_trials.h"
#include "tests/support/program.h"

using namespace weft;
using namespace weft::testing;

namespace {

const std::string kScript = std::string(WEFT_TEST_ASSETS) + "/safety/seed.sh";

Outcome seed(const Folder& folder, const std::string& of, const std::string& set = "") {
  return Program(folder, "/bin/bash", {kScript, of}, {{"WEFT_SAFETY_SEED", set}}).wait();
}

/// A folder under version control with one commit.
void commit(const Folder& folder, const std::string& message) {
  const std::string git =
      "git -c user.name=a -c user.email=a@example.org -c commit.gpgsign=false -C '" + folder.path() + "' ";
  const std::string all = git + "init -q && " + git + "commit -q --allow-empty -m '" + message + "'";
  REQUIRE(std::system(all.c_str()) == 0);
}

struct Start {
  std::vector<vec3> positions;
  std::vector<MotionKey> hand;
};

Start start(unsigned seed) {
  std::mt19937 random(seed);
  Scene scene;
  Cloth& c = scene.cloths.emplace_back();
  c.size = {0.2f, 0.2f}, c.edge = 0.02f;
  check::add_violent_drag(scene, random);
  const std::vector<MotionKey> hand = scene.drags.at(0).keys;
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation sim(std::move(scene), *device);
  const std::vector<vec3> before = sim.positions();
  check::jitter(sim, random);
  const std::vector<vec3> after = sim.positions();
  float least = 1e9f, most = 0;
  for (size_t i = 0; i < before.size(); ++i)
    least = std::min(least, glm::length(after[i] - before[i])),
    most = std::max(most, glm::length(after[i] - before[i]));
  CHECK(least > 0);
  CHECK(most > 0.001f * 0.02f);
  CHECK(most < 0.015f * 0.02f);  // a hundredth of the mean edge; diagonals are longer than what is asked for
  return {after, hand};
}

}  // namespace

TEST_SUITE("safety") {
  TEST_CASE("a seed makes the same jitter and the same hand again, and another seed others") {
    const Start one = start(7), again = start(7), other = start(8);
    CHECK(one.positions == again.positions);
    CHECK(one.hand == again.hand);
    CHECK(one.positions != other.positions);
    CHECK(one.hand != other.hand);
  }

  TEST_CASE("layers that lie closer together than the jitter reaches are jittered without a crossing") {
    Scene scene;
    for (const float off : {0.0f, 2e-5f}) {
      Cloth& c = scene.cloths.emplace_back();
      c.name = off > 0 ? "upper" : "lower";
      c.size = {0.2f, 0.2f}, c.edge = 0.02f;
      c.placement.position = vec3(off, 0.5f + off, off);
    }
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation sim(std::move(scene), *device);
    const std::vector<vec3> before = sim.positions();
    std::mt19937 random(7);
    check::jitter(sim, random);
    const std::vector<vec3> after = sim.positions();
    float most = 0;
    for (size_t i = 0; i < before.size(); ++i) most = std::max(most, glm::length(after[i] - before[i]));
    CHECK(most > 1e-5f);  // some still move
    check::Trial trial;
    check::look(sim, trial, check::BodyPlaces::ignored);
    CHECK(trial.crossed_states == 0);
  }

  TEST_CASE("the seed changes with the commit and stays with it, and can be given") {
    const Folder first, second, none, where;
    commit(first, "first"), commit(second, "second");
    const Outcome a = seed(where, first.path()), again = seed(where, first.path()),
                  b = seed(where, second.path());
    CHECK(a.status == 0);
    CHECK(a.out == again.out);
    CHECK(a.out != b.out);
    for (const Outcome* o : {&a, &b}) {
      const int value = std::atoi(o->out.c_str());
      CHECK(value >= 1);
      CHECK(value < 100000);
    }
    CHECK(seed(where, none.path()).out == "1\n");
    CHECK(seed(where, first.path(), "271828").out == "271828\n");
    const Outcome bad = seed(where, first.path(), "a lot");
    CHECK(bad.status != 0);
    CHECK(bad.says("whole number"));
  }

  TEST_CASE("the script that runs all tests takes that seed, and says how to run them with it again") {
    const std::string script = read_file(std::string(WEFT_TEST_ASSETS) + "/../test.sh");
    const size_t taken = script.find("WEFT_SAFETY_SEED=$(tests/safety/seed.sh)"),
                 exported = script.find("export WEFT_SAFETY_SEED"),
                 told = script.find("WEFT_SAFETY_SEED=$WEFT_SAFETY_SEED ./test.sh"),
                 run = script.find("ctest --test-dir");
    REQUIRE(run != std::string::npos);
    CHECK(taken < exported);
    CHECK(exported < told);
    CHECK(told < run);
  }

  TEST_CASE("the trials take the seed that is given, and 1 where none is") {
    const char* set = std::getenv("WEFT_SAFETY_SEED");
    const std::string before = set ? set : "";
    setenv("WEFT_SAFETY_SEED", "4711", 1);
    CHECK(check::safety_seed() == 4711);
    unsetenv("WEFT_SAFETY_SEED");
    CHECK(check::safety_seed() == 1);
    if (set) setenv("WEFT_SAFETY_SEED", before.c_str(), 1);
  }

  TEST_CASE("long trials run from as many starts as are asked for, and from 10 where nothing is said") {
    const char* set = std::getenv("WEFT_SAFETY_RUNS");
    const std::string before = set ? set : "";
    setenv("WEFT_SAFETY_RUNS", "3", 1);
    CHECK(check::full_runs() == 3);
    setenv("WEFT_SAFETY_RUNS", "none", 1);
    CHECK(check::full_runs() == 1);  // a trial without a run would pass
    unsetenv("WEFT_SAFETY_RUNS");
    CHECK(check::full_runs() == 10);
    if (set) setenv("WEFT_SAFETY_RUNS", before.c_str(), 1);
  }
}
