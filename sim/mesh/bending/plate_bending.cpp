// Morley's triangle, whose unknowns are heights of vertices and normal slopes of edges, with the slopes taken
// from the heights around.
//
//          f0       f2            H_T = sum over edges of (l_e / A) b_e n_e n_eᵀ,   b_e: slope of the sheet at the middle of edge e along its
//         /  \     /  \                                                              outward normal n_e, beyond that of T's own plane
//        /    x1 --    \          E_T = A/2 B (|H|² (1 - nu) + nu tr(H)²)
//      x2  T  |e  S  x3
//        \    x0 --    /          Morley 1971. The slope of an edge is the same for its two triangles. Then the moments of a constant curvature
//         \  /     \  /           balance at every vertex, on any mesh: a bent sheet has no soft direction.
//          f1       f3
//
// Slope of e: in the mean of the two planes, weighted by the heights of their triangles, and a correction by
// the gaps of f0..f3 over the planes of T and S, the smallest for which any height field of second order has
// its exact slope. On grids the correction is 0 and omitted.
// At a clamp the slope is that of the pinned triangle. An edge with one triangle has a slope of its own, at
// which the moment about it vanishes: it is eliminated from E_T.
#include "sim/mesh/bending/plate_bending.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/mesh/bending/hinge_weights.h"
#include "sim/mesh/sides.h"

namespace weft {
namespace {

// Slope error, over the edge's length for a curvature of 1/m, below which an edge is not corrected. Slope
// errors do not change the mean curvature of a region, so the energy's error is of second order in them: half
// a percent here.
constexpr double kExactEnough = 0.03;
constexpr double kInexact = 0.15;  // left over after a correction: the energy is wrong by some percent
// regularisation of the correction: bounds it where the surrounding vertices lie on a conic
constexpr double kHoldPlate = 1e-3;

}  // namespace

/// Third corner of a triangle.
int PlateBending::third(int t, int a, int b) const {
  const ivec3& tri = t_.triangles[t];
  for (int k = 0; k < 3; ++k)
    if (tri[k] != a && tri[k] != b) return k;
  return 0;
}

PlateBending::PlateBending(const Topology& topology, const std::vector<char>& clamped)
    : t_(topology), rest_(topology), factors_(triangle_factors(topology)), clamped_(clamped) {
  find_edges();
  const int triangles = int(t_.triangles.size()), edges = int(t_.edges.size());
  shapes_.resize(triangles);
  sound_.assign(triangles, 1);
  slopes_.resize(edges);
  oneapi::tbb::parallel_for(0, triangles, [&](int t) { shapes_[t] = shape(t); });
  oneapi::tbb::parallel_for(0, edges, [&](int e) {
    if (edge_triangles_[e].x >= 0) slopes_[e] = slope(e);
    else slopes_[e].exact = true;
  });
  for (int t = 0; t < triangles; ++t) {
    const Shape& s = shapes_[t];
    const int longest = int(std::max_element(s.length, s.length + 3) - s.length);
    if (s.height[longest] <= 1.0001 * kThinnest * s.length[longest]) sound_[t] = 0;
    for (int k = 0; k < 3; ++k)
      if (!slopes_[triangle_edges_[t][k]].exact) sound_[t] = 0;
  }
}

void PlateBending::find_edges() {
  edge_triangles_.assign(t_.edges.size(), ivec2(-1));
  triangle_edges_.assign(t_.triangles.size(), ivec3(-1));
  std::vector<int> count(t_.edges.size(), 0);
  for (size_t t = 0; t < t_.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const size_t e =
          size_t(find_edge(t_.edges, t_.triangles[t][(k + 1) % 3], t_.triangles[t][(k + 2) % 3]));
      triangle_edges_[t][k] = int(e);
      if (count[e] < 2) edge_triangles_[e][count[e]] = int(t);
      ++count[e];
    }
  for (size_t e = 0; e < count.size(); ++e)
    if (count[e] != 2) edge_triangles_[e] = ivec2(-1);
}

PlateBending::Shape PlateBending::shape(int t) const {
  const ivec3& tri = t_.triangles[t];
  dvec3 x[3] = {dvec3(0), rest_.first(t), rest_.second(t)};
  if (!rest_.flat(t))
    for (int k = 0; k < 3; ++k) x[k] = dvec3(t_.rest[tri[k]]);
  Shape s;
  double longest = 0;
  for (int k = 0; k < 3; ++k) {
    s.length[k] = std::max(glm::length(x[(k + 2) % 3] - x[(k + 1) % 3]), 1e-9);
    longest = std::max(longest, s.length[k]);
  }
  s.area =
      std::max(0.5 * glm::length(glm::cross(x[1] - x[0], x[2] - x[0])), 0.5 * kThinnest * longest * longest);
  for (int k = 0; k < 3; ++k) {
    s.height[k] = 2 * s.area / s.length[k];
    s.share[k] =
        glm::dot(x[k] - x[(k + 1) % 3], x[(k + 2) % 3] - x[(k + 1) % 3]) / (s.length[k] * s.length[k]);
  }
  // Corner 1 at the origin, edge 0 (from corner 1 to 2) along x, corner 0 above.
  const dvec2 p[3] = {{s.share[0] * s.length[0], s.height[0]}, {0, 0}, {s.length[0], 0}};
  for (int k = 0; k < 3; ++k) {
    const dvec2 d = p[(k + 2) % 3] - p[(k + 1) % 3];
    s.normal[k] = dvec2(d.y, -d.x) / std::max(glm::length(d), 1e-12);
  }
  return s;
}

namespace {

/// Weights of three heights in the value of their plane at a point.
dvec3 plane_at(const dvec2& a, const dvec2& b, const dvec2& c, const dvec2& p) {
  const auto cross = [](const dvec2& u, const dvec2& v) { return u.x * v.y - u.y * v.x; };
  const double whole = cross(b - a, c - a), inverse = std::abs(whole) > 1e-300 ? 1 / whole : 0;
  const double wb = cross(p - a, c - a) * inverse, wc = cross(b - a, p - a) * inverse;
  return {1 - wb - wc, wb, wc};
}

/// Height fields x²/2, y²/2 and xy.
dvec3 fields(const dvec2& p) { return {0.5 * p.x * p.x, 0.5 * p.y * p.y, p.x * p.y}; }

/// x of (m) x = b for a symmetric positive definite matrix.
dvec3 solve(const glm::dmat3& m, const dvec3& b) { return glm::inverse(m) * b; }

}  // namespace

PlateBending::Slope PlateBending::slope(int edge) const {
  const int a = t_.edges[edge].x, b = t_.edges[edge].y;
  const ivec2 pair = edge_triangles_[edge];
  Slope out{};
  std::fill(std::begin(out.vertex), std::end(out.vertex), -1);
  out.vertex[0] = a, out.vertex[1] = b;
  // In the plane: the edge along x about the origin, the first triangle below and the second above it.
  dvec2 at[kVertices] = {};
  int gaps = 0;
  double gap[5][kVertices] = {};
  double own[2][kVertices] = {};  // slopes of the two planes along y
  double height[2] = {0, 0};
  for (int side = 0; side < 2; ++side) {
    const int t = pair[side], k = third(t, a, b);
    const Shape& s = shapes_[t];
    const bool forward = t_.triangles[t][(k + 1) % 3] == a;
    const double l = s.length[k], share = forward ? s.share[k] : 1 - s.share[k], up = side ? 1 : -1;
    at[0] = {-0.5 * l, 0}, at[1] = {0.5 * l, 0};
    at[2 + side] = {(share - 0.5) * l, up * s.height[k]};
    out.vertex[2 + side] = t_.triangles[t][k];
    height[side] = s.height[k];
    own[side][0] = -up * (1 - share) / s.height[k], own[side][1] = -up * share / s.height[k],
    own[side][2 + side] = up / s.height[k];
  }
  const double length = at[1].x - at[0].x;
  const auto add_gap = [&](int side, int vertex) {  // height of a vertex over the plane of a side's triangle
    const dvec3 w = plane_at(at[0], at[1], at[2 + side], at[vertex]);
    double* g = gap[gaps++];
    g[0] -= w.x, g[1] -= w.y, g[2 + side] -= w.z, g[vertex] += 1;
  };
  add_gap(0, 3);
  for (int side = 0; side < 2; ++side)
    for (int end = 0; end < 2; ++end) {  // beyond the edge from an end to the side's third corner
      const int t = pair[side], corner = third(t, a, b),
                opposite = third(t, out.vertex[end], out.vertex[2 + side]);
      const int beyond = triangle_edges_[t][opposite];
      const ivec2 two = edge_triangles_[beyond];
      if (two.x < 0) continue;
      const int u = two.x == t ? two.y : two.x, from = out.vertex[end],
                k = third(u, from, t_.triangles[t][corner]);
      const Shape& s = shapes_[u];
      const bool forward = t_.triangles[u][(k + 1) % 3] == from;
      const dvec2 p = at[end], d = at[2 + side] - p;
      dvec2 away = dvec2(d.y, -d.x) / std::max(glm::length(d), 1e-12);
      if (glm::dot(away, at[1 - end] - p) > 0) away = -away;
      const int place = 4 + 2 * side + end;
      out.vertex[place] = t_.triangles[u][k];
      at[place] = p + (forward ? s.share[k] : 1 - s.share[k]) * d + s.height[k] * away;
      add_gap(side, place);
    }
  dvec3 response[5], missing(0);
  for (int g = 0; g < gaps; ++g) {
    response[g] = dvec3(0);
    for (int i = 0; i < kVertices; ++i) response[g] += gap[g][i] * fields(at[i]);
  }
  double weight[5] = {height[0] / ((height[0] + height[1]) * height[1])};
  // the slope of these fields is 0 at the middle of the edge
  for (int i = 0; i < kVertices; ++i) missing -= own[0][i] * fields(at[i]);
  missing -= weight[0] * response[0];
  if (glm::length(missing) > kExactEnough * length) {
    glm::dmat3 m(0);
    double trace = 0;
    for (int g = 0; g < gaps; ++g)
      m += glm::outerProduct(response[g], response[g]), trace += glm::dot(response[g], response[g]);
    const dvec3 x = solve(m + glm::dmat3(kHoldPlate * trace), missing);
    for (int g = 0; g < gaps; ++g) {
      const double more = glm::dot(response[g], x);
      weight[g] += more;
      missing -= more * response[g];
    }
  }
  out.exact = glm::length(missing) <= kInexact * length;
  if (clamped(pair.x) != clamped(pair.y)) {
    const int free = clamped(pair.x) ? 1 : 0;
    for (int i = 0; i < kVertices; ++i) out.weight[free][i] = own[1][i] - own[0][i];
    return out;
  }
  for (int i = 0; i < kVertices; ++i) {
    double beyond = 0;
    for (int g = 0; g < gaps; ++g) beyond += weight[g] * gap[g][i];
    out.weight[0][i] = beyond;
    out.weight[1][i] = own[1][i] - own[0][i] - beyond;  // along -y
  }
  return out;
}

/// Direction of the warp in the plane of a triangle's Shape: where the first material coordinate grows and
/// the second does not.
dvec2 PlateBending::warp_in_plane(int t) const {
  const ivec3& tri = t_.triangles[t];
  dvec2 m[3] = {dvec2(0), dvec2(rest_.first(t)), dvec2(rest_.second(t))};
  if (!rest_.flat(t))
    for (int k = 0; k < 3; ++k) m[k] = dvec2(t_.uv[tri[k]]);
  const Shape& s = shapes_[t];
  const dvec2 along(s.length[0], 0), up(s.share[0] * s.length[0], s.height[0]);  // from corner 1
  const dvec2 a = m[2] - m[1], b = m[0] - m[1];
  const dvec2 warp = (a.x * b.y - b.x * a.y > 0 ? 1.0 : -1.0) * (b.y * along - a.y * up);
  return glm::length(warp) > 0 ? glm::normalize(warp) : dvec2(1, 0);
}

void PlateBending::couplings(int t, double nu, std::vector<BendingCoupling>& out, const vec2& shares) const {
  constexpr double kLeastShare = 1e-4;  // below it a free edge could not be eliminated
  out.clear();
  const Shape& s = shapes_[t];
  const double factor = factors_.empty() ? 1.0 : double(factors_[t].y);
  dvec2 normal[3] = {s.normal[0], s.normal[1], s.normal[2]};
  if (shares != vec2(1)) {  // (D^(1/4) n)(D^(1/4) n)ᵀ in the place of n nᵀ, with D = diag(B1, B2) / B
    const dvec2 x = warp_in_plane(t), y(-x.y, x.x),
                root = glm::pow(glm::max(dvec2(shares), dvec2(kLeastShare)), dvec2(0.25));
    for (dvec2& n : normal) n = root.x * glm::dot(n, x) * x + root.y * glm::dot(n, y) * y;
  }
  // E = B/2 sum q_kl b_k b_l
  double q[3][3];
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) {
      const double cosine = glm::dot(normal[k], normal[l]);
      double trace = nu;
      if (shares != vec2(1)) trace *= glm::dot(normal[k], normal[k]) * glm::dot(normal[l], normal[l]);
      q[k][l] = factor * s.length[k] * s.length[l] / s.area * ((1 - nu) * cosine * cosine + trace);
    }
  int vertex[3 * kVertices], count = 0;
  double b[3][3 * kVertices] = {};
  for (int k = 0; k < 3; ++k) {
    const int e = triangle_edges_[t][k];
    const ivec2 pair = edge_triangles_[e];
    if (pair.x < 0) {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          if (i != k && j != k) q[i][j] -= q[i][k] * q[k][j] / q[k][k];
      for (int i = 0; i < 3; ++i) q[i][k] = q[k][i] = i == k ? 1.0 : 0.0;  // its b is 0 below
      continue;
    }
    const Slope& slope = slopes_[e];
    for (int i = 0; i < kVertices; ++i) {
      const double w = slope.weight[pair.y == t][i];
      if (slope.vertex[i] < 0 || w == 0) continue;
      const int place = int(std::find(vertex, vertex + count, slope.vertex[i]) - vertex);
      if (place == count) vertex[count++] = slope.vertex[i];
      b[k][place] += w;
    }
  }
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      if (i == j) continue;
      double value = 0;
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) value += b[k][i] * q[k][l] * b[l][j];
      if (value != 0) out.push_back({vertex[i], vertex[j], float(value)});
    }
}

void PlateBending::crowded_edges(std::vector<BendingCoupling>& out) const {
  out.clear();
  std::map<Edge, int> count;
  for (const Hinge& h : t_.hinges) ++count[edge_of(h.x, h.y)];
  if (std::none_of(count.begin(), count.end(), [](const auto& c) { return c.second > 1; })) return;
  const HingeWeights weights = fit_hinge_weights(t_);
  for (size_t h = 0; h < t_.hinges.size(); ++h) {
    if (count[edge_of(t_.hinges[h].x, t_.hinges[h].y)] < 2) continue;
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        if (a != b)
          out.push_back({t_.hinges[h][a], t_.hinges[h][b],
                         weights.quadratic[h] * weights.stencil[h][a] * weights.stencil[h][b]});
  }
}

}  // namespace weft
