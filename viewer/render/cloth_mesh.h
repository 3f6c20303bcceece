// Data of a drawn cloth that changes only with the scene: indices, material coordinates, the boundary.
#pragma once
#include <vector>

#include "sim/run/runner.h"
#include "viewer/gl/objects.h"

namespace weft {

/// One edge of the boundary with its neighbours along it, in the order in which the triangle walks it. At the
/// end of a chain (a boundary that is no simple loop) `before` = first or `after` = second.
struct BoundaryEdge {
  int before, first, second, after;
};
/// Edges with exactly one triangle. A triangle with one corner three times is none.
std::vector<BoundaryEdge> boundary_edges(const std::vector<ivec3>& triangles, int vertices);

/// Distance of each vertex from the boundary along edges in the rest shape (m), at most `reach`.
std::vector<float> boundary_distance(const std::vector<vec3>& rest, const std::vector<ivec2>& edges,
                                     const std::vector<BoundaryEdge>& boundary, float reach);

/// What is drawn of a scene's cloths: their vertices in order, then another one for each further material
/// point of a vertex. Threads run up to a seam on either side of it.
struct DrawnVertices {
  std::vector<int> of;           // vertex of the cloths
  std::vector<vec2> uv;          // m along warp and weft
  std::vector<ivec3> triangles;  // drawn vertices, in the order of the scene's triangles
};
/// Material points are those of corners where they are the rest shape (CornerTextures::is_rest), else those
/// of vertices.
DrawnVertices drawn_vertices(const SceneView& scene);

/// Look of one cloth.
struct ClothLook {
  vec3 front{0.8f}, back{0.6f};  // linear
  float thickness = 0.5e-3f;     // m
  float threads = 2400;          // per m
  float gloss = 0.1f;
  int weave = 0;
  std::string print;     // path of a picture on the front; empty: none
  float print_size = 0;  // m, width of one repeat; 0: once over the part
};

/// Static buffers on the OpenGL side.
struct ClothMesh {
  static constexpr float kHemWidth = 0.012f;  // m

  ClothMesh() = default;
  explicit ClothMesh(const SceneView& scene);

  struct Edges {
    gl::Buffer indices;
    int count = 0;
  };
  Edges edges, inner_edges;      // inner: of solids' cells, those within
  gl::Buffer triangles;          // indices
  gl::Buffer drawn_triangles;    // indices of drawn vertices
  gl::Buffer drawn_of, uv;       // per drawn vertex: int, vec2
  gl::Buffer hem, drawn_hem;     // per vertex, per drawn vertex: float
  gl::Buffer rim_edges, rim_uv;  // per boundary edge: vec4 each, grouped by part
  struct Part {
    int cloth = 0, panel = 0;  // of the scene; of the garment's pattern, 0 elsewhere
    int first_triangle = 0, triangles = 0;
    int first_rim = 0, rims = 0;
    bool grains = false;         // its rims are balls
    bool strands = false;        // rims are its lines or grains, and all that it has
    float hem_width = 0;         // m; 0 where the cloth is too small for one
    vec2 uv_low{0}, uv_high{1};  // m, of its material coordinates
  };
  std::vector<Part> parts;  // one per cloth, of garments one per panel
  std::vector<ivec3> host_triangles;
  std::vector<char> root;  // per vertex: 1 at roots of strands, whose pins are not drawn; empty: none
  int vertex_count = 0;
  float mean_edge = 0;  // m, at rest
};

/// Triangles that are drawn at once, without rims and hems: of each cloth, of garments of each run of
/// triangles of one panel.
std::vector<ClothMesh::Part> parts_of(const SceneView& scene);

/// sRGB (as in parameters) to linear.
vec3 to_linear(const vec3& srgb);
/// Looks of one cloth.
struct ClothLooks {
  ClothLook whole;
  std::vector<ClothLook> panels;  // of a garment, by the fabrics that its panels name; empty: all as `whole`
  const ClothLook& of(int panel) const {
    return size_t(panel) < panels.size() ? panels[size_t(panel)] : whole;
  }
};
/// Looks of the cloths of the scene, in order. Patterns that cannot be read have no looks of panels.
std::vector<ClothLooks> looks_of(const Scene& scene);

}  // namespace weft
