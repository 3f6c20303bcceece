#include "sim/linear/affine_bodies.h"

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"

namespace weft {
namespace {

/// The inverse by cofactors; false where it is not positive definite.
bool invert(const dmat3& a, dmat3& out) {
  const double det = glm::determinant(a), scale = (a[0][0] + a[1][1] + a[2][2]) / 3;
  if (!(det > 1e-15 * scale * scale * scale)) return false;
  out = glm::inverse(a);
  return true;
}

Sym3 sym(const dmat3& a) {
  return {float(a[0][0]), float(a[1][0]), float(a[2][0]), float(a[1][1]), float(a[2][1]), float(a[2][2])};
}

}  // namespace

AffineBodies::AffineBodies(Device& device, const std::vector<Range>& bodies, const std::vector<vec3>& rest,
                           const std::vector<float>& mass) {
  if (bodies.empty()) return;
  std::vector<AffineBody> all;
  std::vector<vec3> offset(rest.size(), vec3(0));
  std::vector<float> pushed = mass;
  for (const Range& range : bodies) {
    const int end = range.first + range.count;
    double whole = 0, farthest = 0;
    dvec3 centre(0);
    for (int i = range.first; i < end; ++i)
      whole += double(mass[i]), centre += double(mass[i]) * dvec3(rest[i]);
    centre /= whole;
    dmat3 second(0), inverse;
    for (int i = range.first; i < end; ++i) {
      const dvec3 x = dvec3(rest[i]) - centre;
      offset[i] = vec3(x);
      second += double(mass[i]) / whole * glm::outerProduct(x, x);
      farthest = std::max(farthest, glm::length(x));
    }
    if (!invert(second, inverse))
      throw Error("a rigid body has no extent in some direction", "rigid body", "make it thicker");
    for (int i = range.first; i < end; ++i) {
      const dvec3 x(offset[i]);
      pushed[i] = float(whole / (1 + glm::dot(x, inverse * x)));
    }
    all.push_back({range.first, range.count, float(whole), float(1 / farthest), sym(second), sym(inverse)});
  }
  body_ = Buffer<AffineBody>(device, "rigid bodies", all);
  offset_ = Buffer<vec3>(device, "rigid bodies", offset);
  mass_ = Buffer<float>(device, "rigid bodies", mass);
  pushed_ = Buffer<float>(device, "pushed masses", pushed);
}

}  // namespace weft
