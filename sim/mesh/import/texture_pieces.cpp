#include "sim/mesh/import/texture_pieces.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "sim/base/disjoint_sets.h"

namespace weft {
namespace {

struct PieceSide {
  ivec2 ends;  // ascending
  int triangle;
  bool operator<(const PieceSide& o) const {
    return std::tie(ends.x, ends.y, triangle) < std::tie(o.ends.x, o.ends.y, o.triangle);
  }
};

std::vector<PieceSide> sides_of(const std::vector<ivec3>& corners) {
  std::vector<PieceSide> sides;
  sides.reserve(3 * corners.size());
  for (size_t t = 0; t < corners.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = corners[t][k], b = corners[t][(k + 1) % 3];
      sides.push_back({{std::min(a, b), std::max(a, b)}, int(t)});
    }
  std::sort(sides.begin(), sides.end());
  return sides;
}

}  // namespace

std::vector<int> texture_pieces(const std::vector<ivec3>& triangles, const CornerTextures& corners) {
  std::vector<int> piece(triangles.size(), 0);
  if (corners.empty()) return piece;
  DisjointSets sets(int(triangles.size()));
  const std::vector<PieceSide> sides = sides_of(corners.of_triangle);
  for (size_t i = 0; i + 1 < sides.size(); ++i) {
    if (sides[i].ends != sides[i + 1].ends || sides[i].ends.x < 0) continue;
    sets.join(sides[i].triangle, sides[i + 1].triangle);
  }
  std::vector<int> number(triangles.size(), -1);
  int count = 0;
  for (size_t t = 0; t < triangles.size(); ++t) {
    int& n = number[size_t(sets.find(int(t)))];
    if (n < 0) n = count++;
    piece[t] = n;
  }
  return piece;
}

std::vector<ivec2> outline_of_piece(const std::vector<ivec3>& triangles, const std::vector<int>& pieces,
                                    int piece) {
  std::vector<ivec3> own;
  for (size_t t = 0; t < triangles.size(); ++t)
    if (pieces[t] == piece) own.push_back(triangles[t]);
  const std::vector<PieceSide> sides = sides_of(own);
  std::vector<ivec2> outline;
  for (size_t i = 0; i < sides.size();) {
    size_t end = i + 1;
    while (end < sides.size() && sides[end].ends == sides[i].ends) ++end;
    if (end == i + 1) outline.push_back(sides[i].ends);
    i = end;
  }
  return outline;
}

}  // namespace weft
