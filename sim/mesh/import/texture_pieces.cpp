#include "sim/mesh/import/texture_pieces.h"

#include "sim/base/disjoint_sets.h"
#include "sim/mesh/sides.h"

namespace weft {

std::vector<int> texture_pieces(const std::vector<ivec3>& triangles, const CornerTextures& corners) {
  std::vector<int> piece(triangles.size(), 0);
  if (corners.empty()) return piece;
  DisjointSets sets(int(triangles.size()));
  const std::vector<TriangleSide> sides = triangle_sides(corners.of_triangle);
  for (size_t i = 0; i + 1 < sides.size(); ++i) {
    if (sides[i].edge != sides[i + 1].edge || sides[i].edge.first < 0) continue;
    sets.join(sides[i].triangle, sides[i + 1].triangle);
  }
  std::vector<int> number(triangles.size(), -1);
  int count = 0;
  for (size_t t = 0; t < triangles.size(); ++t) {
    int& n = number[sets.find(int(t))];
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
  std::vector<ivec2> outline;
  for_each_edge(own, [&](auto sides) {
    if (sides.size() == 1) outline.push_back({sides[0].edge.first, sides[0].edge.second});
  });
  return outline;
}

}  // namespace weft
