// Cloth in motion: what it does is known from momentum and energy, or from the same step solved to its end.
//
// Implicit Euler damps by itself, and that is no fault of a solver: where a motion is not known in closed
// form, it is held against Newton's method, ended late, at the same time step. In closed form, with h the
// time step and n steps: free fall from speed v:  n h v + g h² n (n + 1) / 2.
#include <algorithm>
#include <cmath>

#include "sim/base/math.h"
#include "sim/collision/repulsion/constraints/repulsion_params.h"
#include "sim/collision/two_way/two_way_params.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/solvers/newton/newton_params.h"
#include "tests/physics/physics_table/case.h"

namespace weft::physics {
namespace {

constexpr double kGravity = 9.81;  // m/s²

/// Largest distance between the middles of a run and of the solved one on the way to `seconds`, over the
/// furthest that the solved one goes. `from`: when the comparison begins.
double off_the_solved_motion(const Scene& scene, double from, double seconds) {
  Measured run(scene), reference(solved(scene));
  run.run_until(from), reference.run_until(from);
  const dvec3 start = reference.center();
  double apart = 0, way = 0;
  while (run.time() < seconds - 1e-6) {
    run.step(), reference.step();
    apart = std::max(apart, glm::length(run.center() - reference.center()));
    way = std::max(way, glm::length(reference.center() - start));
  }
  return apart / way;
}

Quantity share_off(double share) { return {"off the solved motion", "", Quantity::absolute, 0, share, 0.03}; }

/// A strip along x from 0 to `length`, level, with its end at x = 0 held.
Scene strip_scene(float length, float width, float edge, float rigidity) {
  Scene s = bare_cotton();
  Cloth c = flat_cloth("strip", 1, edge, 0.5f * length, 0);
  c.shape = ClothShape::strip;
  c.size = {length, width};
  c.fabric.bending_rigidity = rigidity;
  s.cloths.push_back(c);
  s.pins.push_back(pin_where(s, [](const vec3& p) { return p.x < 1e-4f; }));
  return s;
}

/// A level strip is let go and swings down about its pinned end.
std::vector<Quantity> swing(const Setting& setting) {
  Scene s = strip_scene(0.3f, 0.06f, 0.012f, 1.2e-5f);
  choose(s, setting);
  return {share_off(off_the_solved_motion(s, 0, 0.5))};
}

/// The end of a strip is lifted by 5 mm and let go without gravity. Frequency sqrt(12.36 B / (w L⁴)): 1.4 Hz.
std::vector<Quantity> bent_and_let_go(const Setting& setting) {
  Scene s = strip_scene(0.1f, 0.02f, 0.005f, 1e-4f);
  s.forces.gravity = vec3(0);
  Pin end = pin_where(s, [](const vec3& p) { return p.x > 0.0999f; });
  end.motion.keys = {{.time = 0}, {.time = 0.3f, .position = {-1.5e-4f, 0.005f, 0}}};
  end.release_time = 0.3f;
  s.pins.push_back(end);
  choose(s, setting);
  return {share_off(off_the_solved_motion(s, 0.3, 1.3))};
}

/// A curtain of 0.3 m that hangs by its top edge, and is let go.
std::vector<Quantity> hanging_falls(const Setting& setting) {
  Scene s = bare_cotton();
  Cloth c = flat_cloth("curtain", 0.3f, 0.015f, 0, 0);
  c.placement.rotation = vec3(0);
  s.cloths.push_back(c);
  Pin top = pin_where(s, [](const vec3& p) { return p.y > 0.1499f; });
  top.release_time = 0.3f;
  s.pins.push_back(top);
  choose(s, setting);
  Measured run(s);
  run.run_until(0.3 + 0.9 * double(setting.dt));
  run.step();  // no pin acts in this one
  const double before = run.center().y, h = double(setting.dt);
  run.step();
  const double start = run.center().y, speed = (before - start) / h;
  int n = 0;
  for (; n * h < 0.2 - 1e-6; ++n) run.step();
  const double theory = n * h * speed + kGravity * h * h * n * (n + 1) / 2;
  return {{"fallen", "mm", Quantity::relative, 1e3 * theory, 1e3 * (start - run.center().y), 0.01}};
}

std::vector<Quantity> sheet_falls(const Setting& setting) {
  Scene s = bare_cotton();
  s.cloths.push_back(flat_cloth("sheet", 0.3f, 0.015f, 0, 0));
  choose(s, setting);
  Measured run(s);
  const dvec3 start = run.center();
  const double h = double(setting.dt);
  int n = 0;
  for (; n * h < 1 - 1e-6; ++n) run.step();
  const double theory = kGravity * h * h * n * (n + 1) / 2;
  const dvec3 way = run.center() - start;
  return {{"fallen", "m", Quantity::relative, theory, -way.y, 1e-3},
          {"sideways", "mm", Quantity::absolute, 0, 1e3 * std::hypot(way.x, way.z), 0.1},
          {"longest edge", "", Quantity::relative, 1, run.longest_stretch(), 1e-3}};
}

/// Two sheets without gravity; one is carried towards the other at 1 m/s and let go 0.06 s later, before they
/// meet.
std::vector<Quantity> collide(const Setting& setting) {
  Scene s = bare_cotton();
  s.forces.gravity = vec3(0);
  s.of<TwoWayParams>().self_friction = s.of<RepulsionParams>().self_friction = 0.3f;
  s.cloths = {flat_cloth("a", 0.25f, 0.016f, 0, 0), flat_cloth("b", 0.25f, 0.016f, 0.03f, 0.15f)};
  s.cloths[1].placement.position.z = 0.05f;
  s.cloths[1].placement.rotation = {-75, 0, 10};
  Pin pin = pin_all("b");
  pin.release_time = 0.06f;
  pin.motion.keys = {{.time = 0}, {.time = 1, .position = {0, -1, 0}}};
  s.pins.push_back(pin);
  choose(s, setting);
  Measured run(s);
  const auto momentum = [&] {
    dvec3 sum(0);
    for (size_t v = 0; v < run.masses().size(); ++v)
      sum += double(run.masses()[v]) * dvec3(run.velocities()[v]);
    return sum;
  };
  run.run_until(0.06 + 0.9 * double(setting.dt));
  const dvec3 before = momentum();
  const double apart = glm::length(run.center_velocity(0) - run.center_velocity(1));
  run.run_until(0.5);
  const double met = 1 - glm::length(run.center_velocity(0) - run.center_velocity(1)) / apart;
  return {{"momentum lost", "", Quantity::absolute, 0, glm::length(momentum() - before) / glm::length(before),
           0.005},
          // So that the line cannot hold for sheets that miss each other.
          {"share of the speed of approach that is left", "", Quantity::absolute, 0.5, 1 - met, 0.5}};
}

/// A strip is swung about its pinned edge by lifting that by 5 mm in 0.15 s, without gravity: from then on
/// nothing does work on it, and implicit Euler may only take energy away.
std::vector<Quantity> hinged(const Setting& setting) {
  Scene s = strip_scene(0.1f, 0.03f, 0.005f, 1.2e-5f);
  s.forces.gravity = vec3(0);
  s.cloths[0].fabric.internal_damping = 0.02f;
  s.pins[0].motion.keys = {{.time = 0}, {.time = 0.15f, .position = {0, 0.005f, 0}}};
  choose(s, setting);
  Measured run(s);
  run.run_until(0.15 + 0.9 * double(setting.dt));
  run.step();
  const bool known = setting.bending != "meshless";  // its elastic energy is not read off
  const auto energy = [&] { return run.kinetic_energy() + (known ? run.elastic_energy() : 0); };
  const double first = energy();
  double least = first, rise = 0, early = 0, late = 0;
  while (run.time() < 4) {
    run.step();
    const double e = energy();
    rise = std::max(rise, e - least), least = std::min(least, e);
    (run.time() < 1 ? early : late) = std::max(run.time() < 1 ? early : late, run.kinetic_energy());
  }
  std::vector<Quantity> all = {
      {"kinetic energy later over at first", "", Quantity::at_most, 1, late / early, 0.01}};
  if (known)
    all.push_back({"rise of energy over that at first", "", Quantity::at_most, 0, rise / first, 0.01});
  return all;
}

/// Angular momentum about its middle after a spin of 2 s at 2 rad/s, over what it was.
double spin_left(const Setting& setting, float damping) {
  Scene s = bare_cotton();
  s.forces.gravity = vec3(0);
  s.cloths.push_back(flat_cloth("sheet", 0.2f, 0.0125f, 0, 0));
  s.cloths[0].fabric.internal_damping = damping;
  Pin pin = pin_all("sheet");
  pin.motion.spin_rate = float(2 * 180 / M_PI);
  pin.motion.spin_axis =
      glm::normalize(vec3(1, 1, 0));  // neither in the sheet nor across it: all of it turns in space
  pin.release_time = 0.1f;
  s.pins.push_back(pin);
  choose(s, setting);
  // what is measured is the damping, not what the solver leaves of a step
  s.of<NewtonParams>().tolerance = 1e-4f;
  Measured run(s);
  const auto angular_momentum = [&] {
    dvec3 sum(0);
    const dvec3 middle = run.center(), drift = run.center_velocity();
    for (size_t v = 0; v < run.masses().size(); ++v)
      sum += double(run.masses()[v]) *
             glm::cross(dvec3(run.positions()[v]) - middle, dvec3(run.velocities()[v]) - drift);
    return glm::length(sum);
  };
  run.run_until(0.1 + 0.9 * double(setting.dt));
  const double before = angular_momentum();
  run.run_until(2.1);
  return angular_momentum() / before;
}

std::vector<Quantity> spin(const Setting& setting) {
  const double with = spin_left(setting, 0.02f), without = spin_left(setting, 0);
  return {
      {"angular momentum left after 2 s with internal damping", "", Quantity::relative, without, with, 1e-3}};
}

/// Kinetic energy of the swinging sheet at 0.3 s, J.
double swing_energy(const Setting& setting, int vertices) {
  Scene s = bare_cotton();
  Cloth c = flat_cloth("sheet", 0.5f, 0, 0, 1);
  c.vertices = vertices;
  c.fabric_name = "cotton";
  c.fabric.internal_damping = 0.02f;
  s.cloths.push_back(c);
  s.pins.push_back(pin_where(s, [](const vec3& p) { return p.x < -0.2499f; }));
  choose(s, setting);
  Measured run(s);
  run.run_until(0.3);
  return run.kinetic_energy();
}

std::vector<Quantity> mesh_independent(const Setting& setting, int coarse, int fine) {
  return {{"kinetic energy over that of the finer mesh", "", Quantity::relative, 1,
           swing_energy(setting, coarse) / swing_energy(setting, fine), 0.03}};
}

/// Cloth lies on a box that rises by 0.1 m in 0.1 s and stops: the cloth flies on as a thrown body does.
std::vector<Quantity> thrown_up(const Setting& setting) {
  Scene s = bare_cotton();
  s.cloths.push_back(flat_cloth("sheet", 0.15f, 0.0125f, 0, resting_height(setting.method, false)));
  s.cloths[0].fabric.internal_damping = 0.02f;
  Obstacle o;
  o.shape = ObstacleShape::box, o.size = {0.4f, 0.1f, 0.4f};
  o.placement.position = {0, -0.05f, 0};
  o.motion.keys = {{.time = 0.2f}, {.time = 0.3f, .position = {0, 0.1f, 0}}};
  s.obstacles.push_back(o);
  choose(s, setting);
  Measured run(s);
  run.run_until(0.2);
  const double lying = run.center().y, h = double(setting.dt);
  run.run_until(0.3);
  const double start = run.center().y;
  double theory = 0, highest = start;
  for (double v = 1 - kGravity * h; v > 0; v -= kGravity * h) theory += h * v;
  while (run.time() < 1.2) run.step(), highest = std::max(highest, run.center().y);
  return {{"flies up", "mm", Quantity::relative, 1e3 * theory, 1e3 * (highest - start), 0.05},
          {"lies in the end above where it lay", "mm", Quantity::absolute, 100,
           1e3 * (run.center().y - lying), 0.5}};
}

Axes without_contact() {
  Axes axes;
  axes.methods = {"none"};
  return axes;
}

/// How far a hoop has rolled from rest in `seconds` (m) that backward Euler moves as a rigid body without
/// slip, under an acceleration along the ground. Its points want to go on by as much as in the last step, in
/// which they turned by `last`: for a turn by a in the next one their inertia has the energy
///
///   M R² / h² ((a - last - h² g / R)² / 2 - 2 cos a + cos(a + last)),    which is least.
double rigid_hoop(double radius, double acceleration, double dt, double seconds) {
  double last = 0, way = 0;
  for (int step = 0; step < int(std::lround(seconds / dt)); ++step) {
    double a = last;
    for (int i = 0; i < 50; ++i) {
      const double slope = a - last - dt * dt * acceleration / radius + 2 * std::sin(a) - std::sin(a + last);
      a -= slope / (1 + 2 * std::cos(a) - std::cos(a + last));
    }
    way += radius * a, last = a;
  }
  return way;
}

/// A stiff hoop on level ground rolls under gravity that is turned by 10 degrees.
std::vector<Quantity> rolls(const Setting& setting) {
  constexpr double kRadius = 0.06, kSeconds = 1, kTilt = 10 * M_PI / 180;
  Scene s = bare_cotton();
  s.contact.ground = true;
  s.contact.friction = 0.4f;
  s.forces.gravity = {float(kGravity * std::sin(kTilt)), float(-kGravity * std::cos(kTilt)), 0};
  TriMesh hoop = make_tube(2 * float(kRadius), 0.04f, 0.005f);  // its axis along y
  for (vec3& p : hoop.positions) p = {p.x, p.z, -p.y};
  Cloth c = flat_cloth("hoop", 1, 0.005f, 0, 0);
  c.shape = ClothShape::obj;
  c.mesh = std::make_shared<const TriMesh>(hoop);
  c.placement = {.position = {0, float(kRadius) + 0.0013f, 0}};
  c.fabric.bending_rigidity = 0.05f;
  s.cloths.push_back(c);
  choose(s, setting);
  if (s.step.bending_model == int(BendingModel::quadratic))  // of flat rest shapes
    s.step.bending_model = int(BendingModel::dihedral);
  Measured run(s);
  const double from = run.center().x;
  run.run_until(kSeconds);
  const double theory = rigid_hoop(kRadius, double(s.forces.gravity.x), double(s.step.dt), kSeconds);
  return {{"way", "m", Quantity::relative, theory, run.center().x - from, 0.05}};
}

}  // namespace

std::vector<Case> motion_cases() {
  const Axes none = without_contact();
  Axes layers;
  layers.layers = true, layers.models = false;
  Axes contact;
  contact.models = false;
  Axes at_60 = none;
  at_60.dts = {1.0f / 60};
  return {
      {"a strip swings down about its end", 3, "the same step solved to its end", none, true, swing},
      {"a strip is bent and let go", 3, "the same step solved to its end", none, true, bent_and_let_go},
      {"a hanging cloth is let go", 3, "n h v + g h² n (n + 1) / 2", none, true, hanging_falls},
      {"a free sheet falls", 3, "g h² n (n + 1) / 2, stretch 1", none, true, sheet_falls},
      {"the energy of a hinged strip without forces", 3, "never rises", none, true, hinged},
      {"a sheet swings the same with 600 and 2500 vertices", 3, "independent of the mesh", at_60, true,
       [](const Setting& s) { return mesh_independent(s, 600, 2500); }},
      {"a sheet swings the same with 2500 and 10000 vertices", 3, "independent of the mesh", at_60, false,
       [](const Setting& s) { return mesh_independent(s, 2500, 10000); }},
      {"two sheets collide without gravity", 4, "momentum is kept", layers, true, collide},
      {"a stiff hoop rolls", 2, "a rigid hoop by the same backward Euler", contact, true, rolls},
      {"cloth is thrown up by a box", 2, "sum of h (v - k g h), and lies again", contact, true, thrown_up},
      {"a free sheet spins with internal damping", 8, "as without: rigid motion is not damped", none, true,
       spin}};
}

}  // namespace weft::physics
