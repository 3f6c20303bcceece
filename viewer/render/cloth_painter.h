// Draws the cloths.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "viewer/gl/program.h"
#include "viewer/render/cloth_mesh.h"
#include "viewer/render/vertex_stream.h"
#include "viewer/render/view_settings.h"

namespace weft {

/// Mapping of the scalar of each vertex to a colour: off, from `low` over `range`, or marks on the fabric
/// where it is 1.
struct ColouringRange {
  bool on = false;
  float low = 0, range = 1;
  bool marks = false;
};

/// A mesh's vertices for shaders that take positions and normals as attributes, and DrawnVertices for those
/// that
/// look them up.
struct ClothArrays {
  const gl::VertexArray& vertices;
  const gl::VertexArray& drawn;
};

class ClothPainter {
 public:
  explicit ClothPainter(Quality quality);
  /// Draws sheets and hems. `edge_pixels`: about how long an edge of the mesh appears. Texture units 0 to 3
  /// hold shadow map, depths, ambient occlusion, colour scale. Prints are read where they are first
  /// drawn; one that cannot be read is left out, with a warning.
  void draw(const ClothMesh& mesh, const std::vector<ClothLooks>& looks, const VertexStream& stream,
            const ClothArrays& arrays, const ViewSettings& settings, const ColouringRange& colouring,
            float edge_pixels);
  /// Draws strands into a depth map alone; `transform`: from the world.
  void draw_strand_depth(const ClothMesh& mesh, const std::vector<ClothLooks>& looks,
                         const VertexStream& stream, const mat4& transform);

 private:
  void describe(const gl::Program& program, const ClothMesh::Part& part, const ClothLook& look,
                const ViewSettings& settings, const ColouringRange& colouring) const;
  static void place_print(const gl::Program& program, const gl::Texture* picture, const ClothMesh::Part& part,
                          const ClothLook& look);
  static void bind(const VertexStream& stream);
  const gl::Program& program_for(const ViewSettings& settings, const ColouringRange& colouring,
                                 float edge_pixels) const;
  void draw_sheet(const ClothMesh::Part& part) const;
  void draw_shells(const ClothMesh::Part& part, const ClothLook& look, const ViewSettings& settings) const;
  void draw_rim(const gl::Program& program, const ClothMesh& mesh, const ClothMesh::Part& part, float radius,
                const VertexStream& stream) const;
  /// The picture of a path; nullptr where it has none, or cannot be read.
  const gl::Texture* print(const std::string& path);
  Quality quality_;
  int rim_pieces_, rim_sides_, ball_pieces_ = 0;
  gl::Program by_pixel_, smooth_, by_vertex_, by_vertex_colored_, rim_, rim_depth_, ball_, ball_depth_;
  gl::VertexArray rim_vertices_;
  std::map<std::string, gl::Texture> prints_;  // by path; of no size: cannot be read
};

}  // namespace weft
