// Delaunay triangulation of points in the plane in which given edges are kept.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/math.h"

namespace weft {

using WholePoint = glm::tvec2<int64_t>;
/// Largest coordinate, in either direction, whose determinants fit into 128 bits.
constexpr int64_t kLargestWhole = int64_t(1) << 26;

/// Triangles between directed edges whose inside is on their left: counterclockwise, none beyond an edge,
/// each edge a side of one. Points that no edge bounds off from the inside are corners too. Decisions are
/// exact, since coordinates are whole numbers; among circles through four points and more the triangulation
/// is one of several, always the same for the same input. Empty where there is none: two points coincide, or
/// an edge crosses another one or passes through a point.
std::vector<ivec3> constrained_delaunay(const std::vector<WholePoint>& points,
                                        const std::vector<ivec2>& edges);

}  // namespace weft
