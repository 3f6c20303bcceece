// Bending weights of hinges.
#pragma once
#include <vector>

#include "sim/mesh/topology.h"

namespace weft {

/// Per hinge: Bergou 2006's stencil c (sum(c_i x_i) is the mean curvature vector integrated over the hinge)
/// and the factor w such that with k = B w the energy sum(k/2 |sum c_i x_i|^2) of a cylinder of curvature 1/r
/// is B/(2 r^2) per area, for a cylinder along any direction. On equilateral grids the weight is known in
/// closed form; on irregular meshes it is fitted per neighbourhood (see README.md). `dihedral`: weight w' of
/// 1/2 B w' (theta - theta0)^2 by the same rule, and the rest angles.
struct HingeWeights {
  std::vector<vec4> stencil;      // c, unit 1 (applied to positions in m gives m)
  std::vector<float> quadratic;   // w, 1/m^2
  std::vector<float> dihedral;    // w', dimensionless
  std::vector<float> rest_angle;  // rad
};
HingeWeights fit_hinge_weights(const Topology& topology);
/// The rest angles alone, rad: RestAngles of each cloth.
std::vector<float> rest_angles(const Topology& topology);

/// Per hinge the length of cloth that its angle bends, m: half of the sum of its triangles' heights over the
/// edge. Its curvature is the angle over that.
std::vector<float> hinge_lengths(const Topology& topology);

/// Per hinge s such that with the rigidity B_weft + s (B_warp - B_weft) cylinders along warp and weft cost
/// what they do in an isotropic sheet of their own rigidity, see the .cpp. Between -kBeyond and 1 + kBeyond.
std::vector<float> warp_shares(const Topology& topology, const HingeWeights& weights);
constexpr float kBeyond = 0.25f;

}  // namespace weft
