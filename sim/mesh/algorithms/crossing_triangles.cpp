#include "sim/mesh/algorithms/crossing_triangles.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/mesh/algorithms/triangle_boxes.h"

namespace weft {
namespace {

// Shewchuk 1997: (7 + 56 u) u of the sum of all terms' absolute values bounds the rounding of a 3x3
// determinant
constexpr double kRounding = 8e-16;

/// Side of the plane abc on which d lies; 0 where rounding leaves it open.
int side_of_plane(const dvec3& a, const dvec3& b, const dvec3& c, const dvec3& d) {
  const dvec3 u = b - a, v = c - a, w = d - a;
  const double yz = v.y * w.z, zy = v.z * w.y, zx = v.z * w.x, xz = v.x * w.z, xy = v.x * w.y, yx = v.y * w.x;
  const double det = u.x * (yz - zy) + u.y * (zx - xz) + u.z * (xy - yx);
  const double size = std::abs(u.x) * (std::abs(yz) + std::abs(zy)) +
                      std::abs(u.y) * (std::abs(zx) + std::abs(xz)) +
                      std::abs(u.z) * (std::abs(xy) + std::abs(yx));
  return det > kRounding * size ? 1 : det < -kRounding * size ? -1 : 0;
}

/// Sign of the area of abc seen along an axis.
int turn(int axis, const dvec3& a, const dvec3& b, const dvec3& c) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  const double left = (b[i] - a[i]) * (c[j] - a[j]), right = (b[j] - a[j]) * (c[i] - a[i]);
  const double size = std::abs(left) + std::abs(right);
  return left - right > kRounding * size ? 1 : left - right < -kRounding * size ? -1 : 0;
}

struct Corners {
  dvec3 at[3];
  int widest_axis() const {  // axis along which the triangle has the largest projection
    const dvec3 n = glm::abs(glm::cross(at[1] - at[0], at[2] - at[0]));
    return n.x >= n.y && n.x >= n.z ? 0 : n.y >= n.z ? 1 : 2;
  }
  bool has_area() const {
    return turn(0, at[0], at[1], at[2]) || turn(1, at[0], at[1], at[2]) || turn(2, at[0], at[1], at[2]);
  }
};

/// All in one plane: apart where a side of the triangle or the segment has all of the other strictly beyond
/// it.
bool meet_in_plane(const dvec3& p, const dvec3& q, const Corners& t) {
  const int axis = t.widest_axis(), inside = turn(axis, t.at[0], t.at[1], t.at[2]);
  for (int k = 0; k < 3; ++k) {
    const dvec3 &a = t.at[k], &b = t.at[(k + 1) % 3];
    if (turn(axis, a, b, p) == -inside && turn(axis, a, b, q) == -inside) return false;
  }
  const int a = turn(axis, p, q, t.at[0]), b = turn(axis, p, q, t.at[1]), c = turn(axis, p, q, t.at[2]);
  return a == 0 || a != b || b != c;
}

bool segment_meets(const dvec3& p, const dvec3& q, const Corners& t) {
  const int at_p = side_of_plane(t.at[0], t.at[1], t.at[2], p),
            at_q = side_of_plane(t.at[0], t.at[1], t.at[2], q);
  if (at_p != 0 && at_p == at_q) return false;
  if (at_p == 0 && at_q == 0) return meet_in_plane(p, q, t);
  bool above = false, below = false;  // on which sides of the line the triangle's edges pass it
  for (int k = 0; k < 3; ++k) {
    const int s = side_of_plane(p, q, t.at[k], t.at[(k + 1) % 3]);
    above |= s > 0, below |= s < 0;
  }
  return !(above && below);
}

/// Both have the edge vw: folded flat onto each other?
bool folded_flat(const dvec3& v, const dvec3& w, const dvec3& a, const dvec3& b) {
  if (side_of_plane(v, w, a, b) != 0) return false;
  const int axis = Corners{{v, w, a}}.widest_axis();
  return turn(axis, v, w, a) == turn(axis, v, w, b);
}

struct Pair {
  ivec3 ta, tb;
  Corners a, b;
};

/// Edges of both triangles are tested: if two triangles cross, an edge of one meets the other.
bool cross(const Pair& p) {
  int common = 0, own_a = -1, own_b = -1;  // places of the last corners that are not common
  ivec3 is_common_a(0), is_common_b(0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (p.ta[i] == p.tb[j]) ++common, is_common_a[i] = is_common_b[j] = 1;
  for (int i = 0; i < 3; ++i) {
    if (!is_common_a[i]) own_a = i;
    if (!is_common_b[i]) own_b = i;
  }
  if (common >= 3) return true;
  if (common == 2)
    return folded_flat(p.a.at[(own_a + 1) % 3], p.a.at[(own_a + 2) % 3], p.a.at[own_a], p.b.at[own_b]);
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    if (!is_common_a[k] && !is_common_a[next] && segment_meets(p.a.at[k], p.a.at[next], p.b)) return true;
    if (!is_common_b[k] && !is_common_b[next] && segment_meets(p.b.at[k], p.b.at[next], p.a)) return true;
  }
  return false;
}

}  // namespace

std::vector<ivec2> crossing_triangles(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                                      int own, size_t most) {
  const int count = int(triangles.size()), last = own < 0 ? count : own;
  const auto corners = [&](const ivec3& t) {
    return Corners{{dvec3(positions[t.x]), dvec3(positions[t.y]), dvec3(positions[t.z])}};
  };
  const std::vector<Bounds> boxes = boxes_around(positions, triangles);
  const BoxTree tree(boxes);
  std::vector<ivec2> found;
  std::vector<int> near;
  for (int a = 0; a < last && found.size() < most; ++a) {
    const ivec3 ta = triangles[a];
    const Corners at = corners(ta);
    if (!at.has_area()) {
      found.push_back({a, a});
      continue;
    }
    near.clear();
    tree.visit(boxes[a], [&](int b) {
      if (b > a) near.push_back(b);
    });
    std::sort(near.begin(), near.end());
    for (int b : near) {
      const ivec3 tb = triangles[b];
      if (found.size() < most && cross({ta, tb, at, corners(tb)})) found.push_back({a, b});
    }
  }
  return found;
}

std::vector<ivec2> crossing_lines(const std::vector<vec3>& positions, const std::vector<ivec2>& lines,
                                  const std::vector<ivec3>& triangles) {
  const std::vector<Bounds> boxes = boxes_around(positions, triangles);
  const BoxTree tree(boxes);
  std::vector<ivec2> found;
  for (size_t l = 0; l < lines.size(); ++l) {
    const ivec2 line = lines[l];
    Bounds box;
    box.add(positions[line.x]), box.add(positions[line.y]);
    const size_t begin = found.size();
    tree.visit(box, [&](int t) {
      const ivec3& c = triangles[t];
      const Corners corners{{dvec3(positions[c.x]), dvec3(positions[c.y]), dvec3(positions[c.z])}};
      for (int k = 0; k < 3; ++k)
        if (c[k] == line.x || c[k] == line.y) return;
      if (segment_meets(dvec3(positions[line.x]), dvec3(positions[line.y]), corners))
        found.push_back({int(l), t});
    });
    std::sort(found.begin() + long(begin), found.end(),
              [](const ivec2& a, const ivec2& b) { return a.y < b.y; });
  }
  return found;
}

std::string crossings_in_words(const std::vector<ivec2>& pairs, int own,
                               const std::function<std::string(int)>& name) {
  constexpr size_t kNamed = 5;
  std::string words;
  const auto called = [&](int t) { return name ? name(t) : fmt::format("triangle {}", t); };
  for (size_t i = 0; i < std::min(pairs.size(), kNamed); ++i) {
    const ivec2 p = pairs[i];
    if (!words.empty()) words += ", ";
    if (p.x == p.y) words += called(p.x) + " has no area";
    else if (own >= 0 && p.y >= own) words += called(p.x) + " crosses a body";
    else words += fmt::format("{} and {} cross", called(p.x), called(p.y));
  }
  if (pairs.size() > kNamed) words += fmt::format(", and {} more", pairs.size() - kNamed);
  return words;
}

}  // namespace weft
