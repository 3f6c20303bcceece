// Triangles of a mesh that cross each other, and lines that cross them.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Pairs of triangles (first < second) with a point in common that is no corner or edge of both, by touching
/// too; a triangle without area is paired with itself. At most `most` of them. Triangles from number `own` on
/// belong to bodies and are not tested against each other; -1: there are none.
/// Edges are tested against triangles in double; what rounding leaves open counts as touching, which is some
/// 1e-15 of the triangles' size.
std::vector<ivec2> crossing_triangles(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                                      int own = -1, size_t most = 1000000);

/// What crossing_triangles says of one pair (first < second) whose boxes overlap, or of a triangle and
/// itself.
bool pair_crosses(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles, const ivec2& pair);

/// Adds a pair to what crosses each triangle below `own`: bits 1 (one of them, or it has no area), 2 (a
/// body).
void mark_crossing(const ivec2& pair, int own, std::vector<int>& crossed);

/// Pairs (line, triangle) with a point in common, by touching too, in order. A line that ends in a corner of
/// a triangle is not tested against it.
std::vector<ivec2> crossing_lines(const std::vector<vec3>& positions, const std::vector<ivec2>& lines,
                                  const std::vector<ivec3>& triangles);

/// "triangle 3 and triangle 17 cross, ..., and 5 more". Triangles are numbered from 0; `name` gives another
/// name than "triangle N", for example within a part.
std::string crossings_in_words(const std::vector<ivec2>& pairs, int own = -1,
                               const std::function<std::string(int)>& name = nullptr);

}  // namespace weft
