// Uniform sampling of cloth, which vertex repulsion needs (Wu et al. 2020, section 6.1).
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "sim/mesh/mesh.h"
#include "sim/mesh/uniform/outline.h"
#include "sim/mesh/uniform/uniformity.h"

namespace weft {

struct UniformOptions {
  double edge = 0;               // m, target mean edge; 0: the mean of the remeshed mesh
  double enough = 0.65;          // ratio of shortest to longest edge at which improving ends
  double corner_angle = 30;      // degrees; boundary points that turn by more are corners and fixed
  uint64_t seed = 1;             // same bits for the same seed
  std::string where = "remesh";  // in front of error messages
  // other meshes that must not be crossed, in the pose of its positions; may be null
  const TriMesh* others = nullptr;
  std::function<void(double)> progress = nullptr;  // share done, 0 to 1
  // receives notices about the result, without `where`
  std::function<void(const std::string&)> tell = nullptr;
};

/// A planar pattern in z = 0 whose uv are its x and y (m): boundary resampled, stratified samples inside,
/// repulsion, Delaunay, even edges.
/// Throws Error for outlines that cross, touch or have no area (outline.h), and edge lengths that do not fit.
TriMesh uniform_pattern(const Outline& outline, const UniformOptions& options);

/// The same surface with edges near options.edge in its rest shape. Each connected part is remeshed
/// separately: a flat one as a pattern within its boundary, others on the surface. A part too small for four
/// triangles is kept and reported, as are a spot where the edge length does not fit and an area that changes
/// by more than 2 %. Boundaries stay curves with their corners. Rest shape, material coordinates, uv,
/// attributes and a pose other than the rest shape are interpolated barycentrically. A mesh that crosses
/// neither itself nor `others` does not afterwards: where longer edges would cut through another layer the
/// triangles are kept and reported. Throws Interrupted on request of a WorkWatch. Throws Error, naming the
/// edge or vertex, for surfaces that are not manifold, for those thinner than an edge at more than a spot, if
/// all parts are too small, and if every triangle would have to be kept.
TriMesh made_uniform(const TriMesh& mesh, const UniformOptions& options);

/// What limits the ratio of a uniform mesh: a boundary edge at an extreme, a sharp corner; empty if neither.
std::string what_limits(const TriMesh& uniform_mesh, const UniformOptions& options);

}  // namespace weft
