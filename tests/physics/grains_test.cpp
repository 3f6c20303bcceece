// Grains against theory and against overlap, by Newton's method.
#include "sim/scene/grains.h"

#include <algorithm>

#include "sim/geometry/primitive_distance.h"
#include "sim/scene/strands.h"
#include "sim/scene/text/scene_file.h"
#include "test_paths.h"
#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;

namespace {

constexpr double kGravity = 9.81;  // m/s²

Scene bare_grains() {
  Scene s = bare_scene();
  s.cloths.clear();
  s.set("step.collision", "two_way");
  s.step.dt = 1 / 100.0f;
  return s;
}

GrainParams& add(Scene& s, const vec3& size, float radius) {
  std::vector<GrainParams>& list = s.of<GrainList>().list;
  list.push_back({});
  list.back().size = size, list.back().radius = radius;
  return list.back();
}

/// The nearest two grains, as a share of the sum of their radii.
double nearest(Simulation& sim) {
  const std::vector<vec3> x = sim.positions();
  const std::vector<float>& r = sim.model().host.radius;
  double least = 1e30;
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t j = i + 1; j < x.size() && r[i] > 0; ++j)
      if (r[j] > 0)
        least = std::min(least, double(glm::distance(dvec3(x[i]), dvec3(x[j]))) / double(r[i] + r[j]));
  return least;
}

}  // namespace

TEST_CASE("grains have the mass of balls and fall as implicit Euler does") {
  Scene s = bare_grains();
  add(s, vec3(0.05f), 0.006f);
  Run run(s);
  const size_t n = run.sim->positions().size();
  CHECK(n == 27);
  CHECK(double(run.sim->model().host_mass[0]) ==
        doctest::Approx(1600 * 4 / 3.0 * M_PI * 2.16e-7).epsilon(1e-4));
  const std::vector<vec3> before = run.sim->positions();
  for (int i = 0; i < 50; ++i) run.sim->step();
  const std::vector<vec3> after = run.sim->positions();
  for (size_t v = 0; v < n; ++v)
    CHECK(relative_error(double(before[v].y - after[v].y), kGravity * 0.5 * (0.5 + 0.01) / 2) < 1e-3);
}

TEST_CASE("a grain slides down a slope where its tangent exceeds friction and stays where it does not") {
  for (const float mu : {0.2f, 0.5f}) {
    Scene s = bare_grains();
    const double a = 20 * M_PI / 180;
    s.forces.gravity = {float(kGravity * std::sin(a)), float(-kGravity * std::cos(a)), 0};
    s.contact.ground = true;
    GrainParams& g = add(s, vec3(0.012f), 0.006f);
    g.skin.friction = mu;
    g.placement.position.y = 0.0075f;
    Run run(s);
    REQUIRE(run.sim->positions().size() == 1);
    for (int i = 0; i < 50; ++i) run.sim->step();
    const vec3 x0 = run.sim->positions()[0], v0 = run.sim->state().velocity.download()[0];
    CHECK(std::abs(double(x0.y) - 0.0065) < 0.001);  // it lies by its radius, and the gap of contact, above
    for (int i = 0; i < 50; ++i) run.sim->step();
    const vec3 x1 = run.sim->positions()[0], v1 = run.sim->state().velocity.download()[0];
    const double expected = kGravity * std::max(0.0, std::sin(a) - double(mu) * std::cos(a));
    MESSAGE("friction ", mu, ": acceleration ", double(v1.x - v0.x) / 0.5, " of ", expected);
    if (expected > 0) CHECK(relative_error(double(v1.x - v0.x) / 0.5, expected) < 0.05);
    else CHECK(std::abs(double(x1.x - x0.x)) < 1e-3);
  }
}

TEST_CASE("grains that are poured on a held cloth come to rest on it without overlap") {
  Scene s = bare_grains();
  s.forces.air_damping = 0.3f;
  Cloth sheet = bare_scene().cloths[0];
  sheet.name = "sheet", sheet.edge = 0.025f, sheet.size = {0.3f, 0.3f};
  sheet.placement.rotation = {-90, 0, 0};
  s.cloths.push_back(sheet);
  s.pins.push_back({.cloth = "sheet", .where = "boundary"});
  add(s, vec3(0.08f), 0.008f).placement.position = {0, 0.07f, 0};
  Run run(s);
  double least = 1e30;
  for (int i = 0; i < 150; ++i) {
    run.sim->step();
    least = std::min(least, nearest(*run.sim));
  }
  MESSAGE("nearest pair: ", least, " of their radii; speed ", run.sim->stats().max_speed);
  CHECK(least > 1 - 1e-4);
  CHECK(run.sim->stats().kinetic_energy < 2e-3f);
  // those that have not rolled over the border lie on the cloth
  const std::vector<vec3> x = run.sim->positions();
  int carried = 0, all = 0;
  for (size_t v = 0; v < x.size(); ++v)
    if (run.sim->model().host.radius.size() > v && run.sim->model().host.radius[v] > 0)
      ++all, carried += x[v].y > -0.1f;
  CHECK(carried > all * 9 / 10);
}

TEST_CASE("without contact grains fall through the cloth and into each other") {
  // what the tests of contact would not see if they saw nothing
  Scene s = bare_grains();
  s.set("step.collision", "none");
  GrainParams& low = add(s, vec3(0.02f), 0.008f);
  low.velocity = {0, 1, 0}, low.placement.position.y = -0.1f;
  add(s, vec3(0.02f), 0.008f).name = "second";
  Run run(s);
  double least = 1e30;
  for (int i = 0; i < 20; ++i) run.sim->step(), least = std::min(least, nearest(*run.sim));
  CHECK(least < 0.9);
}

TEST_CASE("a grain that flies at a line takes it along and keeps its distance") {
  Scene s = bare_grains();
  s.forces.gravity = vec3(0);
  StrandParams line;
  line.shape = StrandShape::patch, line.size = {0, 0}, line.count = 1, line.length = 0.2f, line.segments = 8;
  line.placement.rotation = {90, 0, 0}, line.placement.position = {0, 0, -0.1f};
  line.material.density = 0.02f;
  s.of<StrandList>().list.push_back(line);
  GrainParams& g = add(s, vec3(0.016f), 0.008f);
  // beside the middle of a segment, whose ends are points that the grain does not meet
  g.placement.position = {0.001f, -0.06f, 0.0125f}, g.velocity = {0, 1, 0};
  Run run(s);
  const std::vector<float>& r = run.sim->model().host.radius;
  const size_t grain = r.size() - 1;
  REQUIRE(r[grain] > 0);
  dvec3 line_momentum(0), all(0);
  for (int i = 0; i < 40; ++i) run.sim->step();  // the halves of the line meet behind the grain
  const std::vector<vec3> v = run.sim->state().velocity.download();
  for (size_t p = 0; p < v.size(); ++p) {
    const dvec3 own = double(run.sim->model().host_mass[p]) * dvec3(v[p]);
    all += own;
    if (p != grain) line_momentum += own;
  }
  const double before = double(run.sim->model().host_mass[grain]);
  MESSAGE("the line has ", line_momentum.y / before, " of the momentum");
  CHECK(line_momentum.y > 0.2 * before);
  CHECK(glm::distance(all, dvec3(0, before, 0)) < 0.02 * before);
}

TEST_CASE("grains that hit each other keep their momentum and do not overlap") {
  for (const char* bound : {"planes", "half_distance"}) {
    Scene s = bare_grains();
    s.set("two_way.bound", bound);
    s.forces.gravity = vec3(0);
    GrainParams& low = add(s, vec3(0.05f), 0.008f);
    low.velocity = {0, 1, 0}, low.placement.position.y = -0.1f;
    GrainParams& up = add(s, vec3(0.04f), 0.006f);
    up.name = "second";
    Run run(s);
    const auto momentum = [&] {
      dvec3 sum(0);
      const std::vector<vec3> v = run.sim->state().velocity.download();
      for (size_t i = 0; i < v.size(); ++i) sum += double(run.sim->model().host_mass[i]) * dvec3(v[i]);
      return sum;
    };
    const dvec3 before = momentum();
    double least = 1e30;
    for (int i = 0; i < 40; ++i) run.sim->step(), least = std::min(least, nearest(*run.sim));
    CHECK(least > 1 - 1e-4);
    CHECK(glm::distance(momentum(), before) < 0.02 * glm::length(before));
  }
}

TEST_CASE("grains have the same bits for any number of threads and after a snapshot") {
  Scene s = bare_grains();
  s.contact.ground = true;
  add(s, vec3(0.1f), 0.008f).placement.position.y = 0.06f;
  Run run(s), alone(s, 1);
  for (int i = 0; i < 5; ++i) run.sim->step(), alone.sim->step();
  const Snapshot kept = run.sim->snapshot();
  for (int i = 0; i < 15; ++i) run.sim->step(), alone.sim->step();
  const std::vector<vec3> first = run.sim->positions();
  CHECK(alone.sim->positions() == first);
  run.sim->restore(kept);
  for (int i = 0; i < 15; ++i) run.sim->step();
  CHECK(run.sim->positions() == first);
}

namespace {

/// How far (m) the worst grain is within another, a triangle, an edge or the ground, and how far rounding
/// may bring it there: paths keep that much room for their own (contact::rounding), and to store a position
/// as its sum takes less.
struct Overlap {
  double worst = -1e30, rounding = 0;
  explicit Overlap(Simulation& sim) {
    const std::vector<vec3> x = sim.positions();
    const Topology& t = sim.model().host;
    const auto at = [&](int v) { return dvec3(x[size_t(v)]); };
    const auto note = [&](double depth) { worst = std::max(worst, depth); };
    for (const vec3& p : x)
      for (int a = 0; a < 3; ++a) rounding = std::max(rounding, 7.2e-7 * std::abs(double(p[a])) + 1e-8);
    for (int v = 0; v < int(x.size()); ++v) {
      const double r = double(t.radius[size_t(v)]);
      if (!(r > 0)) continue;
      for (int w = 0; w < v; ++w)
        if (t.radius[size_t(w)] > 0) note(r + double(t.radius[size_t(w)]) - glm::distance(at(v), at(w)));
      for (const ivec3& f : t.triangles)
        note(r - std::sqrt(closest_vertex_triangle(at(v), at(f.x), at(f.y), at(f.z)).squared));
      if (sim.scene().contact.ground) note(r + double(sim.scene().contact.ground_height) - at(v).y);
    }
  }
};

void check_no_overlap(Simulation& sim, int steps) {
  double worst = -1e30, rounding = 0;
  for (int i = 0; i < steps; ++i) {
    sim.step();
    const Overlap o(sim);
    worst = std::max(worst, o.worst), rounding = std::max(rounding, o.rounding);
  }
  MESSAGE("overlap of ", 1e6 * worst, " um, and rounding of ", 1e6 * rounding);
  CHECK(worst < rounding);
}

}  // namespace

TEST_CASE("grains that are shot into a pile never overlap by more than rounding") {
  Scene s = bare_grains();
  s.contact.ground = true;
  Cloth sheet = bare_scene().cloths[0];
  sheet.name = "sheet", sheet.edge = 0.02f, sheet.size = {0.12f, 0.12f};
  sheet.placement = {{0, 0.03f, 0}, {-90, 0, 0}, 1};
  s.cloths.push_back(sheet);
  add(s, {0.06f, 0.06f, 0.06f}, 0.007f).placement.position = {0, 0.08f, 0};
  GrainParams& shot = add(s, vec3(0.04f), 0.005f);
  shot.name = "shot", shot.placement.position = {0, 0.2f, 0}, shot.velocity = {0, -6, 0}, shot.density = 8000;
  Run run(s);
  check_no_overlap(*run.sim, 40);
}

TEST_CASE("grains of a shipped scene never overlap by more than rounding" * doctest::test_suite("full")) {
  Scene s = read_scene(WEFT_SOURCE_FOLDER "/assets/scenes/wang2023/sand_small.toml");
  Run run(s);
  check_no_overlap(*run.sim, 200);
}
