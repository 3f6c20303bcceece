// Lift and drag of a triangle in moving air, as a flat plate that does not care which side the wind meets.
//
//              n
//              ^   ,  F = rho/2 A |u|² (n̂ . û) ( C_D û + C_L (n̂ - (n̂ . û) û) )
//              | ,
//   u  ------>-+----->               u   wind minus the triangle's velocity, m/s
//        ______|______               n̂   unit normal, on the side to which the wind blows (n̂ . û >= 0)
//       /             \              A   current area, m²
//      /_______________\             C_D, C_L   coefficients;   rho   density of air
//
// Drag acts along û in proportion to the projected area A (n̂ . û); lift acts across it, in the plane of n̂
// and û, in proportion to sin cos of the angle of attack: the flat-plate law that Wejchert and Haumann 1991
// and Ling, Damodaran and Gay 1996 use for leaves and cloth. It vanishes smoothly where the wind grazes the
// sheet.
#pragma once
#include "sim/energies/types.h"

namespace weft {

/// kg/m³, dry air at 20 degrees Celsius and sea level.
constexpr float kAirDensity = 1.204f;

/// Force on the whole triangle in N, never larger than `limit` N. `relative`: velocity of the air minus that
/// of the triangle. An explicit time step stays stable with limit = mass |relative| / dt: the air then takes
/// the triangle along at most.
template <class T>
HD inline Point3<T> aerodynamic_force(const Point3<T>& x0, const Point3<T>& x1, const Point3<T>& x2,
                                      const Point3<T>& relative, T lift, T drag, T limit = T(1e30)) {
  const T speed = length_of(relative);
  const Point3<T> doubled = glm::cross(x1 - x0, x2 - x0);
  const T area2 = length_of(doubled);
  if (!(speed > T(1e-12)) || !(area2 > T(1e-30))) return Point3<T>(0);
  const Point3<T> u = relative / speed;
  const Point3<T> n = doubled / area2;
  const T cosine = glm::dot(n, u);
  const Point3<T> facing = cosine < T(0) ? -n : n;
  const T c = absolute(cosine);
  const T pressure = T(0.5) * T(kAirDensity) * speed * speed * T(0.5) * area2 * c;
  const Point3<T> force = pressure * (drag * u + lift * (facing - c * u));
  const T size = length_of(force);
  return size > limit ? (limit / size) * force : force;
}

}  // namespace weft
