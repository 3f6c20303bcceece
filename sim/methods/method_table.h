// The one table of dynamics solvers and collision methods. Panels, command line, scene files, tests and
// benchmarks read it. A method describes itself in its own folder (NAME_method.cpp); method_table.cpp lists
// it in one line.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/methods/collision_handler.h"
#include "sim/methods/dynamics_solver.h"
#include "sim/methods/quantities.h"
#include "sim/scene/method_info.h"

namespace weft {

/// Values of parameters that belong together, offered by the panel as one choice.
struct MethodPreset {
  std::string label, help;
  std::vector<std::pair<std::string, std::string>> settings;  // full keys and values
};

/// The parameter that makes a solver solve a step further.
struct SolverEffort {
  std::string key;   // full; empty: there is none
  std::string what;  // it counts: "Newton steps"
  double first = 0;  // what to begin with where its value is 0, which leaves it to the solver
};

struct SolverEntry : MethodInfo {
  std::vector<MethodPreset> presets = {};
  SolverEffort effort = {};
  // SolverNumbers::solver_residual may tell as little as this share of the true error
  double residual_tells = 1;
  /// Why it cannot take a scene's cloth, in words; empty: it can. nullptr: it takes any. Does not read files.
  std::string (*refuses)(const Scene&) = nullptr;
  std::function<std::unique_ptr<DynamicsSolver>(const StepContext&)> make;
};

/// What CollisionNumbers::collision_steps are, for people.
struct StepsInWords {
  std::string label, help;  // empty: the method takes none
  // key of the parameter below which CollisionNumbers::residual should end; empty: no residual
  std::string residual_limit = {};
  std::string failed = {};  // without a residual: the counter that is drawn with them
};

struct CollisionEntry : MethodInfo {
  std::function<std::unique_ptr<CollisionHandler>(StepContext&)> make;
  StepsInWords steps = {};
  std::string limit = {};  // full key of the most steps of contact; empty: it has no such limit
  // full key of the distance below which pairs repel: the larger, the fewer pairs are close. May be empty
  std::string apart = {};
  bool part_radii = false;     // parts meet each other at their own radii (ContactRadii)
  bool never_crosses = false;  // it keeps cloth that begins so out of itself and out of bodies
  // it reads the distance fields of bodies; those of bodies that deform are built, and steps are made in
  // parts for them, only then
  bool distance_fields = true;
  std::vector<VertexField> fields = {};    // of the cloth, that the method alone has
  std::vector<CounterInfo> counters = {};  // in the order of CollisionNumbers::counters
};

const std::vector<SolverEntry>& solvers();
const std::vector<CollisionEntry>& collision_methods();

/// Every group of parameters that belongs to methods, "contact" among them, in the order of Scene::params.
std::vector<ParamGroup> method_groups();
/// Whether the parameters of a group act on the pair; or, given a full key, whether that one does.
bool has_part(const std::string& group_or_key, const SolverEntry&, const CollisionEntry&);

/// Empty if the solver takes the scene's cloth and models, else the reason, in words.
std::string why_not(const SolverEntry&, const Scene&);
/// The same of a collision method, or of a solver without what it says itself: the kinds of parts it takes.
std::string why_not(const MethodInfo&, const Scene&);

/// For tests: lists one more solver or method while it lives. Scenes made before it do not know its
/// parameters.
/// Not for use while other threads read the tables.
class ListedMethod {
 public:
  explicit ListedMethod(SolverEntry entry);
  explicit ListedMethod(CollisionEntry entry);
  ~ListedMethod();
  ListedMethod(const ListedMethod&) = delete;

 private:
  bool solver_;
};

}  // namespace weft
