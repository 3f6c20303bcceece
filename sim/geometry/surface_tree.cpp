#include "sim/geometry/surface_tree.h"

#include <algorithm>
#include <numeric>

namespace weft {
namespace {

constexpr int kLeaf = 4;  // most triangles of a leaf

int leaves_for(int triangles) {
  int leaves = 1;
  while (leaves * kLeaf < triangles) leaves *= 2;
  return leaves;
}

/// Divides the triangles of leaves [first, last) along the longest side of the box around their middles, and
/// so on down to single leaves.
class Arrangement {
 public:
  Arrangement(const TriMesh& mesh, int leaves) : leaves_(leaves), order_(mesh.triangles.size()) {
    for (const ivec3& t : mesh.triangles)
      middle_.push_back(
          (mesh.positions[size_t(t.x)] + mesh.positions[size_t(t.y)] + mesh.positions[size_t(t.z)]) / 3.0f);
    std::iota(order_.begin(), order_.end(), 0);
    divide(0, leaves);
  }
  const std::vector<int>& order() const { return order_; }

 private:
  std::ptrdiff_t start(int leaf) const {
    return surface_tree::first_of_leaf(leaf, leaves_, int(order_.size()));
  }
  void divide(int first, int last) {
    if (last - first < 2) return;
    const int half = (first + last) / 2;
    Bounds box;
    for (auto i = start(first); i < start(last); ++i) box.add(middle_[size_t(order_[size_t(i)])]);
    const vec3 side = box.max - box.min;
    const int axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
    std::nth_element(order_.begin() + start(first), order_.begin() + start(half),
                     order_.begin() + start(last), [&](int a, int b) {
                       const float x = middle_[size_t(a)][axis], y = middle_[size_t(b)][axis];
                       return x != y ? x < y : a < b;
                     });
    divide(first, half), divide(half, last);
  }

  int leaves_;
  std::vector<vec3> middle_;
  std::vector<int> order_;
};

TriMesh arranged(const TriMesh& mesh, int leaves) {
  TriMesh out;
  out.positions = mesh.positions;
  const Arrangement leaves_first(mesh, leaves);
  for (const int t : leaves_first.order()) out.triangles.push_back(mesh.triangles[size_t(t)]);
  return out;
}

}  // namespace

SurfaceTree::SurfaceTree(Device& device, const TriMesh& mesh, const std::string& name)
    : device_(device),
      mesh_(device, arranged(mesh, leaves_for(mesh.triangle_count())), name),
      leaves_(leaves_for(mesh.triangle_count())),
      position_(device, "surface vertices", mesh.vertex_count()),
      vertex_normal_(device, "surface normals", mesh.vertex_count()),
      triangle_(device, "surface triangles", mesh.triangle_count()),
      ball_(device, "surface balls", mesh.triangle_count()),
      box_(device, "surface boxes", 2 * leaves_ - 1) {
  place(mesh.positions);
}

void SurfaceTree::place(const std::vector<vec3>& positions) {
  position_.upload(positions);
  mesh_.faces(device_, position_.span(), triangle_.span(), ball_.span(), vertex_normal_.span());
  launch(device_, "surface boxes", leaves_, surface_tree::LeafBoxes{triangle_.span(), leaves_, box_.span()});
  for (int nodes = leaves_ / 2; nodes > 0; nodes /= 2)
    launch(device_, "surface boxes", nodes, surface_tree::NodeBoxes{nodes - 1, box_.span()});
}

surface_tree::View SurfaceTree::view() const {
  return {triangle_.span(), ball_.span(), box_.span(), leaves_, mesh_.closed() ? 1 : 0};
}

}  // namespace weft
