// Kernels that bound a surface for nearest-point queries, and the query.
#pragma once
#include "sim/device/launch.h"
#include "sim/geometry/signed_distance.h"

namespace weft::surface_tree {

struct Box {
  vec3 low{0}, high{0};
  HD float squared_distance(const vec3& p) const {
    vec3 out(0);
    for (int a = 0; a < 3; ++a) out[a] = p[a] < low[a] ? low[a] - p[a] : p[a] > high[a] ? p[a] - high[a] : 0;
    return glm::dot(out, out);
  }
  /// Touching too.
  HD bool overlaps(const Box& o) const {
    return (low.x <= o.high.x) & (low.y <= o.high.y) & (low.z <= o.high.z) & (o.low.x <= high.x) &
           (o.low.y <= high.y) & (o.low.z <= high.z);
  }
};

/// Triangles of leaf l among `count` that are spread evenly over `leaves`: from first(l) to first(l + 1).
HD inline int first_of_leaf(int leaf, int leaves, int count) { return int(int64_t(leaf) * count / leaves); }

/// A complete binary tree; node i has the children 2 i + 1 and 2 i + 2, and the last half of the nodes are
/// the leaves:
///
///            0
///        1       2
///      3   4   5   6     leaf 0 1 2 3, four triangles each at most
struct View {
  Span<const SdfTriangle> triangle;  // in the order of the leaves
  Span<const vec4> ball;             // around each: centre and radius
  Span<const Box> box;               // of each node
  int leaves = 1;                    // a power of two
  int closed = 1;                    // 0: a mesh with a boundary, which has no inside

  /// Signed distance, m, exact wherever p is: negative inside a closed mesh. 1e19 where no triangle has area.
  HD float distance(const vec3& p) const {
    int stack[kDepth];
    float bound[kDepth];
    int top = 0;
    float squared = 1e38f, sign = 1;
    stack[top] = 0, bound[top++] = box[0].squared_distance(p);
    while (top > 0) {
      const int node = stack[--top];
      if (!(bound[top] < squared)) continue;
      if (node >= leaves - 1) {
        nearer(node - (leaves - 1), p, squared, sign);
        continue;
      }
      const int left = 2 * node + 1;
      const float a = box[left].squared_distance(p), b = box[left + 1].squared_distance(p);
      const int far = a <= b ? 1 : 0;  // the nearer child is taken up first
      stack[top] = left + far, bound[top++] = far ? b : a;
      stack[top] = left + 1 - far, bound[top++] = far ? a : b;
    }
    return squared < 1e38f ? sign * sqrtf(squared) : 1e19f;
  }

 private:
  static constexpr int kDepth = 32;  // nodes that wait: one per level, and one more

  HD void nearer(int leaf, const vec3& p, float& squared, float& sign) const {
    const int end = first_of_leaf(leaf + 1, leaves, triangle.size);
    for (int t = first_of_leaf(leaf, leaves, triangle.size); t < end; ++t) {
      const SdfTriangle& s = triangle[t];
      const vec3 off(p.x - ball[t].x, p.y - ball[t].y, p.z - ball[t].z);
      const float reach = sqrtf(squared) + ball[t].w;
      // Without area it is never the only nearest one: its neighbours share its points.
      if (glm::dot(off, off) > reach * reach || s.normal[0] == vec3(0)) continue;
      const ClosestOnTriangle q = closest_on_triangle(p, s.corner[0], s.corner[1], s.corner[2]);
      const float d = glm::dot(q.offset, q.offset);
      if (!(d < squared)) continue;
      squared = d;
      sign = closed && glm::dot(s.normal[q.feature], q.offset) < 0 ? -1.0f : 1.0f;
    }
  }
};

/// Boxes of the leaves.
struct LeafBoxes {
  Span<const SdfTriangle> triangle;
  int leaves = 1;
  Span<Box> box;
  HD void operator()(int leaf) const {
    Box b{vec3(1e30f), vec3(-1e30f)};
    const int end = first_of_leaf(leaf + 1, leaves, triangle.size);
    for (int t = first_of_leaf(leaf, leaves, triangle.size); t < end; ++t)
      for (int k = 0; k < 3; ++k)
        for (int a = 0; a < 3; ++a) {
          const float x = triangle[t].corner[k][a];
          b.low[a] = x < b.low[a] ? x : b.low[a];
          b.high[a] = x > b.high[a] ? x : b.high[a];
        }
    box[leaves - 1 + leaf] = b;
  }
};

/// Boxes of one level of nodes from those of their children.
struct NodeBoxes {
  int first = 0;  // node
  Span<Box> box;
  HD void operator()(int i) const {
    const Box &a = box[2 * (first + i) + 1], &b = box[2 * (first + i) + 2];
    Box& out = box[first + i];
    for (int k = 0; k < 3; ++k) {
      out.low[k] = a.low[k] < b.low[k] ? a.low[k] : b.low[k];
      out.high[k] = a.high[k] > b.high[k] ? a.high[k] : b.high[k];
    }
  }
};

}  // namespace weft::surface_tree
