// Contacts between pairs, as a solver takes them: anchors of each vertex, or stencils of whole pairs. A
// contact
// has
//
//   float weight[4]        of the pair's points; those of the second primitive are negative
//   bool acts()            whether it adds anything
//   void add(anchor, w, factor, sum, pull)
//                          its springs about the present displacement, seen by a point of weight w, with
// `factor`
//                          times their stiffness (N/m) into `sum`, and its force (N) into `pull`; `anchor`:
// for a
//                          solver that moves each vertex alone
#pragma once
#include "sim/collision/proximity/pair_list.h"
#include "sim/linear/stencil.h"

namespace weft::contact {

/// Contacts of a vertex as anchors. A diagonal block stands for the whole contact: it is the sum of absolute
/// values of
/// its row, so that all points may respond at once.
template <class Contact>
struct AddPairs {
  PairList pairs[2];  // vertex-triangle, edge-edge
  PointPairs of_points[2];
  Span<const Contact> contact[2];
  Span<const float> inverse_mass;
  Span<const vec3> displacement;
  Span<Sym3> weight;
  Span<vec3> force;
  HD void operator()(int v) const {
    if (!(inverse_mass[v] > 0)) return;
    Sym3 sum;
    vec3 pull(0);
    for (int list = 0; list < 2; ++list)
      for (int e = of_points[list].start[v]; e < of_points[list].start[v + 1]; ++e) {
        const int pair = of_points[list].entry[e] / 4, place = of_points[list].entry[e] % 4;
        const Contact& c = contact[list][pair];
        const float w = c.weight[place];
        if (!c.acts() || w == 0) continue;
        float rows = 0;
        for (int k = 0; k < 4; ++k)
          if (inverse_mass[pairs[list].points[pair][k]] > 0) rows += fabsf(c.weight[k]);
        c.add(true, w, fabsf(w) * rows, sum, pull);
      }
    weight[v] += sum;
    force[v] += sum * displacement[v] + pull;
  }
};

/// 1 for each pair of both lists (vertex-triangle, then edge-edge) that acts.
template <class Contact>
struct MarkActing {
  Span<const int> count[2];
  Span<const Contact> contact[2];
  Span<int> flags;
  HD void operator()(int i) const {
    const int others = i - contact[0].size, list = others < 0 ? 0 : 1, k = list ? others : i;
    flags[i] = k < count[list][0] && contact[list][k].acts() ? 1 : 0;
  }
};

/// Number of entries of a list that there is room for, and the most that were wanted.
struct CountWanted {
  Span<const int> found;
  int capacity = 0;
  Span<int> count, most;
  HD void operator()(int) const {
    count[0] = glm::min(found[0], capacity);
    most[0] = glm::max(most[0], found[0]);
  }
};

/// Those as stencils: both sides of a pair act on each other, where anchors hold each vertex to where the
/// other side
/// was.
template <class Contact>
struct EmitPairs {
  Span<const int> index;
  PairList pairs[2];
  Span<const Contact> contact[2];
  Span<const float> inverse_mass;  // 0 for bodies and pinned vertices, which take no part
  Span<const vec3> displacement;
  Span<ContactStencil> stencil;
  HD void operator()(int i) const {
    const int others = index[i] - contact[0].size, list = others < 0 ? 0 : 1, k = list ? others : index[i];
    const Contact& contact_of_pair = contact[list][k];
    ContactStencil s;
    contact_of_pair.add(false, 1, 1, s.stiffness, s.force);
    for (int c = 0; c < 4; ++c) {
      const int p = pairs[list].points[k][c];
      const float w = contact_of_pair.weight[c];
      if (!(inverse_mass[p] > 0) || w == 0) continue;
      s.vertex[c] = p, s.weight[c] = w;
      s.gap += w * displacement[p];
    }
    stencil[i] = s;
  }
};

}  // namespace weft::contact
