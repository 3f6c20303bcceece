// The small scenes of Wang 2021 as a user runs them: coarse run, wrinkles, and what the output promises,
// under the exact checker.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "sim/files/frame_source.h"
#include "sim/scene/text/scene_file.h"
#include "sim/wrinkles/certificate.h"
#include "tests/safety/scene_trials.h"
#include "tests/support/program.h"

using namespace weft;

namespace {

/// Crossings of triangles of which none has a corner that is, or is beside, a corner of the other.
int beyond_two_rings(const std::vector<vec3>& x, const std::vector<ivec3>& triangles,
                     const check::Crossings& found) {
  std::vector<std::vector<int>> beside(x.size());
  for (const ivec3& t : triangles)
    for (int k = 0; k < 9; ++k) beside[size_t(t[k / 3])].push_back(t[k % 3]);  // and the vertex itself
  int count = 0;
  for (const check::Crossing& c : found.pairs) {
    bool near = false;
    for (int k = 0; k < 9; ++k) {
      const std::vector<int>& list = beside[size_t(triangles[size_t(c.a)][k / 3])];
      near = near || std::find(list.begin(), list.end(), triangles[size_t(c.b)][k % 3]) != list.end();
    }
    count += !near;
  }
  return count;
}

/// Runs a scene and its wrinkles; checks every written frame of the cloth. `from`: the first frame to
/// wrinkle.
/// `most`: crossings in a frame.
void run_scene(const std::string& name, const std::vector<std::string>& more, int from, double least_height,
               size_t most) {
  CAPTURE(name);
  testing::Folder folder;
  const std::string scene = assets_folder() + "/scenes/wang2021/" + name + ".toml",
                    settings = assets_folder() + "/wrinkles/wang2021/" + name + ".toml";
  const auto coarse = testing::weft(
      folder, {scene, "--headless", "--quiet", "--cache", "coarse.weftcache", "--threads", "2"});
  REQUIRE(coarse.status == 0);
  std::vector<std::string> arguments = {
      "wrinkle", "coarse.weftcache", "-o", "fine.weftcache", "--settings",        settings,
      "--quiet", "--threads",        "2",  "--from",         std::to_string(from)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto fine = testing::weft(folder, arguments);
  CAPTURE(fine.err);
  REQUIRE(fine.status == 0);
  const auto before = open_frame_source(folder / "coarse.weftcache"),
             after = open_frame_source(folder / "fine.weftcache");
  RunFrame start, frame;
  before->read(from, start);
  int proved = 0, crossed = 0;
  for (int f = 0; f < after->frame_count(); ++f) {
    after->read(f, frame);
    const RunGroup& g = after->info().groups.front();
    const std::vector<vec3> x(frame.positions.begin() + g.first, frame.positions.begin() + g.first + g.count);
    CHECK(x.size() > 5 * size_t(before->info().groups.front().count));
    CHECK(x.size() <= 65536);
    const wrinkles::Certificate certificate = wrinkles::certify(x, g.triangles);
    const check::Crossings found = check::find_crossings(std::span<const vec3>(x), {g.triangles, -1});
    const int far = beyond_two_rings(x, g.triangles, found);
    MESSAGE(name << ", frame " << f << ": " << certificate.close_pairs << " close pairs, "
                 << found.pairs.size() << " crossings, " << far << " beyond two rings");
    if (certificate.holds()) CHECK(far == 0);
    CHECK(found.pairs.size() <= most);
    proved += certificate.holds(), crossed += !found.clean();
    // the output says the same
    const std::string words =
        certificate.holds() ? "nothing crosses beyond two rings"
                            : std::to_string(certificate.close_pairs) + " pairs of vertices are too close";
    CHECK(fine.prints(words));
    if (f ==
        // there are wrinkles: some edges turn against their neighbours by far more than the coarse surface
        // bends
        0) {
      double away = 0;
      for (size_t v = 0; v < x.size(); ++v) {
        double nearest = 1;
        for (const vec3& p : start.positions) nearest = std::min(nearest, double(glm::length(p - x[v])));
        away = std::max(away, nearest);
      }
      CHECK(away > least_height);
    }
  }
  MESSAGE(name << ": " << proved << " of " << after->frame_count() << " frames are proved, " << crossed
               << " have crossings");
}

/// Two squares fall over a ball by block descent, one on the other, from jittered starts; each state is
/// checked.
check::Trial falls(const std::string& collision, unsigned seed, float seconds) {
  std::mt19937 random(seed);
  Scene scene = read_scene(assets_folder() + "/scenes/wang2021/square_small.toml");
  scene.cloths[0].pattern = "square";
  scene.cloths.push_back(scene.cloths[0]);
  scene.cloths[1].name = "upper", scene.cloths[1].placement.position.y += 0.01f;
  scene.set("step.solver", "block_descent"), scene.set("step.collision", collision);
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(std::move(scene), *device);
  check::jitter(sim, random);
  const check::Trial trial = check::run_under_check(sim, seconds, check::promised_places(sim));
  MESSAGE(collision << ", seed " << seed << ": " << trial.states << " states, " << trial.crossed_states
                    << " with crossings, stretch " << trial.stretch << " " << trial.first_crossing);
  return trial;
}

}  // namespace

TEST_CASE("two frames of the shirred patch get coarse wrinkles and what is proved about them is so") {
  run_scene("shirred_patch_small", {"--every", "6", "--to", "30", "--cell", "3mm"}, 24, 2e-3, 0);
}

TEST_CASE("the last frame of the inflated patch is inflated and what is proved about it is so") {
  run_scene("inflated_patch_small", {"--cell", "3mm"}, 20, 10e-3, 20);
}

TEST_CASE(
    "squares that fall on a ball and on each other by block descent cross nothing where contact is solved") {
  const char* const methods[] = {"two_way", "repulsion"};
  CHECK(falls(methods[check::safety_seed() % 2], check::safety_seed(), 0.14f).crossed_states == 0);
  CHECK(falls("bodies", check::safety_seed(), 0.14f).crossed_states > 0);  // of cloth with cloth
}

TEST_CASE("the shirred patch gets wrinkles and what is proved about them is so" *
          doctest::test_suite("full")) {
  // none was measured, and none is promised
  run_scene("shirred_patch_small", {"--every", "6", "--to", "36"}, 24, 2e-3, 0);
}

TEST_CASE("the inflated patch is inflated and what is proved about it is so" * doctest::test_suite("full")) {
  // Both sides are one closed surface; measured 7 pairs, at its corners. Apart they touch at 650 places along
  // the seams.
  run_scene("inflated_patch_small", {}, 12, 10e-3, 20);
}

TEST_CASE("ten times two squares fall over a ball by block descent from jittered starts without a crossing" *
          doctest::test_suite("full")) {
  for (const char* collision : {"two_way", "repulsion"})
    for (unsigned k = 0; k < 10; ++k)
      CHECK(falls(collision, 1000 * check::safety_seed() + k, 1).crossed_states == 0);
}
