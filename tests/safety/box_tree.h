// A tree of boxes over triangles or points: the broad phase of the checker. Finds every overlap; boxes that
// touch overlap.
#pragma once
#include <utility>
#include <vector>

#include "sim/base/math.h"

namespace weft::check {

struct Box {
  dvec3 min{1e300}, max{-1e300};
  void add(const dvec3& p) { min = glm::min(min, p), max = glm::max(max, p); }
  void add(const Box& b) { min = glm::min(min, b.min), max = glm::max(max, b.max); }
  bool overlaps(const Box& b) const {
    return min.x <= b.max.x && b.min.x <= max.x && min.y <= b.max.y && b.min.y <= max.y && min.z <= b.max.z &&
           b.min.z <= max.z;
  }
  /// Squared distance to p, 0 inside.
  double distance2(const dvec3& p) const {
    const dvec3 d = glm::max(glm::max(min - p, p - max), dvec3(0));
    return glm::dot(d, d);
  }
};

class BoxTree {
 public:
  explicit BoxTree(std::vector<Box> boxes);

  const Box& box(int item) const { return boxes_[size_t(item)]; }
  const Box& bounds() const { return nodes_.front().box; }

  /// Calls visit(i, j) once for every two items whose boxes overlap, in no particular order of i and j.
  template <class Visit>
  void overlapping_pairs(Visit&& visit) const;

  /// Calls visit(item) for every item whose box `keep(box)` is true for. `keep` must be true for a box that
  /// holds such a box; it is asked anew on the way, so that it may become stricter. The child whose box has
  /// the smaller `order(box)` comes first.
  template <class Keep, class Order, class Visit>
  void search(Keep&& keep, Order&& order, Visit&& visit) const;

 private:
  struct Node {
    Box box;
    int first = 0, count = 0;  // items of a leaf: items_[first, first + count); count 0: not a leaf
    int second_child = 0;      // the first one follows its parent
  };
  int build(int first, int count);
  template <class Visit>
  void leaf_pairs(const Node& a, const Node& b, Visit& visit) const;

  std::vector<Box> boxes_;
  std::vector<int> items_;
  std::vector<Node> nodes_;
};

template <class Visit>
void BoxTree::leaf_pairs(const Node& a, const Node& b, Visit& visit) const {
  for (int i = a.first; i < a.first + a.count; ++i)
    for (int j = &a == &b ? i + 1 : b.first; j < b.first + b.count; ++j) {
      const int p = items_[size_t(i)], q = items_[size_t(j)];
      if (boxes_[size_t(p)].overlaps(boxes_[size_t(q)])) visit(p, q);
    }
}

template <class Visit>
void BoxTree::overlapping_pairs(Visit&& visit) const {
  if (items_.empty()) return;
  std::vector<std::pair<int, int>> open{{0, 0}};
  while (!open.empty()) {
    const auto [i, j] = open.back();
    open.pop_back();
    const Node &a = nodes_[size_t(i)], &b = nodes_[size_t(j)];
    if (i != j && !a.box.overlaps(b.box)) continue;
    if (a.count > 0 && b.count > 0) {
      leaf_pairs(a, b, visit);
    } else if (i == j) {
      open.insert(open.end(), {{i + 1, i + 1}, {a.second_child, a.second_child}, {i + 1, a.second_child}});
    } else if (b.count > 0 ||
               (a.count == 0 && glm::length(a.box.max - a.box.min) > glm::length(b.box.max - b.box.min))) {
      open.insert(open.end(), {{i + 1, j}, {a.second_child, j}});
    } else {
      open.insert(open.end(), {{i, j + 1}, {i, b.second_child}});
    }
  }
}

template <class Keep, class Order, class Visit>
void BoxTree::search(Keep&& keep, Order&& order, Visit&& visit) const {
  int open[128], count = 0;  // the tree halves its items, so that it is never deeper than 32
  if (!items_.empty()) open[count++] = 0;
  while (count > 0) {
    const int i = open[--count];
    const Node& node = nodes_[size_t(i)];
    if (!keep(node.box)) continue;
    if (node.count == 0) {
      const bool swap = order(nodes_[size_t(node.second_child)].box) < order(nodes_[size_t(i) + 1].box);
      open[count++] = swap ? i + 1 : node.second_child;
      open[count++] = swap ? node.second_child : i + 1;
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k)
      if (keep(boxes_[size_t(items_[size_t(k)])])) visit(items_[size_t(k)]);
  }
}

}  // namespace weft::check
