#include "sim/garment/placement.h"

#include <cmath>

#include "sim/garment/edge_curve.h"

namespace weft {
namespace {

dmat3 rotation_about(int axis, double degrees) {
  const double a = glm::radians(degrees), c = std::cos(a), s = std::sin(a);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  dmat3 m(1);
  m[u][u] = c, m[u][v] = s, m[v][u] = -s, m[v][v] = c;
  return m;
}

}  // namespace

double right_side(const Panel& panel) {
  double doubled = 0;
  dvec2 origin(0);
  for (int e = 0; e < int(panel.loops[0].size()); ++e) {
    const auto line = curve_of(panel, e).drawn();
    for (size_t i = 0; i + 1 < line.size(); ++i) {
      if (e == 0 && i == 0) origin = line[0];
      const dvec2 a = line[i] - origin, b = line[i + 1] - origin;
      doubled += a.x * b.y - a.y * b.x;
    }
  }
  return doubled >= 0 ? 1 : -1;
}

PanelPlacement::PanelPlacement(const Panel& panel, const LayerDistances& layers)
    : position_(panel.position),
      out_(0, 0, right_side(panel) * (layers.first + layers.gap * panel.layer)),
      rotation_(rotation_about(2, panel.rotation.z) * rotation_about(1, panel.rotation.y) *
                rotation_about(0, panel.rotation.x)),
      radius_(panel.bend_radius),
      axis_(std::cos(glm::radians(panel.bend_axis)), std::sin(glm::radians(panel.bend_axis))),
      center_(panel.bend_center) {}

dvec3 PanelPlacement::at(const dvec2& p) const {
  if (radius_ == 0) return position_ + rotation_ * (dvec3(p, 0) + out_);
  const dvec2 across(axis_.y, -axis_.x), d = p - center_;
  const double s = glm::dot(d, across), t = glm::dot(d, axis_), angle = s / radius_, out = radius_ + out_.z;
  const dvec2 flat = center_ + t * axis_ + out * std::sin(angle) * across;
  return position_ + rotation_ * dvec3(flat, out * std::cos(angle) - radius_);
}

}  // namespace weft
