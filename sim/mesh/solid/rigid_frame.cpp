#include "sim/mesh/solid/rigid_frame.h"

#include <cmath>

#include "sim/base/error.h"

namespace weft {
namespace {

dmat3 outer(const dvec3& a) { return glm::outerProduct(a, a); }

/// Volume, first and second moments of a body, or mass and moments of points.
struct Moments {
  double whole = 0;
  dvec3 first{0};
  dmat3 second{0};
  dvec3 centre() const { return first / whole; }
  /// About a point, per unit of the whole.
  dmat3 about(const dvec3& c) const {
    return second / whole - glm::outerProduct(centre(), c) - glm::outerProduct(c, centre()) + outer(c);
  }
};

/// Of what a closed surface holds: tetrahedra of its triangles and the origin, whose volumes have signs.
Moments of_inside(const std::vector<dvec3>& x, const std::vector<ivec3>& triangles) {
  Moments m;
  for (const ivec3& t : triangles) {
    const dvec3 &a = x[t.x], &b = x[t.y], &c = x[t.z], sum = a + b + c;
    const double six = glm::dot(a, glm::cross(b, c));
    m.whole += six / 6;
    m.first += six / 24 * sum;
    m.second += six / 120 * (outer(a) + outer(b) + outer(c) + outer(sum));
  }
  return m;
}

/// Shares of the surface's points, which sum to 1: thirds of their triangles' areas.
std::vector<double> area_shares(const std::vector<dvec3>& x, const std::vector<ivec3>& triangles) {
  std::vector<double> share(x.size(), 0);
  double all = 0;
  for (const ivec3& t : triangles) {
    const double twice = glm::length(glm::cross(x[t.y] - x[t.x], x[t.z] - x[t.x]));
    for (int k = 0; k < 3; ++k) share[t[k]] += twice;
    all += 3 * twice;
  }
  for (double& s : share) s /= all;
  return share;
}

/// The lower factor of Cholesky; false where a pivot is below `least`.
bool factor(const dmat3& a, double least, dmat3& l) {
  l = dmat3(0);
  for (int j = 0; j < 3; ++j) {
    double d = a[j][j];
    for (int k = 0; k < j; ++k) d -= l[k][j] * l[k][j];
    if (!(d > least)) return false;
    l[j][j] = std::sqrt(d);
    for (int i = j + 1; i < 3; ++i) {
      double s = a[j][i];
      for (int k = 0; k < j; ++k) s -= l[k][i] * l[k][j];
      l[j][i] = s / l[j][j];
    }
  }
  return true;
}

}  // namespace

RigidFrame rigid_frame(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                       const std::string& what) {
  dvec3 middle(0);
  for (const vec3& p : positions) middle += dvec3(p) / double(positions.size());
  std::vector<dvec3> x;
  for (const vec3& p : positions) x.push_back(dvec3(p) - middle);
  const Moments body = of_inside(x, triangles);
  if (!(body.whole > 0))
    throw Error("its surface holds no volume, so that it has no mass", what, "turn its triangles outward");
  const std::vector<double> area = area_shares(x, triangles);
  Moments skin;
  for (size_t i = 0; i < x.size(); ++i)
    skin.whole += area[i], skin.first += area[i] * x[i], skin.second += area[i] * outer(x[i]);
  const dvec3 centre = body.centre(), offset = skin.centre() - centre;
  const dmat3 wanted = body.about(centre), of_skin = skin.about(centre);
  // The last pivot is the smallest moment at the others' cost: turned bodies have it as upright ones do.
  dmat3 whole;
  if (!factor(wanted, 1e-12 * (wanted[0][0] + wanted[1][1] + wanted[2][2]), whole))
    throw Error("its mass has no extent in some direction", what, "make it thicker");
  const double least = 0.02 * std::pow(std::min({whole[0][0], whole[1][1], whole[2][2]}), 2);
  // What the surface has is further out than the body's mass: the more of it, the less the rest may have.
  for (double f = 0.5; f > 1e-6; f /= 2) {
    const double rest = 1 - f;
    const dvec3 inside = -(f / rest) * offset;
    dmat3 l;
    if (!factor(wanted - f * of_skin - rest * outer(inside), least, l)) continue;
    RigidFrame frame;
    frame.volume = body.whole;
    for (const double s : area) frame.share.push_back(float(f * s));
    const auto point = [&](int axis, double side) {
      frame.points.push_back(vec3(middle + centre + inside + side * std::sqrt(3 / rest) * l[axis]));
      frame.share.push_back(float(rest / RigidFrame::kPoints));
    };
    // corners -a, a, b, c of a tetrahedron: 2a . (a + b) x (a + c) > 0
    point(0, -1), point(0, 1), point(1, 1), point(2, 1), point(1, -1), point(2, -1);
    return frame;
  }
  throw Error("its mass has no extent in some direction", what, "make it thicker");
}

}  // namespace weft
