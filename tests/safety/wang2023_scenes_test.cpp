// Two-way collision handling (Wang 2023) under the exact checker: cloth against cloth and against bodies.
#include <doctest/doctest.h>

#include "sim/scene/text/scene_file.h"
#include "tests/safety/path_sample.h"

using namespace weft;

namespace {

enum class Way { plain, violent_drag, long_steps };
const char* name_of(Way w) {
  return w == Way::plain ? "as it is" : w == Way::violent_drag ? "dragged at 5 m/s" : "dt 1/20 s";
}

/// Every state, cloth and bodies, and pieces of the path.
check::Trial look_safe(Simulation& sim, float seconds, std::mt19937& random, const std::string& what) {
  // strands may go through each other on any piece, and no state shows it
  const bool all = !sim.model().host.lines.empty();
  check::PathSampler sampler(
      sim, random,
      all ? check::PathSample{1, 1 << 20} : check::PathSample{sim.scene().step.dt > 0.03f ? 3 : 10, 6});
  const check::Trial out =
      check::run_under_check(sim, seconds, check::promised_places(sim), [&] { sampler.step(); });
  const check::PathTrial& path = sampler.found;
  MESSAGE(what << ": " << out.crossed_states << " of " << out.states << " states crossed; forward steps "
               << out.steps << " (" << out.most_steps << "), stretch " << out.stretch << "; of "
               << path.corners << " corners of the path in " << path.steps << " steps " << path.pieces
               << " pieces were looked at (ways of up to " << 1e3 * path.farthest << " mm), " << path.touching
               << " touch");
  const std::string& first = out.first_crossing;
  CAPTURE(first);
  const std::string& contact = path.first_contact;
  CAPTURE(contact);
  CHECK((check::promised_places(sim) == check::BodyPlaces::shown));
  CHECK(out.crossed_states == 0);
  CHECK(out.unpromised == 0);
  CHECK(path.touching == 0);
  CHECK(path.pieces > 0);
  CHECK(path.farthest > 1e-5);
  return out;
}

void run_safely(const std::string& file, Way way, unsigned seed, float longest) {
  CAPTURE(file);
  CAPTURE(seed);
  const std::string what = name_of(way);
  CAPTURE(what);
  std::mt19937 random(seed);
  Scene scene = read_scene(assets_folder() + "/scenes/" + file);
  scene.set("step.collision", "two_way");
  if (way == Way::violent_drag) check::add_violent_drag(scene, random);
  if (way == Way::long_steps) scene.step.dt = 1.0f / 20;
  const float seconds = std::min(scene.duration, longest);
  const auto device = Device::create(DeviceChoice::cpu, 0);
  device->verify_replays = true;
  Simulation sim(std::move(scene), *device);
  check::jitter(sim, random);
  look_safe(sim, seconds, random, file + ", " + what + ", seed " + std::to_string(seed));
}

/// Three seeds in a row take all ways. Cloth that is torn at, and layers that fall on each other in long
/// steps, take
/// seconds and minutes per step in the end: of that the beginning, the whole under --full.
void default_run(const std::string& file, unsigned index, float seconds = 0.6f, float in_long_steps = 0.6f,
                 float torn_at = 0.35f) {  // by a hand that comes after 0.1 s
  const unsigned seed = check::safety_seed();
  const Way way = Way((seed + index) % 3);
  const float most = way == Way::violent_drag ? torn_at : way == Way::long_steps ? in_long_steps : seconds;
  run_safely(file, way, seed, std::min(seconds, most));
}

/// With a hand as strong and as fast as the default scene lets hands be, which grabs at `grabbed` (s).
double throw_default_cloth(unsigned seed, float seconds, float grabbed = 0.3f) {
  CAPTURE(seed);
  std::mt19937 random(seed);
  Scene scene = read_scene(default_scene_path());
  scene.set("step.collision", "two_way");
  check::add_drag(scene, random, grabbed);
  const auto device = Device::create(DeviceChoice::cpu, 0);
  device->verify_replays = true;
  Simulation sim(std::move(scene), *device);
  return double(look_safe(sim, seconds, random, "default cloth, seed " + std::to_string(seed)).stretch);
}

void run_without_contact() {
  int cut_by_bodies = 0, cut_by_cloth = 0;  // the most in a state
  for (const char* file : {"wang2023/needle_small.toml", "wang2023/reef_knot_small.toml",
                           "ball_on_cloth.toml", "bag_of_balls.toml"}) {
    Scene scene = read_scene(assets_folder() + "/scenes/" + file);
    scene.set("step.collision", "none");
    const auto device = Device::create(DeviceChoice::cpu, 0);
    Simulation sim(std::move(scene), *device);
    CHECK((check::promised_places(sim) == check::BodyPlaces::ignored));
    while (sim.stats().time < 1) {
      sim.step();
      const check::Whole whole(sim);
      int bodies = 0, cloth = 0;
      for (const check::Crossing& c :
           check::find_crossings(std::span<const vec3>(whole.positions),
                                 {std::span<const ivec3>(whole.triangles), whole.cloth_triangles})
               .pairs)
        ++(c.kind == check::Kind::body ? bodies : cloth);
      cut_by_bodies = std::max(cut_by_bodies, bodies), cut_by_cloth = std::max(cut_by_cloth, cloth);
    }
  }
  MESSAGE(cut_by_bodies, " crossings with bodies and ", cut_by_cloth, " of cloth with cloth");
  CHECK(cut_by_bodies > 20);
  CHECK(cut_by_cloth > 20);
}

/// Straight paths from state to state: without contact each of them is one piece.
void run_strands_without_contact() {
  size_t with_bodies = 0, with_strands = 0;
  for (const char* file : {"wang2023/hair_small.toml", "chain.toml"}) {
    Scene scene = read_scene(assets_folder() + "/scenes/" + file);
    scene.set("step.collision", "none");
    const auto device = Device::create(DeviceChoice::cpu, 0);
    Simulation sim(std::move(scene), *device);
    check::Whole before(sim);
    while (sim.stats().time < 0.6) {
      sim.step();
      const check::Whole now(sim);
      for (const check::PathContact& c : check::find_path_contacts(
               std::span<const vec3>(before.positions), std::span<const vec3>(now.positions),
               {std::span<const ivec3>(now.triangles), now.cloth_triangles}))
        ++(c.body ? with_bodies : with_strands);
      before.positions = now.positions;
    }
  }
  MESSAGE(with_bodies, " contacts of strands with bodies and ", with_strands, " of strands with strands");
  CHECK(with_bodies > 20);
  CHECK(with_strands > 20);
}

/// As the scene is, over its whole length.
void whole_run(const std::string& file) { run_safely(file, Way::plain, check::safety_seed(), 1e9f); }

void ten_runs(const std::string& file, Way way) {
  for (unsigned k = 0; k < 10; ++k) run_safely(file, way, 1000 * check::safety_seed() + k, 1.0f);
}

}  // namespace

TEST_SUITE("safety") {
  TEST_CASE("triangles of the small funnel never cross anything") {
    default_run("wu2020/funnel_small.toml", 0);
  }
  TEST_CASE("triangles of the small table never cross anything") {
    default_run("wang2023/table_small.toml", 1);
  }
  TEST_CASE("triangles of the small sphere never cross anything") {
    default_run("wu2020/sphere_drape_small.toml", 2);
  }
  TEST_CASE("triangles of the small stack never cross anything" * doctest::test_suite("full")) {
    default_run("wang2023/stack_small.toml", 0, 0.5f, 0.2f, 0.2f);
  }
  TEST_CASE("triangles of the small curtain never cross anything") {
    default_run("wu2020/curtain_small.toml", 1);
  }
  TEST_CASE("triangles of the small funnel at a twentieth of a second never cross anything") {
    default_run("wang2023/funnel_small.toml", 1);
  }
  TEST_CASE("triangles of the small rotating sphere never cross anything") {
    default_run("wang2023/sphere_small.toml", 2);
  }
  TEST_CASE("triangles of a mat that coils up never cross anything") {
    default_run("wang2023/mat_twist_small.toml", 0, 2.2f, 0.6f, 0.35f);
  }
  TEST_CASE("triangles of a solid ball and the cloth that it falls on never cross anything") {
    default_run("ball_on_cloth.toml", 2, 0.8f);
  }
  TEST_CASE("triangles of mats on each other never cross anything" * doctest::test_suite("full")) {
    default_run("wang2023/mat_drop_small.toml", 1, 2.0f, 0.6f, 0.5f);
  }
  TEST_CASE("triangles of rigid blocks that knock each other over never cross anything") {
    default_run("dominoes.toml", 1, 1.0f, 1.0f);
  }
  TEST_CASE("triangles of rigid balls and the sheet that they fall on never cross anything") {
    default_run("bag_of_balls.toml", 2, 0.45f, 0.6f, 0.2f);
  }
  TEST_CASE("triangles of a sheet under grains never cross anything") {
    default_run("wang2023/sand_small.toml", 0, 0.35f, 0.4f, 0.2f);
  }
  TEST_CASE("every piece of every path of a shaken head of hair is free") {
    default_run("wang2023/hair_small.toml", 0, 0.5f, 0.4f, 0.3f);
  }
  TEST_CASE("every piece of every path of rings that hang in each other is free") {
    default_run("chain.toml", 1, 0.6f);
  }
  TEST_CASE("without contact strands go through strands and bodies and the checker finds both") {
    run_strands_without_contact();
  }
  TEST_CASE("triangles of the small tube never cross anything") {
    default_run("wang2023/tube_small.toml", 0, 0.5f);
  }
  TEST_CASE("triangles of the small reef knot never cross anything") {
    default_run("wang2023/reef_knot_small.toml", 2);
  }
  TEST_CASE("triangles of the small bow knot never cross anything") {
    default_run("wang2023/bow_knot_small.toml", 2, 0.5f);
  }
  TEST_CASE("triangles of the small twisted sheet never cross anything") {
    default_run("lan2024/twist_small.toml", 0, 0.4f);
  }
  TEST_CASE("triangles of the small skirt never cross anything") {
    default_run("tang2018/skirt_small.toml", 1, 0.3f);
  }
  TEST_CASE("triangles on the small bed of needles never cross anything") {
    default_run("wang2023/needle_small.toml", 2);
  }
  TEST_CASE("triangles of the patch that spins onto a pyramid never cross anything") {
    default_run("wang2023/spin_small.toml", 2);
  }
  TEST_CASE("triangles of the small blade never cross anything") {
    default_run("wang2023/blade_small.toml", 1, 0.25f);
  }
  TEST_CASE(
      "without contact the same needles go through cloth, and layers through each other, and the checker "
      "finds both") {
    run_without_contact();
  }
  TEST_CASE(
      "triangles of the default cloth do not cross in the first moments in which a hand throws it about") {
    throw_default_cloth(check::safety_seed(), 0.25f, 0.03f);
  }
}

// Left out of the default run, and taken by ./test.sh --full.
TEST_SUITE("full") {
  TEST_CASE("the small reef knot pulled until it jams crosses nothing") {
    whole_run("wang2023/reef_knot_small.toml");
  }
  TEST_CASE("the small bow knot pulled until it jams crosses nothing") {
    whole_run("wang2023/bow_knot_small.toml");
  }
  TEST_CASE("the small stack between triangles crosses nothing to its end") {
    whole_run("wang2023/stack_small.toml");
  }
  TEST_CASE("the small tube twisted to its end crosses nothing") { whole_run("wang2023/tube_small.toml"); }
  TEST_CASE("triangles of the default cloth never cross when a hand throws it about") {
    // Seed 101 folds the cloth so that a few points hold each other up: edges of 5.2 times their length where
    // points do not move together.
    throw_default_cloth(check::safety_seed(), 1.0f);
    CHECK(throw_default_cloth(101, 1.0f) < 2);
  }
  TEST_CASE("ten default cloths that a hand throws about for eight seconds cross nothing") {
    for (unsigned k = 0; k < 10; ++k) CHECK(throw_default_cloth(1000 * check::safety_seed() + k, 8) < 2);
  }
  TEST_CASE("ten funnels between triangles cross nothing") {
    ten_runs("wu2020/funnel_small.toml", Way::plain);
  }
  TEST_CASE("ten funnels between triangles dragged violently cross nothing") {
    ten_runs("wu2020/funnel_small.toml", Way::violent_drag);
  }
  TEST_CASE("ten funnels between triangles in long steps cross nothing") {
    ten_runs("wu2020/funnel_small.toml", Way::long_steps);
  }
  TEST_CASE("ten spheres between triangles cross nothing") {
    ten_runs("wu2020/sphere_drape_small.toml", Way::plain);
  }
  TEST_CASE("ten spheres between triangles dragged violently cross nothing") {
    ten_runs("wu2020/sphere_drape_small.toml", Way::violent_drag);
  }
  TEST_CASE("ten spheres between triangles in long steps cross nothing") {
    ten_runs("wu2020/sphere_drape_small.toml", Way::long_steps);
  }
  TEST_CASE("ten stacks between triangles cross nothing") { ten_runs("wu2020/stack_small.toml", Way::plain); }
  TEST_CASE("ten beds of needles cross nothing") { ten_runs("wang2023/needle_small.toml", Way::plain); }
  TEST_CASE("ten beds of needles with cloth dragged violently cross nothing") {
    ten_runs("wang2023/needle_small.toml", Way::violent_drag);
  }
  TEST_CASE("ten spinning patches cross nothing") { ten_runs("wang2023/spin_small.toml", Way::plain); }
  TEST_CASE("ten reef knots cross nothing") { ten_runs("wang2023/reef_knot_small.toml", Way::plain); }
  TEST_CASE("ten bow knots dragged violently cross nothing") {
    ten_runs("wang2023/bow_knot_small.toml", Way::violent_drag);
  }
  TEST_CASE("ten rotating spheres dragged violently cross nothing") {
    ten_runs("wang2023/sphere_small.toml", Way::violent_drag);
  }
  TEST_CASE("ten tubes in long steps cross nothing") {
    ten_runs("wang2023/tube_small.toml", Way::long_steps);
  }
  TEST_CASE("ten blades cross nothing") { ten_runs("wang2023/blade_small.toml", Way::plain); }
  TEST_CASE("ten funnels at a twentieth of a second cross nothing") {
    ten_runs("wang2023/funnel_small.toml", Way::plain);
  }
  TEST_CASE("ten tables between triangles in long steps cross nothing") {
    ten_runs("wang2023/table_small.toml", Way::long_steps);
  }
  TEST_CASE("ten curtains between triangles dragged violently cross nothing") {
    ten_runs("wu2020/curtain_small.toml", Way::violent_drag);
  }
}
