// The parts of a body that stand out from its middle: head, arms, legs.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

struct Limb {
  std::string name;           // "head", "left arm"; of other bodies "part 2"
  std::vector<int> path;      // vertices along the surface, from the body's middle to the limb's tip
  double begin = 0, end = 0;  // m from the middle along the surface, where it leaves the body and at its tip
};

/// Of the largest connected part of a surface. D(v): length of the shortest path along edges from the vertex
/// nearest to the centroid. A limb is a maximum of D whose region {D > level} joins another one only 12 % of
/// the body's extent or more below it (0-dimensional persistence, Edelsbrunner and Harer 2010).
struct BodyLimbs {
  std::vector<Limb> limbs;
  std::vector<int> limb_of_vertex;  // -1: none, between limbs
  std::vector<double> distance;     // D, m; of vertices elsewhere -1
  /// "the left upper arm", "the head", "the middle of the body".
  std::string part_in_words(int vertex) const;
};

/// Names are those of a body that stands upright with five limbs; left is +x where its toes point to +z.
/// Deterministic.
BodyLimbs find_limbs(const TriMesh& mesh);

}  // namespace weft
