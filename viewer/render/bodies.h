// The obstacles' triangle meshes, ready to draw.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "sim/run/runner.h"
#include "viewer/gl/objects.h"

namespace weft {

/// Positions and normals of a mesh, three per triangle: smooth across edges that turn by less than `crease`
/// degrees, sharp elsewhere. Vertices at the same place count as one.
void creased_normals(const TriMesh& mesh, float crease, std::vector<vec3>& positions,
                     std::vector<vec3>& normals);

/// Up to which angle (degrees) an obstacle's edges are shaded smooth: a mannequin has no sharp ones, though
/// the triangles of its fingers and toes meet at large angles.
float crease_of(const Obstacle& obstacle);

/// How far behind its place a body is in depth (m), so that its sharp edges do not show through cloth of
/// edges of `cloth_edge` (m) whose triangles cut the corner: a chord of that length over a right angle is
/// half of it from the corner. At most a quarter of the body's smallest extent, so that cloth behind the body
/// stays hidden.
float depth_behind_cloth(const Bounds& body, float cloth_edge);

class DrawnBodies {
 public:
  DrawnBodies() = default;
  explicit DrawnBodies(const SceneView& scene);

  struct Body {
    gl::VertexArray vertices;
    gl::Buffer buffer;
    int count = 0;
    vec3 color{0.5f};   // linear
    float inset = 0;    // m
    float crease = 40;  // degrees
    Bounds bounds;      // at rest
    bool is_plane = false;
    TriMesh mesh;           // its normals are recomputed when it deforms
    std::vector<vec3> own;  // positions of the mesh as it came, once it has taken another shape
    std::shared_ptr<const std::vector<vec3>> shape;  // the positions in the buffer; nullptr: the mesh's own
    mat4 transform{1};
  };
  std::vector<Body> all;
  /// Updates placements.
  void update(const std::vector<ObstacleView>& views);
  /// Updates shapes (Frame::obstacle_positions).
  void reshape(const std::vector<std::shared_ptr<const std::vector<vec3>>>& shapes);
  /// Height of a horizontal plane that serves as the floor, if there is one.
  std::optional<float> floor() const;
  /// A plane that is the studio's floor is not drawn a second time.
  bool drawn(const Body& body) const;

 private:
  static void fill(Body& body, const TriMesh& mesh);
};

}  // namespace weft
