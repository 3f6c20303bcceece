// The mannequin as a closed mesh with skin weights.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "sim/mannequin/body_shape.h"
#include "sim/mesh/mesh.h"

namespace weft {

/// At most four bones and their shares, which sum to 1; largest first.
struct SkinWeights {
  std::array<int, 4> bone{0, 0, 0, 0};
  std::array<float, 4> share{1, 0, 0, 0};
};

struct BodyMesh {
  Skeleton skeleton;
  MeasureHeights heights;
  TriMesh mesh;                      // rest pose, closed, outward
  std::vector<SkinWeights> weights;  // per vertex
};

/// Marching tetrahedra of the distance, edges made even, vertices moved onto the zero set. The weights are
/// the primitives' shares, spread along the surface by a few centimetres. The same parameters give the same
/// object again. Throws Error.
std::shared_ptr<const BodyMesh> make_body_mesh(const MannequinParams& params);

/// The zero set of `field` in cells of `cell` m: manifold, closed and outward.
TriMesh marching_tetrahedra(const BodyField& field, double cell);

/// Length of a tape around the part of the mesh at a height that encloses the axis, m; 0 if none does.
double mesh_girth(const TriMesh& mesh, double height);

}  // namespace weft
