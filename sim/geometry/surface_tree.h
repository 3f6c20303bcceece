// The exact signed distance to a surface from anywhere, where distance fields have lower bounds.
#pragma once
#include <string>
#include <vector>

#include "sim/device/buffer.h"
#include "sim/geometry/moving_sdf.h"
#include "sim/geometry/surface_tree_kernels.h"
#include "sim/mesh/mesh.h"

namespace weft {

/// A mesh in a tree of boxes, on a device. Triangles are arranged once, by where they are at first; for
/// another pose of the same mesh only the boxes follow.
class SurfaceTree {
 public:
  /// Placed at the mesh's own positions. Throws Error for a mesh without triangles.
  SurfaceTree(Device& device, const TriMesh& mesh, const std::string& name);
  /// Other positions of its vertices, m: as many as the mesh has.
  void place(const std::vector<vec3>& positions);
  /// Valid as long as the tree, until the next `place`.
  surface_tree::View view() const;

 private:
  Device& device_;
  MovingMesh mesh_;  // its triangles in the order of the leaves
  int leaves_ = 1;
  Buffer<vec3> position_, vertex_normal_;
  Buffer<SdfTriangle> triangle_;
  Buffer<vec4> ball_;
  Buffer<surface_tree::Box> box_;
};

}  // namespace weft
