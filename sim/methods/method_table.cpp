#include "sim/methods/method_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/collision/repulsion/repulsion.h"
#include "sim/collision/sdf_contact/sdf_contact.h"
#include "sim/collision/two_way/two_way.h"
#include "sim/solvers/descent/descent_solver.h"
#include "sim/solvers/newton/newton_solver.h"

namespace weft {
namespace {

class NoCollisions final : public CollisionHandler {
 public:
  Guarantee guarantee() const override { return {}; }
  unsigned emits() const override { return 0; }
};

const char* protection_words(Protection p) {
  switch (p) {
    case Protection::none: return "not handled";
    case Protection::bounded_penetration: return "bounded";
    default: return "free of crossings";
  }
}

}  // namespace

std::string Guarantee::words() const {
  std::string s = std::string("self-collision: ") + protection_words(self) + ", bodies: ";
  if (bodies != Protection::bounded_penetration) return s + protection_words(bodies);
  return s + "vertices at most " + std::to_string(int(body_bound * 1000 + 0.5f)) + " mm inside";
}

std::string Guarantee::sentences(bool self_collision) const {
  std::string s = self_collision ? "Cloth may cross itself." : "Cloth passes through itself.";
  if (self == Protection::intersection_free) s = "Cloth never crosses itself.";
  if (bodies == Protection::none) s += " Nothing keeps it out of bodies.";
  else if (bodies == Protection::intersection_free) s += " It never crosses a body.";
  else s += fmt::format(" Vertices enter bodies by at most {:.0f} mm.", 1e3 * double(body_bound));
  return s;
}

const std::vector<SolverEntry>& solvers() {
  static const std::vector<SolverEntry> table = {
      {"newton", "Newton", "Newton's method with projected Hessians, conjugate gradients over coarser meshes and a line search (Wang 2023). Works until each step is solved: cloth swings, falls and rests the same on every mesh, and keeps its momentum. At rest and in slow motion about as fast as descent, in fast motion up to four times as slow.", kAnchors | kStencils, {"newton"},
       [](const StepContext& c) { return std::make_unique<NewtonSolver>(c); }},
      {"descent", "Multilevel descent", "Block-Jacobi descent with Chebyshev acceleration over three mesh levels (Wu 2020). The same work for every step, solved or not: fast, but large motions lag, the more the finer the mesh, and cloth at rest may creep.", kAnchors, {"descent"},
       [](const StepContext& c) { return std::make_unique<DescentSolver>(c); }},
  };
  return table;
}

const std::vector<CollisionEntry>& collision_methods() {
  static const std::vector<CollisionEntry> table = {
      {"bodies", "Bodies", "Cloth rests on bodies with Coulomb friction. Cloth passes through cloth.", kAnchors, {"contact"},
       [](StepContext& c) { return std::make_unique<SdfContact>(c); }},
      {"repulsion", "Vertex repulsion", "Keeps cloth out of itself: vertices keep their distance (Wu 2020). Rests on bodies with friction.", kAnchors, {"repulsion", "contact"},
       [](StepContext& c) { return std::make_unique<Repulsion>(c); },
       {"Collision steps", "Collision steps in the last time step (K, Wu 2020), parts of the initial motion among them.", ""}},
      {"two_way", "Two-way", "Keeps triangles out of each other, cloth and bodies, a millimetre apart, on any mesh (Wang 2023).", kAnchors, {"two_way", "contact"},
       [](StepContext& c) { return std::make_unique<TwoWay>(c); },
       {"Forward steps", "Backward and forward steps in the last time step (l of algorithm 1, Wang 2023); at most L in each handling.", "two_way.threshold"},
       {"contact.stiffness"}, false},
      {"none", "None", "Cloth passes through everything.", 0u, {}, [](StepContext&) { return std::make_unique<NoCollisions>(); }, {}, {}, false},
  };
  return table;
}

std::string why_not(const SolverEntry& s, const CollisionEntry& c) {
  const unsigned missing = c.emits & ~s.consumes;
  std::string words;
  auto name = [&](unsigned bit, const char* what) {
    if (missing & bit) words += (words.empty() ? "" : ", ") + std::string(what);
  };
  name(kAnchors, "anchors");
  name(kStencils, "contact stencils");
  name(kRegularGrid, "cloth on a regular grid");
  return words.empty() ? "" : s.label + " does not take " + words;
}

const std::vector<MethodGroup>& method_groups() {
  static const std::vector<MethodGroup> table = {{"descent", "Multilevel descent"}, {"newton", "Newton"}, {"contact", "Contact with bodies"}, {"repulsion", "Vertex repulsion"}, {"two_way", "Two-way contact"}};
  return table;
}

bool has_part(const std::string& group_or_key, const SolverEntry& s, const CollisionEntry& c) {
  const std::string group = group_or_key.substr(0, group_or_key.find('.'));
  const auto in = [](const std::vector<std::string>& names, const std::string& name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  return (in(s.groups, group) || in(c.groups, group)) && !in(c.without, group_or_key);
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (auto& s : solvers()) names.push_back(s.name);
  return names;
}

std::vector<std::string> collision_names() {
  std::vector<std::string> names;
  for (auto& c : collision_methods()) names.push_back(c.name);
  return names;
}

}  // namespace weft
