#include "sim/mesh/import/polygon.h"

#include <algorithm>
#include <cmath>

#include "sim/base/work_watch.h"

namespace weft {
namespace {

double cross(const dvec2& a, const dvec2& b) { return a.x * b.y - a.y * b.x; }

/// Newell's normal: twice the area, right for concave and slightly bent polygons.
dvec3 newell_normal(const std::vector<dvec3>& p) {
  dvec3 normal(0);
  for (size_t i = 1; i + 1 < p.size(); ++i) normal += glm::cross(p[i] - p[0], p[i + 1] - p[0]);
  return normal;
}

std::vector<dvec2> project(const std::vector<dvec3>& p, const dvec3& normal) {
  const dvec3 n = glm::normalize(normal);
  const dvec3 other = std::abs(n.x) < 0.7 ? dvec3(1, 0, 0) : dvec3(0, 1, 0);
  const dvec3 u = glm::normalize(glm::cross(other, n)), v = glm::cross(n, u);
  std::vector<dvec2> flat;
  flat.reserve(p.size());
  for (const dvec3& q : p) flat.push_back({glm::dot(q - p[0], u), glm::dot(q - p[0], v)});
  return flat;
}

/// Points in cells, so that those in a triangle are found among few.
class PointGrid {
 public:
  PointGrid(const std::vector<dvec2>& points, const std::vector<int>& chosen) {
    dvec2 low(1e300), high(-1e300);
    for (const int i : chosen) low = glm::min(low, points[i]), high = glm::max(high, points[i]);
    low_ = low;
    if (chosen.empty()) return;
    side_ = std::max(1, int(std::sqrt(double(chosen.size()))));
    cell_ = glm::max((high - low) / double(side_), dvec2(1e-300));
    start_.assign(size_t(side_) * side_ + 1, 0);
    for (const int i : chosen) ++start_[cell_of(points[i]) + 1];
    for (size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
    std::vector<int> next(start_.begin(), start_.end() - 1);
    entry_.resize(chosen.size());
    for (const int i : chosen) entry_[next[cell_of(points[i])]++] = i;
  }

  /// Calls `see(i)` for each point in cells that meet the box until it returns true; returns whether it did.
  template <class See>
  bool any(const dvec2& low, const dvec2& high, const See& see) const {
    if (entry_.empty()) return false;
    const ivec2 a = place(low), b = place(high);
    for (int y = a.y; y <= b.y; ++y)
      for (int k = start_[y * side_ + a.x]; k < start_[size_t(y * side_ + b.x) + 1]; ++k)
        if (see(entry_[k])) return true;
    return false;
  }

 private:
  ivec2 place(const dvec2& p) const {
    return ivec2(glm::clamp((p - low_) / cell_, dvec2(0), dvec2(double(side_ - 1))));
  }
  int cell_of(const dvec2& p) const { return place(p).y * side_ + place(p).x; }

  dvec2 low_{0}, cell_{1};
  int side_ = 0;
  std::vector<int> start_, entry_;
};

/// Corners that are left form a ring of links; cutting an ear unlinks its tip.
class EarClipper {
 public:
  explicit EarClipper(std::vector<dvec2> corners) : p_(std::move(corners)), left_(int(p_.size())) {
    for (int i = 0; i < left_; ++i) {
      next_.push_back((i + 1) % left_);
      previous_.push_back((i + left_ - 1) % left_);
    }
    for (const dvec2& q : p_) extent_ = std::max({extent_, std::abs(q.x), std::abs(q.y)});
    for (int i = 0; i < left_; ++i) reflex_.push_back(doubled_area(i) <= 0);
    std::vector<int> reflex;
    for (int i = 0; i < left_; ++i)
      if (reflex_[i]) reflex.push_back(i);
    reflex_grid_ = PointGrid(p_, reflex);
  }

  std::vector<ivec3> run(bool& simple) {
    const bool choose = left_ <= 64;
    while (left_ > 3) {
      if (left_ % 1024 == 0) WorkWatch::check();
      const int tip = choose ? best_ear() : first_ear();
      if (tip < 0) {
        simple = false;
        break;
      }
      cut(tip);
    }
    while (left_ >= 3) {
      if (!(doubled_area(next_[cursor_]) > 0)) simple = false;
      cut(next_[cursor_]);
    }
    return std::move(triangles_);
  }

 private:
  double doubled_area(int i) const { return cross(p_[i] - p_[previous_[i]], p_[next_[i]] - p_[i]); }

  /// 0 for no ear; else a shape measure: area over the sum of squared sides.
  double ear_quality(int i) const {
    const int a = previous_[i], b = next_[i];
    const double area = doubled_area(i);
    if (!(area > 0)) return 0;
    const dvec2 &pa = p_[a], &pi = p_[i], &pb = p_[b];
    const auto within = [&](int r) {
      if (!reflex_[r] || r == a || r == i || r == b) return false;
      const dvec2& q = p_[r];
      if (q == pa || q == pi || q == pb) return false;  // a bridge to a hole passes the same point twice
      return cross(pi - pa, q - pa) >= 0 && cross(pb - pi, q - pi) >= 0 && cross(pa - pb, q - pb) >= 0;
    };
    // wider than the triangle, since the tests above are rounded
    const dvec2 low = glm::min(pa, glm::min(pi, pb)), high = glm::max(pa, glm::max(pi, pb));
    const dvec2 rim = 1e-9 * (high - low) + dvec2(1e-12 * extent_);
    if (reflex_grid_.any(low - rim, high + rim, within)) return 0;
    const dvec2 s = p_[i] - p_[a], t = p_[b] - p_[i], u = p_[a] - p_[b];
    return area / (glm::dot(s, s) + glm::dot(t, t) + glm::dot(u, u));
  }

  int best_ear() const {
    int best = -1;
    double best_quality = 0;
    for (int k = 0, i = cursor_; k < left_; ++k, i = next_[i])
      // The first wins a tie: rounding alone must not turn the diagonals of equal squares.
      if (const double quality = ear_quality(i); quality > 1.000001 * best_quality)
        best = i, best_quality = quality;
    return best;
  }

  int first_ear() const {
    for (int k = 0, i = next_[cursor_]; k < left_; ++k, i = next_[i])
      if (ear_quality(i) > 0) return i;
    return -1;
  }

  void cut(int tip) {
    const int a = previous_[tip], b = next_[tip];
    triangles_.push_back({a, tip, b});
    next_[a] = b, previous_[b] = a, --left_;
    reflex_[tip] = false;
    for (int i : {a, b})
      if (reflex_[i]) reflex_[i] = doubled_area(i) <= 0;
    cursor_ = b;
  }

  std::vector<dvec2> p_;
  int left_, cursor_ = 0;
  std::vector<int> next_, previous_;
  std::vector<char> reflex_;  // a corner that is none never becomes one
  PointGrid reflex_grid_{{}, {}};
  double extent_ = 0;  // largest coordinate
  std::vector<ivec3> triangles_;
};

}  // namespace

std::vector<ivec3> triangulate_polygon(const std::vector<dvec3>& corners, bool& simple) {
  simple = true;
  if (corners.size() < 3) return {};
  if (corners.size() == 3) return {{0, 1, 2}};
  const dvec3 normal = newell_normal(corners);
  if (glm::length(normal) > 0) return EarClipper(project(corners, normal)).run(simple);
  simple = false;
  std::vector<ivec3> fan;
  for (int i = 1; i + 1 < int(corners.size()); ++i) fan.push_back({0, i, i + 1});
  return fan;
}

}  // namespace weft
