// Every crossing of a state's triangles, exactly. Shares no code with the methods whose guarantee it checks.
#pragma once
#include <span>
#include <vector>

#include "sim/base/math.h"

namespace weft::check {

/// Triangles over one list of vertices (metres). Triangles from number `cloth_triangles` on belong to bodies:
/// they are tested against the cloth, not against each other. Only the numbers of vertices say what is
/// connected: two vertices in the same place are two vertices, and triangles at them touch. Lines of strands
/// are triangles whose last two corners are one vertex (line_of). Does not own.
struct Surface {
  std::span<const ivec3> triangles;
  int cloth_triangles = -1;  // -1: all

  int cloth_count() const { return cloth_triangles < 0 ? int(triangles.size()) : cloth_triangles; }
};

inline ivec3 line_of(const ivec2& ends) { return {ends.x, ends.y, ends.y}; }
inline bool is_line(const ivec3& triangle) { return triangle.y == triangle.z; }

/// How the two triangles of a crossing are connected in the mesh.
enum class Kind {
  apart,          // no common vertex: they have a point in common, if only by touching
  shared_vertex,  // they have more than the common vertex in common
  shared_edge,    // folded flat onto each other
  same_corners,   // the same triangle twice
  body            // the second belongs to a body: they have a point in common
};
const char* name_of(Kind kind);

struct Crossing {
  int a = 0, b = 0;  // triangles, a < b
  Kind kind = Kind::apart;
  bool operator==(const Crossing&) const = default;
};

struct Crossings {
  std::vector<Crossing> pairs;  // ordered by a, then b
  // cloth triangles, but lines, whose corners lie exactly in one line; not tested against connected ones
  std::vector<int> without_area;
  bool clean() const { return pairs.empty() && without_area.empty(); }
};

/// Tests all pairs. `positions`: one per vertex. Throws Error for a position that is no number and an index
/// out of range.
Crossings find_crossings(std::span<const dvec3> positions, const Surface& surface);
Crossings find_crossings(std::span<const vec3> positions, const Surface& surface);

/// Throws Error, as above.
void check_input(std::span<const dvec3> positions, const Surface& surface);
std::vector<dvec3> in_double(std::span<const vec3> positions);

}  // namespace weft::check
