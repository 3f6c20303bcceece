#include "sim/mesh/polylines.h"

#include <algorithm>

namespace weft {
namespace {

/// Walks along lines that no chain has yet.
class Walker {
 public:
  Walker(const std::vector<ivec2>& lines, int count)
      : lines_(lines), at_(static_cast<size_t>(count)), taken_(lines.size(), 0) {
    const auto inside = [&](int v) { return v >= 0 && v < count; };
    for (size_t i = 0; i < lines.size(); ++i) {
      const ivec2& l = lines[i];
      if (!inside(l.x) || !inside(l.y) || l.x == l.y) continue;
      at_[size_t(l.x)].push_back(int(i)), at_[size_t(l.y)].push_back(int(i));
    }
  }
  /// Number of lines at a point.
  size_t lines_at(int v) const { return at_[size_t(v)].size(); }
  /// From a point to the next point that ends or branches, or back to the start. Empty: none is left.
  Polyline walk(int from) {
    Polyline chain{{from}, false};
    for (int here = from, line; (line = free_line(here)) >= 0;) {
      taken_[size_t(line)] = 1;
      here = lines_[size_t(line)].x == here ? lines_[size_t(line)].y : lines_[size_t(line)].x;
      if (here == from) {
        chain.closed = true;
        return chain;
      }
      chain.points.push_back(here);
      if (lines_at(here) != 2) break;
    }
    if (chain.points.size() < 2) chain.points.clear();
    return chain;
  }

 private:
  int free_line(int v) const {
    for (const int i : at_[size_t(v)])
      if (!taken_[size_t(i)]) return i;
    return -1;
  }
  const std::vector<ivec2>& lines_;
  std::vector<std::vector<int>> at_;  // lines at each point
  std::vector<char> taken_;
};

}  // namespace

std::vector<Polyline> polylines_of(const std::vector<ivec2>& lines, int count) {
  Walker walker(lines, count);
  std::vector<Polyline> chains;
  for (const bool loops : {false, true})
    for (int v = 0; v < count; ++v)
      while ((walker.lines_at(v) == 2) == loops) {
        Polyline chain = walker.walk(v);
        if (chain.points.empty()) break;
        chains.push_back(std::move(chain));
      }
  return chains;
}

std::vector<ivec2> lines_of(const std::vector<Polyline>& chains) {
  std::vector<ivec2> lines;
  for (const Polyline& c : chains) {
    for (size_t k = 1; k < c.points.size(); ++k) lines.push_back({c.points[k - 1], c.points[k]});
    if (c.closed) lines.push_back({c.points.back(), c.points.front()});
  }
  return lines;
}

}  // namespace weft
