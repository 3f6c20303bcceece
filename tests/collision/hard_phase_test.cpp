// The two phases of vertex repulsion, iterate by iterate (Wu 2020, section 4.2).
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "tests/device/watched_device.h"
#include "tests/safety/paths.h"
#include "tests/support/pushed_sheets.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// x^(0), what is left of the step that failed, and all that the hard phase made of it, as displacements.
using Iterates = std::vector<std::vector<vec3>>;

/// Keeps the iterates of each hard phase. That phase is the loop in the loop over collision steps that has a
/// loop of its own, the line search.
class Watch {
 public:
  Watch(WatchedDevice& device, Process& process, const RepulsionParams& params)
      : process_(process), memory_(device.memory("safe displacement")) {
    REQUIRE(memory_.size() == 3);
    // The candidate's place behind that of x, as soft iterations write in turns.
    const int iterations = params.soft_phase ? params.soft_iterations : 1;
    behind_ = iterations % 2 ? 1 : 2;
    device.loop_begins = [this](int depth) {
      if (depth == 2) now_ = {candidate()}, searched_ = false;
      if (depth == 3) searched_ = true;
    };
    device.round_ended = [this](int depth) {
      if (depth == 2) now_.push_back(candidate());
    };
    device.loop_ended = [this](int depth) {
      if (depth == 2 && searched_) hard_phases.push_back(std::move(now_));
    };
  }
  std::vector<Iterates> hard_phases;

 private:
  std::vector<vec3> candidate() {
    const auto at =
        std::find(memory_.begin(), memory_.end(), static_cast<const void*>(process_.steps.u().data));
    REQUIRE(at != memory_.end());
    return process_.displacements(
        static_cast<const vec3*>(memory_[size_t(at - memory_.begin() + behind_) % 3]));
  }
  Process& process_;
  std::vector<void*> memory_;
  int behind_ = 1;
  Iterates now_;
  bool searched_ = false;
};

/// What a collision step must keep, by all pairs in double, and without a contact on the way.
class Judge {
 public:
  Judge(const Sheets& sheets, const RepulsionConstants& constants, std::vector<vec3> start)
      : sheets_(sheets), c_(constants), start_(std::move(start)) {}
  /// Eq. 5 all along the way, and eq. 11 at its end.
  void check(const std::vector<vec3>& from, const std::vector<vec3>& to) const {
    CHECK(least_distance(sheets_, start_, from, to) >= double(c_.bound));
    CHECK(least_distance(sheets_, start_, to, to) >= double(c_.distance) * (1 - 1e-6));
    // its square is convex in time: no edge is longer on the way than at both ends
    CHECK(longest_edge(sheets_, start_, to) <= double(c_.max_edge));
    const std::vector<dvec3> a = positions(from), b = positions(to);
    CHECK(check::find_path_contacts(std::span<const dvec3>(a), std::span<const dvec3>(b),
                                    {std::span<const ivec3>(sheets_.topology.triangles)})
              .empty());
  }

 private:
  std::vector<dvec3> positions(const std::vector<vec3>& u) const {
    std::vector<dvec3> x;
    for (size_t v = 0; v < u.size(); ++v) x.push_back(dvec3(start_[v]) + dvec3(u[v]));
    return x;
  }
  const Sheets& sheets_;
  RepulsionConstants c_;
  std::vector<vec3> start_;
};

std::vector<vec3> none(const Sheets& s) { return std::vector<vec3>(size_t(s.size()), vec3(0)); }

/// Sheets that have met already.
std::vector<vec3> in_contact(const Sheets& sheets) {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  RepulsionParams params;
  Process process(*device, sheets, params);
  process.advance(pushed_into_each_other(sheets), 14);
  const std::vector<vec3> u = process.u();
  std::vector<vec3> x;
  for (int v = 0; v < sheets.size(); ++v) x.push_back(sheets.start[size_t(v)] + u[size_t(v)]);
  CHECK(least_distance(sheets, u, u) < double(process.steps.constants().soft_distance));
  return x;
}

/// Parameters with which the soft phase fails. `rash`: barriers hardly push, and trial steps of the hard
/// phase are long, so that its line search has to refuse many.
RepulsionParams weak(bool soft, bool rash, int hard_iterations) {
  RepulsionParams params;
  params.soft_phase = soft;
  params.soft_iterations = 1, params.penalty = 0.02f;
  if (rash) params.hard_step = 1, params.barrier = 1e-10f;
  params.hard_iterations = hard_iterations;
  params.rollback_steps = 1;
  return params;
}

struct Seen {
  int hard_phases = 0, iterates = 0, moved = 0;
};

/// Takes collision steps from `start` until `wanted` of them needed the hard phase, and judges every iterate.
Seen look_at_hard_phases(const Sheets& sheets, const std::vector<vec3>& start, const RepulsionParams& params,
                         int wanted) {
  WatchedDevice device(Device::create(DeviceChoice::cpu, 1));
  Process process(device, sheets, params);
  process.begin(start);
  Watch watch(device, process, params);
  const Judge judge(sheets, process.steps.constants(), start);
  std::vector<vec3> target = pushed_into_each_other(sheets);
  for (vec3& t : target) t *= 2.0f;
  Seen seen;
  std::vector<vec3> x = none(sheets);
  for (int step = 0; step < 12 && seen.hard_phases < wanted; ++step) {
    watch.hard_phases.clear();
    const int failed = process.count(kStepsFailed);
    process.advance(target, 1);
    const std::vector<vec3> after = process.u();
    if (process.count(kStepsFailed) == failed) {
      CHECK(watch.hard_phases.empty());
      x = after;
      continue;
    }
    REQUIRE(watch.hard_phases.size() == 1);
    const Iterates& iterates = watch.hard_phases[0];
    CHECK(int(iterates.size()) <= params.hard_iterations + 1);
    CHECK(iterates.back() == after);
    ++seen.hard_phases;
    for (const std::vector<vec3>& next : iterates) {
      judge.check(x, next);
      if (&next != &iterates[0]) ++seen.iterates, seen.moved += next != x;
      x = next;
    }
  }
  return seen;
}

}  // namespace

TEST_SUITE("repulsion") {
  TEST_CASE(
      "every iterate of the hard phase is acceptable, and so is the way to it, after however many iterations "
      "it ends") {
    const Sheets sheets(0.0095f, 0.04f);
    const std::vector<vec3> start = in_contact(sheets);
    for (const auto& [soft, rash] : {std::pair(true, false), {false, false}, {true, true}, {false, true}}) {
      CAPTURE(soft);
      CAPTURE(rash);
      Seen all;
      for (int iterations = 1; iterations <= 8; ++iterations) {
        CAPTURE(iterations);
        const Seen seen = look_at_hard_phases(sheets, start, weak(soft, rash, iterations), 3);
        CHECK(seen.hard_phases == 3);
        all.iterates += seen.iterates, all.moved += seen.moved;
      }
      MESSAGE(std::string(soft ? "weak soft phase" : "no soft phase")
              << std::string(rash ? ", rash hard phase: " : ": ") << all.iterates << " iterates, "
              << all.moved << " of which moved something");
      CHECK(all.iterates > 60);
      CHECK(all.moved > 30);
    }
  }

  TEST_CASE("where the soft phase succeeds equation 5 holds all along the straight way") {
    const Sheets sheets(0.0095f, 0.04f);
    int succeeded = 0, in_contact = 0, failed = 0;
    for (const float penalty : {2.0f, 0.3f, 0.02f}) {
      const auto device = Device::create(DeviceChoice::cpu, 1);
      RepulsionParams params;
      params.rollback_steps = 1;
      params.penalty = penalty;
      Process process(*device, sheets, params);
      const Judge judge(sheets, process.steps.constants(), sheets.start);
      const std::vector<vec3> target = pushed_into_each_other(sheets);
      std::vector<vec3> before = none(sheets);
      for (int k = 0; k < 50; ++k) {
        const int failures = process.count(kStepsFailed);
        process.advance(target, 1);
        const std::vector<vec3> now = process.u();
        if (process.count(kStepsFailed) == failures) {
          judge.check(before, now);
          ++succeeded, in_contact +=
                       least_distance(sheets, now, now) < double(process.steps.constants().soft_distance);
        } else {
          ++failed;
        }
        before = now;
      }
    }
    MESSAGE(succeeded << " steps in which the soft phase succeeded, " << in_contact
                      << " of them in contact; in " << failed << " it failed");
    CHECK(in_contact > 60);
    CHECK(failed > 10);
  }
}
