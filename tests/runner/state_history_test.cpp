// States that are kept within a budget of memory.
#include "sim/run/state_history.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>
#include <functional>

#include "sim/base/inject.h"
#include "sim/run/simulation.h"
#include "tests/runner/small_scene.h"
#include "tests/support/variants.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr int kVertices = 100;

struct Fixture {
  std::unique_ptr<Device> device = Device::create(DeviceChoice::cpu, 1);
  State state{*device, kVertices};
  StateHistory history;
  explicit Fixture(size_t states) {
    const std::vector<vec3> some(kVertices, vec3(1, 2, 3));
    state.position.upload(some), state.velocity.upload(some);
    history.set_budget(states * state_bytes());
  }
  /// With the numbers before what is packed, of two parts.
  static size_t state_bytes() { return kept_state_bytes(kVertices, 0) + 32; }
  void run(int steps) {
    for (int k = 0; k < steps; ++k) ++state.step, history.keep(state, 0, 0, 0);
  }
  std::vector<int> steps() const {
    std::vector<int> all;
    for (const auto& kept : history.states()) all.push_back(kept->state.step);
    return all;
  }
};

}  // namespace

TEST_CASE("the newer half of the budget has every step and the older one reaches back in even strides") {
  Fixture f(64);
  f.run(1000);
  const std::vector<int> steps = f.steps();
  CHECK(f.history.bytes() <= f.history.budget());
  CHECK(steps.size() >= 60);
  CHECK(std::is_sorted(steps.begin(), steps.end()));
  CHECK(steps.front() == 1);  // the start
  CHECK(steps.back() == 1000);
  for (int newer = 0; newer < 30; ++newer) CHECK(steps[steps.size() - 1 - size_t(newer)] == 1000 - newer);
  int widest = 0;
  for (size_t i = 1; i < steps.size(); ++i) widest = std::max(widest, steps[i] - steps[i - 1]);
  CHECK(widest <= 64);  // 1000 / 32, the next power of two above, and once more where it thins
  for (size_t i = 1; i + 32 < steps.size(); ++i) CHECK(steps[i] % 16 == 0);
}

TEST_CASE(
    "of states so small that the budget has room for all no more are kept than a step can look through") {
  Fixture f(10 * StateHistory::kMostStates);
  const int most = int(StateHistory::kMostStates);
  f.run(most + 500);
  const std::vector<int> steps = f.steps();
  CHECK(int(steps.size()) == most);
  CHECK(steps.front() == 1);
  // every step of the newer half, and of the older one every other where it is thinned
  CHECK(steps[steps.size() - size_t(most) / 2] == most + 500 - most / 2 + 1);
  for (size_t i = 1; i < 500; ++i) CHECK(steps[i] % 2 == 0);
}

TEST_CASE("which states are kept depends on nothing but the budget") {
  Fixture a(50), b(50);
  a.run(700), b.run(300), b.run(400);
  CHECK(a.steps() == b.steps());
}

TEST_CASE("a history is found by step and cut") {
  Fixture f(1000);
  f.run(20);
  CHECK(f.history.at_or_before(0) == -1);
  CHECK(f.history.at_or_before(7) == 6);
  CHECK(f.history.at_or_before(99) == 19);
  f.history.cut_after(6);
  CHECK(f.steps().back() == 7);
  f.state.step = 7;
  f.run(1);
  CHECK(f.steps() == std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
  f.state.step = 8;
  f.history.keep(f.state, 0, 0, 5);  // once more: in its place
  CHECK(f.steps().size() == 8);
  CHECK(f.history.states().back()->commands == 5);
}

TEST_CASE("no budget and one for less than a state keep nothing and say so") {
  Fixture f(10);
  f.run(5);
  f.history.set_budget(0);
  CHECK(f.steps().empty());
  CHECK(f.history.bytes() == 0);
  CHECK(f.history.why().find("budget of memory is 0") != std::string::npos);
  f.run(5);
  CHECK(f.steps().empty());
  f.history.set_budget(1000);
  f.run(1);
  CHECK(f.steps().empty());
  CHECK(f.history.why().find("more than the budget") != std::string::npos);
  f.history.set_budget(1000000);
  f.run(3);
  CHECK(f.steps().size() == 3);
  CHECK(f.history.why().empty());
}

TEST_CASE("a lower budget drops states and a full memory halves what is kept") {
  Fixture f(100);
  f.run(80);
  f.history.set_budget(20 * f.state_bytes());
  CHECK(f.steps().size() == 20);
  CHECK(f.steps().back() == 80);
  set_injected_faults("history@81");
  f.run(1);
  set_injected_faults("");
  CHECK(f.steps().size() == 10);
  CHECK(f.history.why().find("memory of this computer is full at step 81") != std::string::npos);
  f.run(100);
  CHECK(f.steps().size() == 10);
  CHECK(f.steps().back() == 181);
}

TEST_CASE("keeping a state takes at most a fiftieth of the processor time of a step of 10,000 vertices") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation(small_scene(10000), *device);
  StateHistory history;
  history.set_budget(size_t(1) << 30);
  const auto time_of = [](const std::function<void()>& work) {
    const std::clock_t begin = std::clock();
    work();
    return double(std::clock() - begin);
  };
  double steps = 0, keeps = 0;
  for (int k = 0; k < 4; ++k) {
    steps += time_of([&] { simulation.step(); });
    keeps += time_of([&] { history.keep(simulation.state(), 0, 0, 0); });
  }
  MESSAGE("share of a step: " << keeps / steps);
  CHECK(history.states().size() == 4);
  CHECK(keeps < 0.02 * steps);
}

TEST_CASE("zeros are packed and come back to the last bit") {
  for (const size_t size : {0, 1, 3, 4, 7, 8, 64, 1001, 4096})
    for (int kind = 0; kind < 4; ++kind) {
      std::vector<unsigned char> bytes(size, 0);
      for (size_t i = 0; i < size; ++i) {
        if (kind == 1) bytes[i] = (unsigned char)(i * 37 + 1);
        if (kind == 2 && i % 100 < 20) bytes[i] = (unsigned char)(i);
        if (kind == 3 && i % 16 == 0) bytes[i] = 1;  // runs too short to be worth it
      }
      const std::vector<unsigned char> packed = pack_zeros(bytes);
      CHECK(unpack_zeros(packed) == bytes);
      CHECK(packed.size() <= size + 24);
      if (kind == 0) CHECK(packed.size() <= 19);
    }
}

TEST_CASE("2 GB keep 120 states of 300,000 vertices where half of what methods carry is zero") {
  // bytes per vertex beside positions and velocities; 49 where all is in contact
  constexpr size_t kMost = 31;
  CHECK(120 * kept_state_bytes(300000, kMost) < size_t(2) << 30);
  // The formula is what a state takes.
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation(cornered_cloth(1000), *device);  // a part of it touches a sphere and the ground
  for (int k = 0; k < 60; ++k) simulation.step();
  StateHistory history;
  history.set_budget(size_t(1) << 30);
  history.keep(simulation.state(), 0, 0, 0);
  const size_t vertices = size_t(simulation.model().vertex_count());
  MESSAGE("bytes per vertex: " << double(history.bytes()) / double(vertices));
  CHECK(history.bytes() <= kept_state_bytes(vertices, kMost));
  CHECK(history.bytes() >= kept_state_bytes(vertices, 0));
}
