// What stays fixed while a scene runs: topology, rest shape, masses, per-element coefficients.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/device/buffer.h"
#include "sim/linear/affine_bodies.h"
#include "sim/mesh/topology.h"
#include "sim/scene/scene.h"

namespace weft {

/// Compressed rows: entries of row i are [start[i], start[i+1]).
struct Adjacency {
  Buffer<int> start;
  Buffer<int> entry;
};

/// What outer forces ask of each triangle.
struct TriangleLoads {
  Buffer<float> mass;      // kg; each corner has a third of it
  Buffer<float> pressure;  // Pa, FabricParams::inner_pressure; empty: none anywhere
};

/// What contact asks of each vertex.
struct VertexContact {
  Buffer<float> area;    // m²
  Buffer<float> offset;  // m: the fabric's thickness / 2, 0.05 mm at least
};

/// Device-side constants. Coefficients that depend on fabric parameters are refreshed by `update_fabric`.
/// What elements resist with belongs to their sets (sim/solvers/element_set.h).
class Model {
 public:
  /// Loads meshes, builds topology. `start` receives the initial positions (placement applied). Throws Error.
  Model(const Scene& scene, Device& device, std::vector<vec3>& start);
  ~Model();

  int vertex_count() const { return int(host.rest.size()); }
  int edge_count() const { return int(host.edges.size()); }
  int triangle_count() const { return int(host.triangles.size()); }

  /// Of each vertex the mass (kg) that a push on it alone has to move (AffineBodies::pushed_mass).
  Span<const float> pushed_mass() const { return rigid.any() ? rigid.pushed_mass() : mass.span(); }
  /// Recomputes masses and stiffness coefficients after fabric parameters changed.
  void update_fabric(const Scene& scene);

  Topology host;
  std::vector<std::string> notices;  // repairs and omissions of import and building, in words

  Buffer<float> mass;  // kg, lumped
  TriangleLoads triangle_loads;
  Buffer<ivec3> triangles;
  Buffer<ivec2> edges;
  Buffer<float> edge_rest;     // m
  Adjacency vertex_edges;      // entry: edge * 2 + (1 if this vertex is its second end)
  Adjacency vertex_triangles;  // entry: triangle * 3 + corner
  VertexContact contact;
  Buffer<float> damping;  // per vertex internal damping
  std::vector<float> host_mass;
  AffineBodies rigid;
  std::vector<char> clamped;  // per triangle: 1 if pins of the scene hold all of it permanently

 private:
  void find_clamped(const Scene& scene, const std::vector<vec3>& start);
  void report_bending();
  void add_solid_masses(const Scene& scene, std::vector<float>& masses) const;
  void add_grain_masses(const Scene& scene, std::vector<float>& masses, std::vector<float>& area) const;
  Device* device_;
};

}  // namespace weft
