// How a file numbered the vertices and faces of a mesh that was joined, triangulated or cleaned on import.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Written files have the numbering of the file that a mesh came from, so that results fit it. Empty where
/// the mesh has the file's own vertices and triangles.
struct InputMesh {
  // per vertex of the file the mesh's, or -1 - k: none, it lies at unused[k]; empty: the same numbers
  std::vector<int> vertex;
  std::vector<vec3> unused;      // m, vertices that no triangle of the mesh has, placed as the mesh is
  std::vector<ivec3> triangles;  // per triangle of the mesh its vertices in the file; empty: the same
  // faces of the file: corners [face_starts[f], face_starts[f + 1]) of face f; empty: they are the triangles
  std::vector<int> face_starts;
  std::vector<int> corners;  // vertices of the file
  std::vector<int> texture;  // per corner its place in `textures`, -1: none; empty: one per vertex, or none
  std::vector<vec2> textures = {};  // as the file has them

  bool empty() const { return vertex.empty() && face_starts.empty(); }
  /// Faces that can be written for vertices in the file's order.
  bool has_faces() const { return !face_starts.empty(); }
  /// Per vertex of a mesh of `count` vertices the first of the file that became it.
  std::vector<int> first_numbers(int count) const {
    std::vector<int> first(static_cast<size_t>(count), -1);
    for (int v = int(vertex.empty() ? first.size() : vertex.size()) - 1; v >= 0; --v)
      if (const int own = vertex.empty() ? v : vertex[v]; own >= 0) first[own] = v;
    return first;
  }
  int face_count() const { return int(face_starts.size()) - 1; }
  /// Values of the mesh's vertices, one per vertex of the file; `none` for those that the mesh lacks.
  template <class T>
  std::vector<T> in_file_order(const T* of_mesh, int count, const std::vector<T>& none = {}) const {
    if (vertex.empty()) return std::vector<T>(of_mesh, of_mesh + count);
    std::vector<T> out;
    out.reserve(vertex.size());
    for (const int v : vertex) {
      if (v >= 0) out.push_back(of_mesh[v]);
      else out.push_back(none.empty() ? T(0) : none[-1 - v]);
    }
    return out;
  }
};

}  // namespace weft
