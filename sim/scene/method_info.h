// What a scene knows of solvers and collision methods: names, parameters and needs, without their code. The
// lists stand in sim/methods/method_table.cpp.
#pragma once
#include <string>
#include <vector>

#include "sim/base/param_blocks.h"

namespace weft {

struct Scene;

/// A group of parameters: `[name]` in scene files, `name.key` with --set, a section of the panel.
struct ParamGroup {
  std::string name;   // empty: the method has no parameters of its own
  std::string title;  // of the section
  void (*add)(ParamBlocks&, const std::string& name) = nullptr;
};

template <class P>
ParamGroup param_group(const std::string& name, const std::string& title) {
  return {name, title, [](ParamBlocks& blocks, const std::string& n) { blocks.add<P>(n); }};
}

struct MethodInfo {
  std::string name;   // in scene files
  std::string label;  // in the panel
  std::string help;
  ParamGroup params = {};
  bool contact_params = false;            // contact.* acts on it
  std::vector<std::string> without = {};  // full keys in its groups that do not act on it
  /// Memory per vertex beside what every scene takes, bytes; nullptr: none worth counting.
  double (*bytes_per_vertex)(const Scene&) = nullptr;
  bool solids = false;   // takes solids (sim/scene/solids.h)
  bool strands = false;  // takes strands (sim/scene/strands.h)
  bool rigid = false;    // takes solids that are rigid bodies
  bool grains = false;   // takes grains (sim/scene/grains.h)
  // poor at meshes with uneven edges: cloths from files are remeshed unless the scene forbids it
  bool even_edges = false;
};

/// Of the solver and the collision method that a scene names.
const MethodInfo& solver_info(const Scene&);
const MethodInfo& collision_info(const Scene&);
/// Names in the order of the tables, which is that of step.solver and step.collision.
std::vector<std::string> solver_names();
std::vector<std::string> collision_names();
/// Names of what collision methods count, each once.
std::vector<std::string> counter_names();
/// The parameters of all methods, with their defaults.
ParamBlocks method_params();

}  // namespace weft
