// Rigid bodies as affine ones (Lan, Kaufman, Li, Jiang, Yang 2022, "Affine Body Dynamics"): the points of a
// body are linear in 12 unknowns,
//
//   x_i = p + A X_i,     X_i from the centre of mass at rest,
//
// so that straight paths of the points are paths of the body. An energy of A keeps it near a rotation:
// that of the one cell that a rigid body has.
#pragma once
#include "sim/base/span.h"
#include "sim/energies/types.h"

namespace weft {

/// What a body is at rest.
struct AffineBody {
  int first = 0, count = 0;  // points
  float mass = 0;            // kg
  float inv_radius = 0;      // 1/m: over the distance of its farthest point
  Sym3 second;               // sum m X Xᵀ / mass, m²
  Sym3 inverse_second;       // 1/m²
};

/// The bodies on the device. One row per body.
struct AffineView {
  Span<const AffineBody> body;
  Span<const vec3> offset;  // X of each vertex of the model, m; 0 outside of bodies
  Span<const float> mass;   // kg, of each vertex
  HD bool empty() const { return body.empty(); }
};

}  // namespace weft
