// The lengths of vertex repulsion on a mesh (Wu 2020, section 4.3.3).
#pragma once
#include "sim/collision/repulsion/constraints/repulsion_params.h"
#include "sim/scene/model/model.h"

namespace weft {

/// Edge lengths of a rest mesh, m.
struct EdgeRange {
  float shortest = 0, mean = 0, longest = 0;
};
EdgeRange edge_range(const Topology& topology);

/// Everything in metres (squares in m^2), scaled to the mesh.
struct RepulsionConstants {
  float scale = 1;          // ratio of these lengths to those of the parameters
  float max_edge = 0;       // L
  float longest_edge = 0;   // maximum of an edge with a sample in its middle: 2 L with resampling, else L
  float resample_from = 0;  // L_ada
  float bound = 0;          // B = L / sqrt(2)
  // distance that all pairs keep now: B, or less while they are being separated to a larger B. L then is
  // sqrt(2) times that
  float kept = 0;
  float distance = 0;       // B + B_tight
  float soft_distance = 0;  // sqrt((B + B_tight)^2 + slack): vertices start to repel
  float soft_edge = 0;      // sqrt(L^2 - slack): edges start to resist
  float condition = 0;      // epsilon_cond, m^2
  float step_limit = 0;     // D
  float move_limit = 0;     // of a step, what constraints add included
  float barrier = 0;        // mu, m^2
  float slack = 0;          // m^2
  // Pairs are searched within search_radius = distance + 2 budget, and between two searches no vertex moves
  // further than `budget`: a pair that was not found then never comes closer than `distance`.
  int steps_per_search = 1;
  float budget = 0;
  float search_radius = 0;
  // A part of the initial motion is a map of space that shortens distances by at most `initial_squeeze`;
  // vertices then move further by at most `initial_budget`: search_radius (1 - squeeze) - 2 initial_budget -
  // 2 off_the_map >= distance. A sample moves with the mean of two corners, each at most L from it, which the
  // map moves by up to squeeze L unlike the place of the sample itself: off_the_map.
  float initial_squeeze = 0;
  float initial_budget = 0;
  float off_the_map = 0;

  /// Distance that a sample must have from all others before its edge may grow beyond L; more than B.
  HD float settled() const { return 0.5f * (bound + distance); }
};
/// `kept`: see above, at most B.
RepulsionConstants repulsion_constants(const RepulsionParams& params, const EdgeRange& edges,
                                       float kept = 1e30f);

}  // namespace weft
