// Cloth and bodies as one surface of points, edges and triangles, for contact between triangles.
#pragma once
#include <vector>

#include "sim/collision/bodies/bodies.h"
#include "sim/collision/surface/own_radii.h"
#include "sim/device/buffer.h"
#include "sim/scene/model/friction_table.h"
#include "sim/scene/model/model.h"
#include "sim/scene/model/painted_friction.h"

namespace weft {

/// A half space as an obstacle: n . x >= offset. The ground, and bodies of the shape "plane".
struct ContactPlane {
  vec3 normal{0, 1, 0};
  float offset = 0;  // m
  float friction = 0;
  // Motion of its points in the step: p moves by turn p + shift. All 0 where it stands still.
  mat3 turn{0};
  vec3 shift{0};  // m
  int body = 0;   // as FrictionTable::on_body has it

  HD bool moves() const { return turn != mat3(0) || shift != vec3(0); }
  /// Slip (m) of a vertex at p that moves by d in the step, in which what friction remembers is stretched by
  /// `recalled` (m, at the start of the step).
  HD vec3 slip(const vec3& p, const vec3& d, const vec3& recalled) const {
    const vec3 stretched = d - (turn * p + shift) + (recalled + turn * recalled);
    return stretched - glm::dot(stretched, normal) * normal;
  }
};

/// Planes with the friction that each vertex of the cloth has on them.
struct RubbingPlanes {
  Span<const ContactPlane> plane;
  PointFriction friction;
  int size = 0;
  Span<const float> radius;  // m, of grains; empty: there are none
  PartRadii parts;
  /// Plane k as vertex v meets it, which was at `start` when the step began: with its coefficient, and by its
  /// radius higher.
  HD ContactPlane operator()(int k, int v, const vec3& start) const {
    ContactPlane met = plane[k];
    met.friction = friction.on_body(v, met.body);
    if (!radius.empty()) met.offset += radius[v];
    if (parts.any()) met.offset += parts.above_plane(v, glm::dot(met.normal, start) - met.offset);
    return met;
  }
};

/// Radii of points (m): of grains, 0 elsewhere; empty without grains.
struct Radii {
  Span<const float> of;
  HD float of_point(int p) const { return of.empty() ? 0.0f : of[p]; }
  /// By how much the surfaces of a pair are nearer to each other than its points, edges and triangles.
  HD float operator()(const ivec4& points, bool vertex_triangle) const {
    return of.empty() ? 0.0f : of[points[0]] + (vertex_triangle ? 0.0f : of[points[2]]);
  }
};

/// Neighbours of a triangle, an edge, a point. -1: none.
struct SurfaceNeighbors {
  Span<const ivec3> across;  // per triangle: the point beyond its edge k, k + 1
  // per edge: the third points of its triangles (of the first two where there are more)
  Span<const ivec2> edge_opposite;
  Span<const int> ring_start, ring;  // per point: those that it shares an edge with
};

/// Points [0, cloth_points) are the vertices of the cloth; those of bodies follow, body after body. The same
/// for triangles and edges. Planes have no triangles, since they are infinite.
class ContactSurface {
 public:
  ContactSurface(Device& device, const Model& model, const Scene& scene, const Bodies& bodies)
      : ContactSurface(device, model.host, scene, bodies) {}
  ContactSurface(Device& device, const Topology& cloth, const Scene& scene, const Bodies& bodies);

  int cloth_points() const { return cloth_points_; }
  int points() const { return cloth_points_ + body_points(); }
  int body_points() const { return int(local_.size()); }
  int triangle_count() const { return triangles_.size(); }
  int edge_count() const { return edges_.size(); }
  Span<const ivec3> triangles() const { return triangles_.span(); }
  Span<const ivec2> edges() const { return edges_.span(); }
  /// Triangles at each point: entries start[point] to start[point + 1] are 3 triangle + place. None at the
  /// border of a sheet.
  Span<const int> corner_start() const { return around_.corner_start.span(); }
  Span<const int> corners() const { return around_.corner.span(); }
  /// Of each vertex of the model: not 0 inside of a solid; empty: none is.
  const std::vector<char>& inner() const { return around_.inner; }
  /// Of each vertex of the model the rigid body that it belongs to, or -1; empty: there is none.
  const std::vector<int>& rigid() const { return around_.rigid; }
  const std::vector<ivec3>& host_triangles() const { return host_triangles_; }
  const std::vector<ivec2>& host_edges() const { return host_edges_; }
  SurfaceNeighbors neighbors() const {
    return {around_.across.span(), around_.edge_opposite.span(), around_.ring_start.span(),
            around_.ring.span()};
  }
  /// Points of the bodies that change their shape, and their edges, all points counted.
  const std::vector<int>& flexible_points() const { return flexible_points_; }
  const std::vector<ivec2>& flexible_edges() const { return flexible_edges_; }
  /// World positions of the bodies' points at a time, m.
  std::vector<vec3> body_positions(const Scene& scene, const Bodies& bodies, double time) const;
  /// The same at any time, by the bodies' scripts; the former has bodies that deform as they were set.
  std::vector<vec3> scripted_positions(const Scene& scene, const Bodies& bodies, double time) const;
  /// Positions of one body's vertices within those of all bodies' points; empty for a plane.
  std::vector<vec3> of_body(int obstacle, const std::vector<vec3>& positions) const;
  /// Of each point of a body its obstacle, in Scene::obstacles.
  std::vector<int> obstacles_of_points() const;
  /// Targets of the bodies' points at the end of a step (of `dt` s), friction, planes. Uploads, so not
  /// within a recorded sequence. Deforming bodies must have had their set_step.
  void set_step(const Scene& scene, const Bodies& bodies, double end_time, float dt);
  Span<const vec3> body_targets() const { return targets_.span(); }
  /// The same on the host; waits for the device.
  std::vector<vec3> body_targets_now() const { return targets_.download(); }
  /// Of all points, in the step that is set.
  PointFriction friction() const {
    const FrictionData& f = friction_;
    return {{f.coefficient.span(), f.cloths, f.coefficient.size() / f.cloths},
            f.material.span(),
            f.painted.view()};
  }
  /// Mean rest length (m) of the edges of cloth that starts in another shape than its rest shape; else 0.
  float rest_edge() const { return rest_edge_; }
  Span<const ContactPlane> planes() const { return planes_.span(); }
  /// `parts`: own_radii() as a method sees them.
  RubbingPlanes rubbing_planes(const PartRadii& parts = {}) const {
    return {planes_.span(), friction(), planes_.size(), around_.radius.span(), parts};
  }
  /// Of all points, and the largest; empty and 0 without grains. m.
  Radii radii() const { return {around_.radius.span()}; }
  float largest_radius() const { return around_.largest_radius; }
  /// Radii of cloths, solids and strands that have one.
  const OwnRadii& own_radii() const { return around_.own; }
  /// The same on the host; waits for the device.
  std::vector<ContactPlane> planes_now() const { return planes_.download(); }

 private:
  void add_grains(const Topology& cloth);
  void find_neighbors(Device& device);
  void find_corners(Device& device, const std::vector<ivec2>& edge_opposite);
  struct Part {
    int obstacle = 0, first = 0, count = 0;  // points within the bodies'
  };
  struct FrictionData {
    int cloths = 1;
    Buffer<int> material;
    Buffer<float> coefficient;  // friction_coefficients
    PaintedFriction painted;
  };
  int cloth_points_;
  std::vector<Part> parts_;
  std::vector<vec3> local_;  // as Bodies::meshes has them
  std::vector<int> plane_obstacles_;
  std::vector<int> flexible_points_;
  std::vector<ivec2> flexible_edges_;
  std::vector<ivec3> host_triangles_;
  std::vector<ivec2> host_edges_;
  // m, mean of the cloth's edges; 0: its rest shape is that of its positions
  float rest_edge_ = 0;
  Buffer<ivec3> triangles_;
  Buffer<ivec2> edges_;
  /// What is around each triangle, edge and point: see SurfaceNeighbors and corners().
  struct Around {
    Buffer<ivec3> across;
    Buffer<ivec2> edge_opposite;
    Buffer<int> ring_start, ring, corner_start, corner;
    std::vector<char> inner;  // per vertex: not 0 inside of a solid, where nothing is around but its cells
    std::vector<int> rigid;
    Buffer<float> radius;      // m, per point; empty without grains
    float largest_radius = 0;  // m
    OwnRadii own;
  } around_;
  Buffer<vec3> targets_;
  FrictionData friction_;
  Buffer<ContactPlane> planes_;
};

/// Mean length of the cloth's edges (m): at rest where that differs from the start, else at `positions` (of
/// all points or of the cloth's). Without edges the diameter of grains, or 1.
float mean_cloth_edge(const ContactSurface&, const std::vector<vec3>& positions);

}  // namespace weft
