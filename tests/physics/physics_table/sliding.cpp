// Cloth on a slope: it slides by Coulomb's law, does not lift off, and stays where friction holds it.
//
//          s ->            a    slope, degrees; on a curved body it grows with the way: a + s / R
//     .____           m s'' = m g sin a - mu N,   N = m (g cos a - s'²/R)
//    /cloth\.___      R    radius of the body's surface; infinite where it is flat
//   /           \.    mu   coefficient of friction
//
// Gravity is turned instead of the body. Implicit Euler takes the forces of the end of a step, and so does
// theory here: on a curved body the slope grows with the way, and errors of that with the time.
#include <cmath>

#include "sim/base/math.h"
#include "sim/collision/repulsion/constraints/repulsion_params.h"
#include "sim/collision/two_way/two_way_params.h"
#include "sim/scene/friction.h"
#include "tests/physics/physics_table/case.h"
#include "tests/physics/physics_table/meshes.h"

namespace weft::physics {
namespace {

constexpr double kGravity = 9.81;  // m/s²
constexpr float kSide = 0.13f, kEdge = 0.01f, kStart = -0.25f;

/// Who says the coefficient of friction: the scene and the method, the upper cloth's fabric, or the pair of
/// the two that touch. Where it is not the scene, the scene says something else.
enum class Said { default_value, fabric, pair };

/// What the cloth slides on.
struct Surface {
  std::string name;
  float edge = 0;  // m, of its triangles; 0: two triangles a face
  Layout layout = Layout::regular;
  float radius = 0;    // m; 0: flat
  bool both = false;   // curved in both directions
  bool cloth = false;  // a pinned cloth
  Said said = Said::default_value;
  bool quick = false, models = false;
};

/// Where the surface of radius R is level with the middle of the cloth at its start: way, and height above
/// the surface.
struct Place {
  double way, height;
};
Place place_on(const Surface& surface, const dvec3& p) {
  if (surface.radius == 0) return {p.x, p.y};
  const double r = double(surface.radius), x = p.x, y = p.y + r, z = surface.both ? p.z : 0.0;
  return {r * std::atan2(x, y), std::sqrt(x * x + y * y + z * z) - r};
}

Scene scene_on(const Surface& surface, const Setting& setting, double degrees, float friction) {
  Scene s = bare_cotton();
  const double a = degrees * M_PI / 180;
  s.forces.gravity = {float(kGravity * std::sin(a)), float(-kGravity * std::cos(a)), 0};
  const float otherwise = surface.said == Said::default_value ? friction : friction > 0.3f ? 0.05f : 0.9f;
  s.contact.friction = s.of<TwoWayParams>().self_friction = s.of<RepulsionParams>().self_friction = otherwise;
  const float start = surface.radius > 0 ? 0 : kStart;
  s.cloths.push_back(flat_cloth("upper", kSide, kEdge, start, resting_height(setting.method, surface.cloth)));
  if (surface.cloth) {
    Cloth lower = flat_cloth("lower", 1, 0.0113f, 0.05f, 0);
    lower.size = {0.8f, 0.2f};
    s.cloths.push_back(lower);
    s.pins.push_back(pin_all("lower"));
  } else {
    Obstacle o;
    o.name = "body";
    if (surface.edge == 0 && surface.radius > 0) {
      o.shape = ObstacleShape::sphere, o.size.x = surface.radius;
      o.placement.position = {0, -surface.radius, 0};
    } else if (surface.edge == 0) {
      o.shape = ObstacleShape::box, o.size = {2, 0.1f, 0.6f};
      o.placement.position = {0, -0.05f, 0};
    } else {
      const vec3 size(1.2f, 0.1f, 0.4f);
      const TriMesh mesh = surface.radius > 0
                               ? make_dome(size, surface.edge, surface.layout, surface.radius, surface.both)
                               : make_slab(size, surface.edge, surface.layout);
      o.shape = ObstacleShape::mesh, o.file = temporary_obj("body", mesh);
    }
    s.obstacles.push_back(o);
  }
  if (surface.said == Said::fabric) s.cloths[0].fabric.friction = friction;
  if (surface.said != Said::default_value) s.cloths[0].fabric.self_friction = friction;
  if (surface.said == Said::pair)
    s.of<FrictionPairs>().list = {{"upper", surface.cloth ? "lower" : "body", friction}},
    s.cloths[0].fabric.self_friction = otherwise;
  choose(s, setting);
  return s;
}

/// Speed of theory after `steps` steps of implicit Euler of `h` s from `way` and `speed`.
double theory_after(const Surface& surface, double degrees, double mu, double way, double speed, int steps,
                    double h) {
  const double r = surface.radius;
  for (int i = 0; i < steps; ++i) {
    double next = speed;
    for (int k = 0; k < 50; ++k) {  // forces at the end of the step: the error falls to a hundredth each time
      const double a = degrees * M_PI / 180 + (r > 0 ? (way + h * next) / r : 0);
      const double load = std::max(0.0, kGravity * std::cos(a) - (r > 0 ? next * next / r : 0));
      next = speed + h * (kGravity * std::sin(a) - (next > 0 ? mu * load : 0));
    }
    speed = next;
    way += h * speed;
  }
  return speed;
}

double highest(const Surface& surface, Measured& run) {
  double most = -1;
  const auto [first, last] = run.vertices(0);
  for (int v = first; v < last; ++v)
    most = std::max(most, place_on(surface, dvec3(run.positions()[size_t(v)])).height);
  return most;
}

double way_of(const Surface& surface, Measured& run) { return place_on(surface, run.center(0)).way; }

std::vector<Quantity> slide(const Surface& surface, const Setting& setting, double degrees, float friction) {
  Measured run(scene_on(surface, setting, degrees, friction));
  const double h = double(setting.dt), start = highest(surface, run);
  run.run_until(0.2);
  // Speed from two places a step apart, as somebody who looks on would have it.
  const auto speed = [&] {
    const double before = way_of(surface, run);
    run.step();
    return (way_of(surface, run) - before) / h;
  };
  const double v0 = speed(), s0 = way_of(surface, run), t0 = run.time();
  double lift = 0;
  while (run.time() < 0.5 - h - 1e-6) run.step(), lift = std::max(lift, highest(surface, run) - start);
  const double v1 = speed(), seconds = run.time() - t0;
  lift = std::max(lift, highest(surface, run) - start);
  const double from = std::max(v0, 0.0);
  const double theory =
      (theory_after(surface, degrees, double(friction), s0, from, int(std::lround(seconds / h)), h) - from) /
      seconds;
  const double limit = setting.dt > 0.02f ? 0.1 : 0.05;
  return {{"acceleration", "m/s²", Quantity::relative, theory, (v1 - v0) / seconds, limit},
          {"lift", "mm", Quantity::at_most, 0, 1e3 * lift, 1}};
}

std::vector<Quantity> stick(const Surface& surface, const Setting& setting, double degrees, float friction) {
  Measured run(scene_on(surface, setting, degrees, friction));
  run.run_until(1);
  const double from = way_of(surface, run), at = run.time();
  run.run_until(3);
  const double creep = (way_of(surface, run) - from) / (run.time() - at);
  return {{"creep", "mm/s", Quantity::absolute, 0, 1e3 * creep, 0.01}};
}

std::vector<Surface> surfaces() {
  using enum Layout;
  return {{.name = "a box", .quick = true},
          {.name = "a slab of 10 cm triangles", .edge = 0.1f, .quick = true, .models = true},
          {.name = "a slab of 3 cm triangles", .edge = 0.03f},
          {.name = "a slab of uneven 3 cm triangles", .edge = 0.03f, .layout = jittered, .quick = true},
          {.name = "a slab of 1 cm triangles", .edge = 0.01f},
          {.name = "a sphere", .radius = 1, .both = true, .quick = true},
          {.name = "a cylinder of 3 cm triangles", .edge = 0.03f, .radius = 1},
          {.name = "a ball of uneven 3 cm triangles",
           .edge = 0.03f,
           .layout = jittered,
           .radius = 1,
           .both = true,
           .quick = true},
          {.name = "pinned cloth", .cloth = true, .quick = true, .models = true},
          {.name = "a box as its fabric has it", .said = Said::fabric, .quick = true},
          {.name = "a box as the pair has it", .said = Said::pair, .quick = true},
          {.name = "pinned cloth as its fabric has it", .cloth = true, .said = Said::fabric},
          {.name = "pinned cloth as the pair has it", .cloth = true, .said = Said::pair}};
}

}  // namespace

std::vector<Case> sliding_cases() {
  std::vector<Case> all;
  for (const Surface& surface : surfaces()) {
    Axes axes;
    axes.layers = surface.cloth;
    axes.models = surface.models;
    all.push_back({"slides on " + surface.name + " without friction at 10 degrees", 1, "g sin a, no lift",
                   axes, surface.quick, [=](const Setting& s) { return slide(surface, s, 10, 0); }});
    axes.models = false;
    all.push_back({"slides on " + surface.name + " without friction at 15 degrees", 1, "g sin a, no lift",
                   axes, false, [=](const Setting& s) { return slide(surface, s, 15, 0); }});
    axes.models = surface.models;
    all.push_back({"slides on " + surface.name + " with friction 0.5 at 35 degrees", 1,
                   "g (sin a - mu cos a), no lift", axes, surface.quick,
                   [=](const Setting& s) { return slide(surface, s, 35, 0.5f); }});
    axes.models = false;
    if (surface.radius > 0) continue;  // there the slope at the cloth's lower end is beyond the limit
    all.push_back({"stays on " + surface.name + " with friction 0.5 at 26 degrees", 2,
                   "tan 26 = 0.488 < 0.5: no creep", axes, surface.quick,
                   [=](const Setting& s) { return stick(surface, s, 26, 0.5f); }});
  }
  return all;
}

}  // namespace weft::physics
