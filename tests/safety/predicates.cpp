#include "tests/safety/predicates.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

namespace weft::check {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

Kernel::Point_3 point(const dvec3& p) { return {p.x, p.y, p.z}; }

Kernel::Point_2 point_along(int axis, const dvec3& p) { return {p[(axis + 1) % 3], p[(axis + 2) % 3]}; }

}  // namespace

int orientation(const dvec3& a, const dvec3& b, const dvec3& c, const dvec3& d) {
  return int(Kernel::Orientation_3()(point(a), point(b), point(c), point(d)));
}

int orientation_along(int axis, const dvec3& a, const dvec3& b, const dvec3& c) {
  return int(Kernel::Orientation_2()(point_along(axis, a), point_along(axis, b), point_along(axis, c)));
}

}  // namespace weft::check
