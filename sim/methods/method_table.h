// The one table of dynamics solvers and collision methods. Panels, command line, scene files, tests and benchmarks read
// it; a new method is one more entry.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/methods/collision_handler.h"
#include "sim/scene/method_names.h"
#include "sim/methods/dynamics_solver.h"

namespace weft {

struct SolverEntry {
  std::string name;   // in scene files
  std::string label;  // in the panel
  std::string help;
  unsigned consumes;
  std::vector<std::string> groups;  // of parameters that act on it
  std::function<std::unique_ptr<DynamicsSolver>(const StepContext&)> make;
};

/// What CollisionNumbers::collision_steps are, for people.
struct StepsInWords {
  std::string label, help;     // empty: the method takes none
  std::string residual_limit;  // key of the parameter below which CollisionNumbers::residual should end; empty: no residual, but a hard phase
};

struct CollisionEntry {
  std::string name, label, help;
  unsigned emits;
  std::vector<std::string> groups;
  std::function<std::unique_ptr<CollisionHandler>(StepContext&)> make;
  StepsInWords steps = {};
  std::vector<std::string> without = {};  // full keys of parameters in its groups that do not act on it
  bool fields = true;  // it looks at the distance fields of bodies; those of bodies that deform are built, and steps made in parts for them, only then
};

const std::vector<SolverEntry>& solvers();
const std::vector<CollisionEntry>& collision_methods();

/// A group of parameters that belongs to methods.
struct MethodGroup {
  std::string name, title;  // as in keys; for people
};
const std::vector<MethodGroup>& method_groups();
/// Whether the parameters of a group act on the pair; or, given a full key, whether that one does.
bool has_part(const std::string& group_or_key, const SolverEntry&, const CollisionEntry&);

/// Empty if the pair works, else which capability is missing, in words.
std::string why_not(const SolverEntry&, const CollisionEntry&);

}  // namespace weft
