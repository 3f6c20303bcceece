// What a scene's choice of models consists of: the one place that asks for their names.
#pragma once
#include "sim/scene/model/model.h"
#include "sim/solvers/element_set.h"
#include "sim/solvers/energy_list.h"

namespace weft {

/// Whether a scene's models contain an energy as an element set. That of stitches belongs to all.
template <class E>
bool chosen(const StepParams& step);

/// All elements of an energy on the full mesh, with the material of the scene's fabrics.
template <class E>
ElementList<E> element_list(const Topology& topology, const Scene& scene);
/// Their material alone, in the same order.
template <class E>
std::vector<typename E::template Material<float>> element_materials(const Topology& topology,
                                                                    const Scene& scene);

/// Calls f(before, at, after) for each point of a strand between two lines.
template <class F>
void for_each_bend(const Topology& t, const F& f) {
  std::vector<std::pair<int, int>> beside(t.rest.size(),
                                          {-1, -1});  // of each point: where lines come from and go
  for (const ivec2& l : t.lines) beside[l.y].first = l.x, beside[l.x].second = l.y;
  for (int v = 0; v < int(beside.size()); ++v)
    if (beside[v].first >= 0 && beside[v].second >= 0) f(beside[v].first, v, beside[v].second);
}

/// What the fused rows (sim/linear/rows.h) bring themselves.
struct RowTerms {
  bool springs = false;  // forces of springs; else springs only lock and bound the elements' tangent
  bool bending = false;  // forces of bending; else couplings of bending stand in for the elements' tangent
  bool block_bending = false;  // elements couple vertices beyond the springs by whole blocks
};
RowTerms row_terms(const StepParams& step);

/// What the layout of the full mesh's rows depends on beyond its topology.
struct RowLayout {
  BendingModel bending = BendingModel::quadratic;
  std::vector<float> poisson;  // of each cloth's bending, where that matters, as the next
  std::vector<vec2> shares;    // bending rigidities along warp and weft over the larger one; empty: all 1
  bool operator==(const RowLayout&) const = default;
};
RowLayout row_layout(const Scene& scene);
/// Bending rigidity that scales the rows of a cloth (RowLayout), N m: the larger one, or what no hinge
/// exceeds.
float row_rigidity(const StepParams& step, const FabricParams& fabric);
/// Whether bending is that of neighbourhoods (sim/solvers/neighborhood_forces.h).
bool meshless_bending(const StepParams& step);

}  // namespace weft
