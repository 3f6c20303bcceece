#include "sim/garment/edge_curve.h"

#include <algorithm>
#include <cmath>

namespace weft {
namespace {

using Kind = PanelEdge::Kind;

constexpr double kStraight = 1e-9;  // bulge below which an arc is its chord

dvec2 turned(const dvec2& v, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * v.x - s * v.y, s * v.x + c * v.y};
}

int degree(Kind kind) { return kind == Kind::cubic ? 3 : kind == Kind::quadratic ? 2 : 1; }

}  // namespace

EdgeCurve::EdgeCurve(const PanelEdge& edge, const dvec2& end) : edge_(edge) {
  if (edge.kind == Kind::polyline) {  // its parameter is the share of its length
    line_ = {edge.start}, along_ = {0};
    line_.insert(line_.end(), edge.points.begin(), edge.points.end());
    line_.push_back(end);
    for (size_t i = 1; i < line_.size(); ++i)
      along_.push_back(along_.back() + glm::length(line_[i] - line_[i - 1]));
    for (int k = 0; k <= kParts; ++k) length_[k] = along_.back() * k / kParts;
    return;
  }
  p_ = {edge.start, edge.control[0], edge.control[1], end};
  if (edge.kind == Kind::quadratic) p_[2] = end;
  if (edge.kind == Kind::arc && std::abs(edge.bulge) < kStraight) edge_.kind = Kind::line;
  if (edge_.kind == Kind::line || edge_.kind == Kind::arc) p_[1] = end;
  if (edge_.kind == Kind::arc) {
    const dvec2 chord = end - edge.start, left(-chord.y, chord.x);
    angle_ = 4 * std::atan(edge.bulge);
    center_ = 0.5 * (edge.start + end) + 0.5 / std::tan(0.5 * angle_) * left;
  }
  for (int k = 0; k < kParts; ++k)
    length_[k + 1] = length_[k] + integral(double(k) / kParts, double(k + 1) / kParts);
}

/// Segment of a polyline at a share of its length.
size_t EdgeCurve::segment(double t) const {
  const auto at = std::upper_bound(along_.begin(), along_.end(), t * along_.back());
  return size_t(std::clamp(long(at - along_.begin()) - 1, 0L, long(line_.size()) - 2));
}

dvec2 EdgeCurve::point(double t) const {
  if (edge_.kind == Kind::polyline) {
    const size_t i = segment(t);
    const double part = along_[i + 1] - along_[i];
    return glm::mix(line_[i], line_[i + 1],
                    part > 0 ? std::clamp((t * along_.back() - along_[i]) / part, 0.0, 1.0) : 0.0);
  }
  if (edge_.kind == Kind::arc) return center_ + turned(edge_.start - center_, angle_ * t);
  std::array<dvec2, 4> p = p_;
  for (int n = degree(edge_.kind); n > 0; --n)
    for (int i = 0; i < n; ++i) p[i] = glm::mix(p[i], p[i + 1], t);
  return p[0];
}

dvec2 EdgeCurve::derivative(double t) const {
  if (edge_.kind == Kind::polyline) {
    const size_t i = segment(t);
    const double part = along_[i + 1] - along_[i];
    return part > 0 ? along_.back() / part * (line_[i + 1] - line_[i]) : dvec2(0);
  }
  if (edge_.kind == Kind::arc) {
    const dvec2 r = turned(edge_.start - center_, angle_ * t);
    return angle_ * dvec2(-r.y, r.x);
  }
  const int n = degree(edge_.kind);
  std::array<dvec2, 3> d;
  for (int i = 0; i < n; ++i) d[i] = double(n) * (p_[i + 1] - p_[i]);
  for (int m = n - 1; m > 0; --m)
    for (int i = 0; i < m; ++i) d[i] = glm::mix(d[i], d[i + 1], t);
  return d[0];
}

/// Length between two parameters, by five points.
double EdgeCurve::integral(double from, double to) const {
  constexpr double x[5] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                           0.9061798459386640};
  constexpr double w[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                           0.2369268850561891};
  double sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += w[k] * glm::length(derivative(0.5 * (from + to) + 0.5 * (to - from) * x[k]));
  return 0.5 * (to - from) * sum;
}

double EdgeCurve::parameter(double share) const {
  if (share <= 0 || !(length() > 0)) return 0;
  if (share >= 1) return 1;
  if (edge_.kind == Kind::polyline) return share;
  const double wanted = share * length();
  const int k = std::clamp(
      int(std::upper_bound(length_.begin(), length_.end(), wanted) - length_.begin()) - 1, 0, kParts - 1);
  const double low = double(k) / kParts, high = double(k + 1) / kParts;
  double t = low + (high - low) * (wanted - length_[k]) / std::max(length_[k + 1] - length_[k], 1e-300);
  for (int i = 0; i < 6; ++i) {  // Newton, kept inside of the part
    const double speed = glm::length(derivative(t)), off = length_[k] + integral(low, t) - wanted;
    if (!(speed > 0) || std::abs(off) < 1e-13 * length()) break;
    t = std::clamp(t - off / speed, low, high);
  }
  return t;
}

dvec2 EdgeCurve::direction(double share) const {
  const dvec2 d = derivative(parameter(share));
  const double l = glm::length(d);
  return l > 0 ? d / l : dvec2(1, 0);
}

PanelEdge EdgeCurve::part(double first, double last) const {
  const double a = parameter(first), b = parameter(last);
  PanelEdge out = edge_;
  out.start = point(a);
  if (edge_.kind == Kind::polyline) {
    out.points.clear();
    for (size_t i = 0; i < line_.size(); ++i)
      if (along_[i] > a * along_.back() && along_[i] < b * along_.back()) out.points.push_back(line_[i]);
  }
  if (edge_.kind == Kind::arc) out.bulge = std::tan(0.25 * angle_ * (b - a));
  if (edge_.kind == Kind::quadratic)
    out.control[0] = glm::mix(glm::mix(p_[0], p_[1], a), glm::mix(p_[1], p_[2], a), b);  // blossom of (a, b)
  if (edge_.kind == Kind::cubic) {
    const auto blossom = [&](double r, double s, double t) {
      const dvec2 q[3] = {glm::mix(p_[0], p_[1], r), glm::mix(p_[1], p_[2], r), glm::mix(p_[2], p_[3], r)};
      return glm::mix(glm::mix(q[0], q[1], s), glm::mix(q[1], q[2], s), t);
    };
    out.control[0] = blossom(a, a, b), out.control[1] = blossom(a, b, b);
  }
  return out;
}

std::vector<dvec2> EdgeCurve::polyline(int count) const {
  std::vector<dvec2> points;
  for (int i = 0; i <= count; ++i) points.push_back(point(double(i) / count));
  return points;
}

std::vector<dvec2> EdgeCurve::drawn() const {
  if (edge_.kind == Kind::polyline) return line_;
  return polyline(edge_.kind == Kind::line ? 1 : 24);
}

EdgeCurve curve_of(const Panel& panel, int edge) { return {edge_of(panel, edge), end_of(panel, edge)}; }

}  // namespace weft
