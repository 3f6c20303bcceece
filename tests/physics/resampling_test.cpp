// Cloth that stretches beyond L (Wu 2020, section 6.2), on small strips of the paper's edge length.
#include <algorithm>

#include "sim/collision/repulsion/constraints/repulsion_params.h"
#include "tests/physics/scenes.h"
#include "tests/safety/crossings.h"

using namespace weft;
using namespace weft::physics;

namespace {

Cloth soft_strip(const std::string& name, vec2 size) {
  Cloth c;
  c.name = name;
  c.size = size, c.edge = 0.0042f, c.pattern = "uniform";
  c.fabric.areal_density = 0.276f;
  return c;
}

/// A strip that hangs from its top edge and is so soft that its own weight makes its upper edges several
/// times as long.
Scene hanging(const std::string& collision, bool resampling) {
  Scene s;
  s.set("step.collision", collision);
  s.of<RepulsionParams>().resampling = resampling;
  s.contact.ground = false;
  s.forces.lift = s.forces.drag = 0;
  s.forces.air_damping = 20;  // comes to rest within a second
  Cloth c = soft_strip("strip", {0.0126f, 0.08f});
  c.fabric.stretch_stiffness = 0.18f;  // N/m; the top carries 0.22 N/m
  c.fabric.poisson_ratio = 0;
  c.fabric.internal_damping = 0.5f;
  c.placement.position = {0, 0.6f, 0};
  s.cloths = {c};
  s.pins.push_back({.cloth = "strip", .where = "top"});
  return s;
}

double settled_length(Scene scene) {
  Run run(std::move(scene));
  for (int k = 0; k < 100; ++k) run.sim->step();
  double low = 1e9, high = -1e9;
  for (const vec3& p : run.sim->positions())
    low = std::min(low, double(p.y)), high = std::max(high, double(p.y));
  return high - low;
}

/// A strip that is pulled down on both sides of another one, far beyond twice its length at rest.
Scene pulled_over(bool resampling) {
  Scene s;
  s.set("step.collision", "repulsion");
  s.of<RepulsionParams>().resampling = resampling;
  s.contact.ground = false;
  Cloth bar = soft_strip("bar", {0.0168f, 0.06f}), strip = soft_strip("strip", {0.05f, 0.0126f});
  bar.placement.rotation = strip.placement.rotation = {-90, 0, 0};
  bar.placement.position = {0, 0.4f, 0};
  strip.placement.position = {0, 0.41f, 0};
  strip.fabric.stretch_stiffness = 60;
  s.cloths = {bar, strip};
  for (const char* end : {"top", "bottom"}) s.pins.push_back({.cloth = "bar", .where = end});
  for (const float side : {-1.0f, 1.0f}) {
    Pin pin{.cloth = "strip", .where = side < 0 ? "left" : "right"};
    pin.motion.keys = {{0.02f, vec3(0), vec3(0)},
                       {0.2f, vec3(side * 0.025f, -0.035f, 0), vec3(0)},
                       {0.3f, vec3(side * 0.01f, -0.06f, 0.01f * side), vec3(0)}};
    s.pins.push_back(pin);
  }
  return s;
}

/// How many samples are reported, which is how many are counted.
int looked_at_samples(Simulation& sim) {
  const int count = int(sim.active_samples(100000).size());
  CHECK(count == sim.stats().counter("active_samples"));
  CHECK(int(sim.active_samples(5).size()) <= 5);
  return count;
}

}  // namespace

TEST_SUITE("physics") {
  TEST_CASE(
      "with resampling a soft strip hangs as long as without self-collision and without it it is held at L") {
    const double wanted = settled_length(hanging("none", false)),
                 held = settled_length(hanging("repulsion", false)),
                 resampled = settled_length(hanging("repulsion", true));
    MESSAGE("of 80 mm: " << 1e3 * wanted << " mm wanted, " << 1e3 * held << " mm without, " << 1e3 * resampled
                         << " mm with resampling");
    CHECK(relative_error(resampled, wanted) < 0.01);
    CHECK(held < 0.85 * wanted);
  }

  TEST_CASE(
      "a strip pulled hard over another one goes beyond L and crosses nothing and is the same for any number "
      "of threads") {
    for (const bool resampling : {true, false}) {
      const Scene scene = pulled_over(resampling);
      Run one(scene, 1), two(scene, 2);
      one.device->verify_replays = true;
      int crossed = 0, most = 0, rolled_back = 0, told_of = 0;
      double lag = 0, stretch = 0;
      for (int k = 0; k < 32; ++k) {
        one.sim->step();
        if (resampling) two.sim->step();
        if (k % 4 == 0) told_of = std::max(told_of, looked_at_samples(*one.sim));
        const std::vector<vec3> x = one.sim->positions();
        crossed +=
            !check::find_crossings(std::span<const vec3>(x), {one.sim->model().host.triangles}).clean();
        const StepStats stats = one.sim->stats();
        most = std::max(most, int(stats.counter("active_samples"))),
        rolled_back += stats.counter("rolled_back");
        lag = std::max(lag, double(stats.pin_lag)), stretch = std::max(stretch, double(stats.max_stretch));
      }
      MESSAGE("resampling " << resampling << ": up to " << most << " samples, stretch " << stretch
                            << ", pins lag " << 1e3 * lag << " mm, " << rolled_back << " rolled back");
      CHECK(crossed == 0);
      CHECK((most > 0) == resampling);
      CHECK((told_of > 10) == resampling);
      if (resampling) CHECK(one.sim->hash() == two.sim->hash());  // although one was checked
      one.sim->reset();
      CHECK(one.sim->active_samples(1000).empty());
      CHECK((stretch > 2.4) == resampling);  // L is 2.0 to 2.4 of an edge at rest
      CHECK((lag < 1e-3) == resampling);
    }
  }
}
