// Boxes around triangles in a tree: which of them overlap a box.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

inline std::vector<Bounds> boxes_around(const std::vector<vec3>& positions,
                                        const std::vector<ivec3>& triangles) {
  std::vector<Bounds> boxes(triangles.size());
  for (size_t i = 0; i < triangles.size(); ++i)
    for (int k = 0; k < 3; ++k) boxes[i].add(positions[triangles[i][k]]);
  return boxes;
}

/// Boxes, halved at their middle until four are left. They must outlive it.
class BoxTree {
 public:
  explicit BoxTree(const std::vector<Bounds>& boxes) : boxes_(boxes), order_(boxes.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    if (!boxes.empty()) build(0, int(boxes.size()));
  }
  /// Calls found(number) for each that overlaps `box`, touching ones too.
  template <class F>
  void visit(const Bounds& box, F&& found, int node = 0) const {
    if (nodes_.empty() || !overlap(box, nodes_[node].box)) return;
    const Node& n = nodes_[node];
    if (n.right > 0) {
      visit(box, found, node + 1);
      visit(box, found, n.right);
      return;
    }
    for (int i = n.begin; i < n.end; ++i)
      if (overlap(box, boxes_[order_[i]])) found(order_[i]);
  }

 private:
  struct Node {
    Bounds box;
    int begin = 0, end = 0, right = 0;  // the left half follows its parent
  };
  static bool overlap(const Bounds& a, const Bounds& b) {
    return glm::all(glm::lessThanEqual(a.min, b.max)) && glm::all(glm::lessThanEqual(b.min, a.max));
  }
  int build(int begin, int end) {
    const int node = int(nodes_.size());
    Bounds box, centers;
    for (int i = begin; i < end; ++i) {
      const Bounds& b = boxes_[order_[i]];
      box.add(b.min), box.add(b.max), centers.add(b.center());
    }
    nodes_.push_back({box, begin, end, 0});
    if (end - begin <= 4) return node;
    const vec3 size = centers.max - centers.min;
    const int axis = size.x >= size.y && size.x >= size.z ? 0
                     : size.y >= size.z                   ? 1
                                                          : 2,
              middle = (begin + end) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](int a, int b) { return boxes_[a].center()[axis] < boxes_[b].center()[axis]; });
    build(begin, middle);
    const int right = build(middle, end);
    nodes_[node].right = right;
    return node;
  }
  const std::vector<Bounds>& boxes_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace weft
