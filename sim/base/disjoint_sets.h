// Numbers joined into sets.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

namespace weft {

/// 0 to `count` - 1, each alone at first. The least of those that belong together stands for all.
class DisjointSets {
 public:
  explicit DisjointSets(int count) : parent_(size_t(count)) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) {
    a = find(a), b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

}  // namespace weft
