// What stays fixed while a scene runs: topology, rest shape, masses, per-element coefficients.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/device/buffer.h"
#include "sim/mesh/topology.h"
#include "sim/scene/scene.h"

namespace weft {

/// Compressed rows: entries of row i are [start[i], start[i+1]).
struct Adjacency {
  Buffer<int> start;
  Buffer<int> entry;
};

/// Device-side constants. Coefficients that depend on fabric parameters are refreshed by `update_fabric`.
class Model {
 public:
  /// Loads meshes, builds topology. `start` receives the initial positions (placement applied). Throws Error.
  Model(const Scene& scene, Device& device, std::vector<vec3>& start);
  ~Model();

  int vertex_count() const { return int(host.rest.size()); }
  int edge_count() const { return int(host.edges.size()); }
  int triangle_count() const { return int(host.triangles.size()); }
  int hinge_count() const { return int(host.hinges.size()); }

  /// Recomputes masses and stiffness coefficients after fabric parameters changed.
  void update_fabric(const Scene& scene);

  Topology host;
  std::vector<std::string> notices;  // repairs and omissions of import and building, in words

  Buffer<float> mass;                // kg, lumped
  Buffer<float> triangle_mass;       // kg; each corner has a third of it
  Buffer<ivec3> triangles;
  Buffer<ivec2> edges;
  Buffer<float> edge_rest;           // m
  Buffer<float> edge_stiffness;      // N/m: Y (A1 + A2) / l^2, which makes an equilateral lattice's modulus exactly Y;
                                     // Y is the larger of warp and weft
  Buffer<ivec4> hinges;
  Buffer<vec4> hinge_weights;        // Bergou's stencil c: bending vector sum(c_i x_i), energy k/2 |.|^2
  Buffer<float> hinge_stiffness;     // k = B times the fitted weight, see sim/energies/README.md
  Buffer<vec2> hinge_rest;           // dihedral model: k (N m) and rest angle of 1/2 k (theta - rest)^2
  Buffer<vec4> triangle_inverse;     // columns of the 2x2 inverse rest matrix Dm^-1
  Buffer<vec3> triangle_material;    // area, mu, lambda (both times thickness, N/m)
  Buffer<vec4> triangle_orthotropic; // C11, C22, C12, G along warp and weft (N/m), see sim/energies/stvk_triangle.h
  Adjacency vertex_edges;            // entry: edge * 2 + (1 if this vertex is its second end)
  Adjacency vertex_triangles;        // entry: triangle * 3 + corner
  Adjacency vertex_hinges;           // entry: hinge * 4 + corner
  Buffer<float> contact_area;        // m^2 per vertex
  Buffer<float> contact_offset;      // m per vertex: the fabric's thickness / 2, 0.05 mm at least
  Buffer<float> damping;             // per vertex internal damping
  std::vector<float> host_mass;
  std::vector<char> clamped;         // per triangle: 1 if pins of the scene hold all of it permanently

 private:
  void find_clamped(const Scene& scene, const std::vector<vec3>& start);
  void tell_of_bending();
  Device* device_;
  std::vector<float> unit_hinge_quadratic_, unit_hinge_dihedral_, rest_angle_;
};

}  // namespace weft
