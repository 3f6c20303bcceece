// What the springs of a step are made of. Shared by the solvers, so that they lower the same energy.
#pragma once
#include <vector>

#include "sim/linear/rows.h"
#include "sim/methods/step_context.h"
#include "sim/solvers/scene_elements.h"

namespace weft {

/// Moduli (N/m) of the springs of the full mesh, for the elastic model in force. Next to finite elements
/// springs bring no force of their own; they lock where the strain limit asks for it, and bound the elements'
/// tangent (sim/energies/bounding_springs.h).
class SpringModuli {
 public:
  explicit SpringModuli(const StepContext&);
  /// Of the spring between vertices v and w, which an edge joins, over what `unit_spring_stiffness` gives
  /// that edge.
  float operator()(int v, int w) const;
  /// Of all edges, N/m; empty with springs.
  const std::vector<float>& edge_stiffness() const { return stiffness_; }

 private:
  template <class E>
  void add_bounds(const ElementList<E>& list);
  const StepContext& c_;
  std::vector<float> stiffness_, unit_, weave_;
};
/// Modulus of a spring of a coarser mesh, between the vertices v and w of the full one. `painted`:
/// painted_factors on the stretch stiffness.
float coarse_spring_modulus(const StepContext&, const std::vector<float>& painted, int v, int w);
/// Stretch (length over rest length) at which the springs at vertex v begin to lock.
float lock_begin(const StepContext& c, int v);

/// What a scene's bending model has on the full mesh: the plate itself, or what stands in for the Hessian of
/// hinges or neighbourhoods; and an entry for each pair that a stitch or a cell of a solid joins.
std::vector<std::vector<RowEntry>> fine_rows(const StepContext& c);

}  // namespace weft
