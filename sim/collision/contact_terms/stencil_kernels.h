// The solver's contact as stencils, for solvers that take them: both sides of a contact move together, where
// anchors hold each vertex separately.
#pragma once
#include "sim/collision/contact_terms/term_kernels.h"
#include "sim/linear/stencil.h"

namespace weft::contact {

/// 1 for each pair of both lists (vertex-triangle, then edge-edge) that presses at the solver's displacement.
struct MarkPressed {
  Span<const int> count[2];
  Span<const Term> term[2];
  Span<int> flags;
  HD void operator()(int i) const {
    const int others = i - term[0].size, list = others < 0 ? 0 : 1, k = list ? others : i;
    flags[i] = k < count[list][0] && term[list][k].stiffness > 0 && term[list][k].depth > 0 ? 1 : 0;
  }
};

/// Counts the stencils, and the most that any iteration of the step wanted.
struct CountStencils {
  Span<const int> found;
  int capacity = 0;
  Span<int> count, most;
  HD void operator()(int) const {
    count[0] = glm::min(found[0], capacity);
    most[0] = glm::max(most[0], found[0]);
  }
};

/// A pair's spring and friction (as AddTerms has them) about the solver's displacement, with which its force is that of the present depth and slip.
struct EmitStencils {
  Span<const int> index;
  PairList pairs[2];
  Span<const Term> term[2];
  Span<const float> inverse_mass;  // 0 for bodies and pinned vertices, which take no part
  Span<const vec3> displacement;
  Span<ContactStencil> stencil;
  HD void operator()(int i) const {
    const int others = index[i] - term[0].size, list = others < 0 ? 0 : 1, k = list ? others : index[i];
    const Term& t = term[list][k];
    ContactStencil s;
    const FrictionTangent rub = t.rub(false);
    rub.add_to(s.stiffness, 1, t.normal, t.pressed.stiffness);
    s.force = (t.stiffness * t.pressed.load) * t.normal - rub.stick * t.slip;
    for (int c = 0; c < 4; ++c) {
      const int p = pairs[list].points[k][c];
      if (!(inverse_mass[p] > 0) || t.weight[c] == 0) continue;
      s.vertex[c] = p, s.weight[c] = t.weight[c];
      s.gap += t.weight[c] * displacement[p];
    }
    stencil[i] = s;
  }
};

}  // namespace weft::contact
