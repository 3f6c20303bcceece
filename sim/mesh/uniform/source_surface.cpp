#include "sim/mesh/uniform/source_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/mesh/sides.h"
#include "sim/mesh/topology.h"

namespace weft {
namespace {

/// Triangles that one search visits, besides those on the path to its first: the ball contains more only for
/// a point far off the surface.
constexpr size_t kMostSearched = 400;

/// Nearest point of triangle abc in double precision, as barycentric weights.
dvec3 closest_weights(const dvec3& p, const dvec3& a, const dvec3& b, const dvec3& c) {
  const dvec3 n = glm::cross(b - a, c - a);
  const double nn = glm::dot(n, n);
  if (nn > 0) {
    const double v = glm::dot(glm::cross(p - a, c - a), n) / nn,
                 w = glm::dot(glm::cross(b - a, p - a), n) / nn;
    if (v >= 0 && w >= 0 && v + w <= 1) return {1 - v - w, v, w};
  }
  const dvec3 corner[3] = {a, b, c};
  dvec3 best(1, 0, 0);
  double least = 1e300;
  for (int k = 0; k < 3; ++k) {
    const dvec3 from = corner[k], d = corner[(k + 1) % 3] - from;
    const double dd = glm::dot(d, d), t = dd > 0 ? std::clamp(glm::dot(p - from, d) / dd, 0.0, 1.0) : 0;
    const dvec3 offset = p - from - t * d;
    if (glm::dot(offset, offset) >= least) continue;
    least = glm::dot(offset, offset);
    best = dvec3(0);
    best[k] = 1 - t, best[(k + 1) % 3] = t;
  }
  return best;
}

std::string place(const dvec3& p) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x, p.y, p.z); }

/// Triangles around a vertex that hang together by edges: more than one such fan is a fault.
bool is_one_fan(int vertex, const std::vector<ivec3>& triangles, const int* begin, const int* end) {
  std::vector<int> reached{*begin};
  std::vector<char> in(end - begin, false);
  in[0] = true;
  const auto share_edge = [&](const ivec3& s, const ivec3& t) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (s[i] == t[j] && s[i] != vertex) return true;
    return false;
  };
  for (size_t next = 0; next < reached.size(); ++next)
    for (const int* f = begin; f != end; ++f)
      if (!in[f - begin] && share_edge(triangles[reached[next]], triangles[*f]))
        in[f - begin] = true, reached.push_back(*f);
  return reached.size() == size_t(end - begin);
}

/// Compressed rows with the triangles at each vertex, ascending.
HostAdjacency triangles_around(size_t vertices, const std::vector<ivec3>& triangles) {
  HostAdjacency around =
      build_adjacency(int(vertices), triangles.empty() ? nullptr : &triangles[0].x, int(triangles.size()), 3);
  for (int& entry : around.entry) entry /= 3;
  return around;
}

}  // namespace

void check_manifold(const std::vector<dvec3>& points, const std::vector<ivec3>& triangles,
                    const std::string& where) {
  const auto edge = [&](const TriangleSide& s) {
    // numbers would not be the file's
    return fmt::format("the edge from {} to {}", place(points[s.edge.first]), place(points[s.edge.second]));
  };
  for_each_edge(triangles, [&](auto sides) {
    if (sides.size() > 2)
      throw Error(fmt::format("{} has {} triangles; a surface that can be remeshed has one or two at each",
                              edge(sides[0]), sides.size()),
                  where,
                  "delete or separate the triangles attached there (in Blender: Select > All by Trait > Non "
                  "Manifold), or keep the mesh: remesh = \"never\" and step.bending_model = \"meshless\"");
    if (sides.size() == 2 && sides[0].forward == sides[1].forward)
      throw Error(fmt::format("the two triangles at {} are wound in opposite directions", edge(sides[0])),
                  where,
                  "give all faces the same orientation (in Blender: Mesh > Normals > Recalculate Outside); a "
                  "Moebius strip has to be cut open");
  });
  const auto [start, around] = triangles_around(points.size(), triangles);
  for (int v = 0; v < int(points.size()); ++v)
    if (start[v + 1] > start[v] && !is_one_fan(v, triangles, &around[start[v]], around.data() + start[v + 1]))
      throw Error(fmt::format("parts of the surface meet only in the vertex at {}", place(points[v])), where,
                  "give each part its own vertex there, or join them along an edge");
}

SourceSurface::SourceSurface(std::vector<dvec3> points, std::vector<ivec3> triangles, double corner_angle)
    : points_(std::move(points)), triangles_(std::move(triangles)), seen_(triangles_.size(), 0) {
  HostAdjacency around = triangles_around(points_.size(), triangles_);
  start_ = std::move(around.start), around_ = std::move(around.entry);
  find_curves(corner_angle);
}

dvec3 SourceSurface::point(const Site& site) const {
  const ivec3& t = triangles_[site.triangle];
  return site.barycentric.x * points_[t.x] + site.barycentric.y * points_[t.y] +
         site.barycentric.z * points_[t.z];
}

dvec3 SourceSurface::normal(int triangle) const {
  const ivec3& t = triangles_[triangle];
  const dvec3 a = points_[t.x], n = glm::cross(points_[t.y] - a, points_[t.z] - a);
  return glm::length(n) > 0 ? glm::normalize(n) : dvec3(0);
}

double SourceSurface::squared_distance(const dvec3& p, int f) const {
  const ivec3& t = triangles_[f];
  const dvec3 offset = point({f, closest_weights(p, points_[t.x], points_[t.y], points_[t.z])}) - p;
  return glm::dot(offset, offset);
}

/// A ball through the vertex's old position contains far more of a finely divided surface than the path to
/// its new one.
int SourceSurface::downhill(const dvec3& p, int from) const {
  double least = squared_distance(p, from);
  for (int at = from;;) {
    int next = at;
    const ivec3& t = triangles_[at];
    for (int k = 0; k < 3; ++k)
      for (int i = start_[t[k]]; i < start_[t[k] + 1]; ++i) {
        ++visited_;
        if (const double d = squared_distance(p, around_[i]); d < least) least = d, next = around_[i];
      }
    if (next == at) return at;
    at = next;
  }
}

Site SourceSurface::nearest(const dvec3& p, int start) const {
  const int from = downhill(p, start);
  const int search = ++search_;
  Site best{from, {1, 0, 0}};
  double least = 1e300, ball = 0;
  queue_.assign(1, from);
  seen_[from] = search;
  for (size_t next = 0; next < std::min(queue_.size(), kMostSearched); ++next) {
    const int f = queue_[next];
    ++visited_;
    const ivec3& t = triangles_[f];
    const dvec3 weights = closest_weights(p, points_[t.x], points_[t.y], points_[t.z]);
    const dvec3 offset = point({f, weights}) - p;
    const double squared = glm::dot(offset, offset);
    if (squared < least) least = squared, best = {f, weights};
    // The search stays within the ball, so that it does not follow the surface to another layer.
    if (next == 0) ball = squared * (1 + 1e-9);
    else if (squared > ball) continue;
    for (int k = 0; k < 3; ++k)
      for (int i = start_[t[k]]; i < start_[t[k] + 1]; ++i)
        if (const int g = around_[i]; seen_[g] != search) seen_[g] = search, queue_.push_back(g);
  }
  return best;
}

void SourceSurface::find_curves(double corner_angle) {
  std::vector<int> next(points_.size(), -1), beside(points_.size(), -1);
  for_each_edge(triangles_, [&](auto sides) {
    if (sides.size() > 1) return;
    const TriangleSide& s = sides[0];
    const int from = triangles_[s.triangle][s.corner];
    next[from] = triangles_[s.triangle][(s.corner + 1) % 3], beside[from] = s.triangle;
  });
  for (int v = 0; v < int(points_.size()); ++v) {
    if (next[v] < 0) continue;
    BoundaryCurve curve;
    curve.along.push_back(0);
    for (int at = v; next[at] >= 0;) {
      const int to = next[at];
      curve.vertex.push_back(at), curve.triangle.push_back(beside[at]);
      curve.along.push_back(curve.along.back() + glm::length(points_[to] - points_[at]));
      next[at] = -1;
      at = to;
    }
    const int n = int(curve.vertex.size());
    for (int i = 0; i < n; ++i) {
      const dvec3 p = points_[curve.vertex[i]], in = p - points_[curve.vertex[(i + n - 1) % n]],
                  out = points_[curve.vertex[(i + 1) % n]] - p;
      if (std::atan2(glm::length(glm::cross(in, out)), glm::dot(in, out)) > glm::radians(corner_angle))
        curve.corner.push_back(i);
    }
    curves_.push_back(std::move(curve));
  }
}

Site SourceSurface::on_curve(int index, double along) const {
  const BoundaryCurve& curve = curves_[index];
  along = std::fmod(along, curve.length());
  if (along < 0) along += curve.length();
  const size_t i = std::min(
      curve.vertex.size() - 1,
      size_t(std::upper_bound(curve.along.begin(), curve.along.end(), along) - curve.along.begin()) - 1);
  const double length = curve.along[i + 1] - curve.along[i],
               t = length > 0 ? (along - curve.along[i]) / length : 0;
  const int a = curve.vertex[i], b = curve.vertex[(i + 1) % curve.vertex.size()];
  Site site{curve.triangle[i], dvec3(0)};
  for (int k = 0; k < 3; ++k) {
    if (triangles_[site.triangle][k] == a) site.barycentric[k] = 1 - t;
    if (triangles_[site.triangle][k] == b) site.barycentric[k] = t;
  }
  return site;
}

}  // namespace weft
