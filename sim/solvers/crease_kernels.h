// Folds that stay: plastic bending of hinges (sim/energies/dihedral_hinge.h).
//
//   |theta - theta0| <= theta_y = K_y l        theta0 <- theta -+ theta_y where theta has gone beyond
//
//   theta    angle of a hinge at the end of a step, rad      theta0  its rest angle, rad
//   K_y      FabricParams::crease_yield, 1/m                 l       length of cloth that the hinge bends, m
//
// A beam that is elastic up to the moment B K_y and yields without hardening beyond. A yield curvature, not a
// yield angle: the angle of a hinge shrinks with the mesh, its curvature does not.
#pragma once
#include "sim/device/launch.h"
#include "sim/energies/dihedral_hinge.h"

namespace weft::creases {

/// Rest angles follow where hinges are bent beyond their yield.
struct Yield {
  Span<const ivec4> hinge;    // vertices, as Topology::hinges
  Span<const vec3> position;  // m
  Span<const float> most;     // theta_y, rad; negative: the cloth does not crease
  Span<float> rest_angle;     // theta0, rad, in (-pi, pi]
  HD void operator()(int h) const {
    if (!(most[h] >= 0)) return;
    const ivec4 v = hinge[h];
    const vec3 x0 = position[v.x];
    Edges<float, 4> edges;
    for (int p = 1; p < 4; ++p) {
      const vec3 e = position[v[p]] - x0;
      edges[p - 1] = {e.x, e.y, e.z};
    }
    const float bent = angle_change<float>(hinge_angle(edges).theta, rest_angle[h]);
    const float beyond = bent > most[h] ? bent - most[h] : bent < -most[h] ? bent + most[h] : 0.0f;
    if (beyond != 0) rest_angle[h] = angle_change<float>(rest_angle[h] + beyond, 0.0f);
  }
};

/// The state's rest angles as those of the hinges' elements.
struct TakeRestAngles {
  Span<const float> rest_angle;  // rad
  Span<float> rest;              // ElementView::rest
  HD void operator()(int h) const {
    constexpr int kNumbers = int(sizeof(DihedralHinge::Rest<float>) / sizeof(float));
    rest[interleaved(h, 0, kNumbers)] = rest_angle[h];
  }
};

}  // namespace weft::creases
