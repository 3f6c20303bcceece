// Meshes of moving bodies as files have them, made fit for contact.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sim/base/math.h"

namespace weft {

struct TidyMesh {
  std::vector<int> kept;         // of each vertex that is left: its number before
  std::vector<ivec3> triangles;  // of those
  int joined = 0;                // vertices that were in the places of others
  int apart = 0;                 // vertices there that move differently, and stay
  int flat = 0, twice = 0;  // triangles dropped: without area, of the same three vertices as an earlier one
  /// What was done, in words that begin with the file.
  std::vector<std::string> notices(const std::string& path) const;
};

/// Joins vertices that files split (welded_vertices with the distance `weld`) where they move alike, drops
/// triangles without area in `positions` and repeated ones, and vertices that no triangle uses.
TidyMesh tidied(const std::vector<vec3>& positions, std::vector<ivec3> triangles, float weld,
                const std::function<bool(int, int)>& move_alike);
/// The same for frames of positions: vertices move alike where they are no further apart than `weld` in each.
/// Frames are reduced to the vertices that are kept.
TidyMesh tidied(std::vector<std::vector<vec3>>& frames, std::vector<ivec3> triangles, float weld);

}  // namespace weft
