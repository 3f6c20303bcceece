#include "tests/safety/box_tree.h"

#include <algorithm>
#include <numeric>

namespace weft::check {

BoxTree::BoxTree(std::vector<Box> boxes) : boxes_(std::move(boxes)), items_(boxes_.size()) {
  std::iota(items_.begin(), items_.end(), 0);
  nodes_.reserve(boxes_.size() + 1);
  if (boxes_.empty()) nodes_.push_back({{}, 0, 0, 0});
  else build(0, int(items_.size()));
}

int BoxTree::build(int first, int count) {
  constexpr int kLeaf = 4;
  const int at = int(nodes_.size());
  nodes_.emplace_back();
  Box box, centres;
  for (int k = first; k < first + count; ++k) {
    const Box& b = boxes_[size_t(items_[size_t(k)])];
    box.add(b);
    centres.add(b.min + b.max);
  }
  nodes_[size_t(at)].box = box;
  if (count <= kLeaf) {
    nodes_[size_t(at)].first = first, nodes_[size_t(at)].count = count;
    return at;
  }
  const dvec3 size = centres.max - centres.min;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const auto begin = items_.begin() + first, middle = begin + count / 2;
  std::nth_element(begin, middle, begin + count, [&](int a, int b) {
    return boxes_[size_t(a)].min[axis] + boxes_[size_t(a)].max[axis] <
           boxes_[size_t(b)].min[axis] + boxes_[size_t(b)].max[axis];
  });
  build(first, count / 2);
  const int second = build(first + count / 2, count - count / 2);
  nodes_[size_t(at)].second_child = second;
  return at;
}

}  // namespace weft::check
