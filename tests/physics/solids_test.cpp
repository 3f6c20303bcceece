// Solids of tetrahedra against theory, by Newton's method.
#include "sim/scene/solids.h"

#include <algorithm>

#include "tests/physics/solids.h"

using namespace weft;
using namespace weft::physics;

namespace {

/// How far the lower end of a bar hangs below its rest length, over what the theory of small strains says.
double hanging(const std::string& model, float dt) {
  // rho g L / E = 0.005, so that the strain's square is small
  const float length = 1, side = 0.1f;
  SolidParams solid = box({side, length, side}, 0.05f);
  solid.material.poisson = 0, solid.material.density = 100, solid.material.young = 100 * 9.81f / 0.005f;
  Scene s = bare_solids();
  s.set("step.solid_model", model);
  s.step.dt = dt;
  s.set("forces.air_damping", "20");
  add(s, solid);
  pin(s, [&](const vec3& p) { return p.y > length / 2 - 1e-4f; });
  Run run(s);
  run.settle(1e-5f, 1200);
  double low = 0;
  for (const vec3& p : start_positions(s)) low = std::min(low, double(p.y));
  const std::vector<vec3> x = run.sim->positions(), x0 = start_positions(s);
  double sunk = 0, points = 0;
  for (size_t v = 0; v < x.size(); ++v)
    if (double(x0[v].y) < low + 1e-4) sunk += double(x0[v].y - x[v].y), ++points;
  return sunk / points / (100 * kGravity * length * length / (2 * double(solid.material.young)));
}

/// Sag of a cantilever's end over q L⁴ / 8 E I, by the number of cells across it.
double sag(int cells) {
  const float length = 0.8f, side = 0.1f;
  SolidParams solid = box({length, side, side}, side / float(cells));
  solid.material.poisson = 0, solid.material.density = 100;
  // q L⁴ / 8EI = 1.5 rho g L⁴ / (E h²) is a hundredth of the length
  solid.material.young =
      float(1.5 * 100 * kGravity * std::pow(double(length), 3) / (0.01 * double(side) * double(side)));
  Scene s = bare_solids();
  s.set("forces.air_damping", "10");
  add(s, solid);
  pin(s, [&](const vec3& p) { return p.x < -length / 2 + 1e-4f; });
  Run run(s);
  run.settle(2e-5f, 800);
  const std::vector<vec3> x = run.sim->positions(), x0 = start_positions(s);
  double sunk = 0, points = 0;
  for (size_t v = 0; v < x.size(); ++v)
    if (x0[v].x > length / 2 - 1e-4f) sunk += double(x0[v].y - x[v].y), ++points;
  return sunk / points / (0.01 * double(length));
}

}  // namespace

TEST_CASE("a solid that is thrown flies on its parabola and keeps its spin") { solid_flies(); }

TEST_CASE("a bar that hangs is longer by half its weight over its stiffness") {
  CHECK(relative_error(hanging("neo_hookean", 1 / 60.0f), 1) < 0.01);
  CHECK(relative_error(hanging("st_venant_kirchhoff", 1 / 60.0f), 1) < 0.01);
}

TEST_CASE("a beam of more cells bends as theory says from below") {
  const double one = sag(1), two = sag(2), four = sag(4);
  MESSAGE("sag over theory with 1, 2, 4 cells across: ", one, " ", two, " ", four);
  CHECK(one < two);
  CHECK(two < four);
  CHECK(four < 1.02);
  CHECK(1 - four < 0.4 * (1 - two));
}

TEST_CASE("a beam of eight cells across is within four percent of theory" * doctest::test_suite("full")) {
  const double eight = sag(8);
  MESSAGE("sag over theory with 8 cells across: ", eight);
  CHECK(std::abs(eight - 1) < 0.04);
}

TEST_CASE("a solid ball rests on a held cloth without crossing it or turning a cell inside out") {
  ball_rests_on_cloth();
}

TEST_CASE("without contact a solid ball falls through the cloth") {
  // what the tests of contact with solids would not see if they saw nothing
  Scene s = bare_scene();
  s.set("step.collision", "none");
  s.cloths[0].edge = 0.05f;
  s.cloths[0].size = {0.6f, 0.6f};
  s.cloths[0].placement.rotation = {-90, 0, 0};
  s.pins.push_back({.cloth = "cloth", .where = "boundary"});
  SolidParams solid;
  solid.shape = SolidShape::ball, solid.size = vec3(0.15f), solid.edge = 0.04f;
  solid.placement.position = {0, 0.12f, 0};
  add(s, solid);
  Run run(s);
  for (int i = 0; i < 60; ++i) run.sim->step();
  CHECK(run.sim->stats().min_height < -1);
}

TEST_CASE(
    "a solid block slides down a slope where its tangent exceeds friction and stays where it does not") {
  for (const auto& [degrees, mu] : {std::pair(20.0, 0.2), std::pair(20.0, 0.5)}) {
    Scene s = bare_solids();
    s.set("step.collision", "two_way");
    s.contact.friction = float(mu);
    const double a = degrees * M_PI / 180;
    s.forces.gravity = {float(kGravity * std::sin(a)), float(-kGravity * std::cos(a)), 0};
    s.contact.ground = true;
    SolidParams solid = box({0.2f, 0.1f, 0.2f}, 0.05f);
    solid.placement.position.y = 0.0515f;
    solid.material.young = 1e5f;
    add(s, solid);
    Run run(s);
    for (int i = 0; i < 50; ++i) run.sim->step();
    const double before = mean_of(run.sim->positions(), 0);
    const double v0 = double(momentum_of(*run.sim).x) / (300 * 0.2 * 0.1 * 0.2);
    for (int i = 0; i < 50; ++i) run.sim->step();
    const double v1 = double(momentum_of(*run.sim).x) / (300 * 0.2 * 0.1 * 0.2);
    const double expected = kGravity * std::max(0.0, std::sin(a) - mu * std::cos(a));
    MESSAGE("slope ", degrees, " friction ", mu, ": acceleration ", (v1 - v0) / 0.5, " of ", expected);
    if (expected > 0) CHECK(relative_error((v1 - v0) / 0.5, expected) < 0.05);
    else CHECK(std::abs(mean_of(run.sim->positions(), 0) - before) < 1e-3);
  }
}

TEST_CASE("a solid keeps its bits through a snapshot") {
  Scene s = bare_solids();
  SolidParams solid = box({0.2f, 0.1f, 0.2f}, 0.05f);
  solid.spin = {100, 50, 0};
  add(s, solid);
  Run run(s);
  for (int i = 0; i < 5; ++i) run.sim->step();
  const Snapshot kept = run.sim->snapshot();
  for (int i = 0; i < 5; ++i) run.sim->step();
  const std::vector<vec3> first = run.sim->positions();
  run.sim->restore(kept);
  for (int i = 0; i < 5; ++i) run.sim->step();
  CHECK(run.sim->positions() == first);
}
