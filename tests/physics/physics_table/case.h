// The physics table: what a case is, and what it is run with. Cases stand in the files beside this one, by
// subject.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/scene/scene.h"

namespace weft::physics {

/// What a case is run with. Names are those of scene files.
struct Setting {
  bool defaults = false;  // nothing is set but the scene and dt; the names say what that came to
  std::string solver, method, stretch, bending;
  float dt = 1.0f / 60;  // s
};

/// Height at which the method lets cloth lie on a body, or on other cloth (m).
float resting_height(const std::string& method, bool on_cloth);

/// One number of a run, beside the one that theory has for it.
struct Quantity {
  enum Kind { relative, absolute, at_most };
  std::string name, unit;
  Kind kind = relative;  // error: |measured / theory - 1|; |measured - theory|; what measured is above theory
  double theory = 0, measured = 0;
  double limit = 0;  // of the error
  double error() const;
  bool holds() const;  // false where it was not measured (NaN)
};

/// Which of a setting's choices a case is run over, beside the solvers.
struct Axes {
  std::vector<std::string> methods = {"bodies", "repulsion", "two_way"};
  std::vector<float> dts = {1.0f / 30, 1.0f / 60, 1.0f / 120};
  bool models = true;   // each stretch and each bending model as well, at 1/60 s
  bool layers = false;  // cloth meets cloth: of no use with a method that does not keep it apart
};

struct Case {
  std::string name;  // in words, without a comma
  int item = 0;  // of the list of faults that the table grew from: which physics it stands for, see README
  std::string theory;  // in words, with its formula
  Axes axes;
  bool quick = false;  // part of --quick
  std::function<std::vector<Quantity>(const Setting&)> run;
};

/// Every case, in the order of the table.
std::vector<Case> all_cases();
std::vector<Case> sliding_cases();
std::vector<Case> motion_cases();  // swinging, falling, spinning, colliding, thrown up
std::vector<Case> rest_cases();    // at rest, without and with contact
std::vector<Case> shape_cases();   // cantilevers, drape

/// Writes a setting into a scene: with `defaults` dt alone.
void choose(Scene& scene, const Setting& setting);
/// The setting of a run with defaults. Where `layers`, and the default method does not keep cloth from cloth,
/// the method is two_way.
Setting default_setting(float dt, bool layers);
/// The settings that a case is run with: first defaults for every dt, then solvers x methods x dt with
/// springs and quadratic bending, then the other models at 1/60 s.
std::vector<Setting> settings_of(const Case& c);

/// A run of a scene whose numbers are wanted in double precision.
class Measured {
 public:
  /// One thread. Steps end with an Error once the process has used `seconds_for_a_run()` of processor time
  /// since.
  explicit Measured(Scene scene);
  ~Measured();
  void step();
  /// Steps until `time` s have passed.
  void run_until(double time);
  double time() const;
  const std::vector<vec3>& positions();      // after the last step, m
  const std::vector<vec3>& velocities();     // m/s
  const std::vector<float>& masses() const;  // kg
  const Scene& scene() const;
  /// Mean over all vertices of cloth `cloth`, weighted by mass.
  dvec3 center(int cloth = 0);
  dvec3 center_velocity(int cloth = 0);
  /// First vertex of a cloth, and the one after its last.
  std::pair<int, int> vertices(int cloth) const;
  double kinetic_energy();   // J
  double elastic_energy();   // J, of the stretch and bending model in force; bending only where that is
                             // quadratic or dihedral
  double longest_stretch();  // longest edge over its rest length

 private:
  struct Impl;
  Impl* impl_;
};

/// Simulated time that cloth is watched at rest with defaults, s; all other runs take 10 s at most.
double& seconds_at_rest();
/// The same scene, whose steps Newton's method solves to the end: what a solver that ends early is held
/// against.
Scene solved(Scene scene);
/// A pin for each vertex of a scene whose start position `chosen` picks; `cloth` is its only cloth.
Pin pin_where(const Scene& scene, const std::function<bool(const vec3&)>& chosen);

/// Processor time that one run may take, s.
double& seconds_for_a_run();
/// Processor time of this process, s.
double processor_seconds();

/// Cotton of 0.15 kg/m² without air, ground or internal damping.
Scene bare_cotton();
/// A square of cloth of `side` m in y = `height`, centred at (x, 0).
Cloth flat_cloth(const std::string& name, float side, float edge, float x, float height);
/// Pins all vertices of a cloth.
Pin pin_all(const std::string& cloth);

}  // namespace weft::physics
