// Neighbouring triangles that could cross although vertices keep their distances, and the stretch of edges
// needed for it.
#pragma once
#include <vector>

#include "sim/scene/model/model.h"

namespace weft {

/// Shares of the distance at rest that vertices keep: those joined by an edge, and those two edges apart.
constexpr float kEdgeShare = 0.85f, kNearShare = 0.75f;
/// Fraction of these in squeezed cloth, where every pair nearby is examined exactly.
constexpr float kReleasedShare = 0.6f;

/// Least distances that vertices keep, for the pairs of two crossing edges ab and cd or of a vertex and a
/// triangle's corners (m).
struct KeptDistances {
  float ac = 0, ad = 0, bc = 0, bd = 0;
};

/// A lower bound of s, at most `most`, such that segments of lengths up to s ab and s cd cross somewhere
/// while their ends keep the distances.
float crossing_stretch(float ab, float cd, const KeptDistances& kept, float most);

/// The same for a point on a triangle with edges up to s (ab, bc, ca), at distances of at least kept[0..2]
/// from a, b and c.
float crossing_stretch(const float edges[3], const float kept[3], float most);

/// Rows of partners in ascending order of `stretch`: below that stretch of all edges in question the two
/// cannot meet.
struct FoldList {
  std::vector<int> start, partner;
  std::vector<float> stretch;
};

/// All pairs that the bound B does not keep apart, since some of their vertices are within two edges of each
/// other. Also those that could meet only with vertices squeezed to kReleasedShare: all distances that much
/// shorter take edges that much shorter to meet.
struct FoldPairs {
  FoldList edges;      // per edge: edges that share no vertex with it
  FoldList triangles;  // per triangle: vertices that are not its corners
  // per edge: the least stretch in its rows and in those of its triangles
  std::vector<float> edge_stretch;
  std::vector<ivec3> triangle_edges;  // ab, bc, ca
};

/// `bound`: the distance B (m) of vertices further than two edges apart; `longest`: no edge grows beyond it
/// (m).
FoldPairs fold_pairs(const Topology& topology, float bound, float longest);

}  // namespace weft
