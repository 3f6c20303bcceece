// Hinge weights: closed form, then a fit where the mesh is irregular. See "Hinge weights" in
// sim/energies/README.md.
//
//            x2                      unfolded into the plane: x0 = (0, 0), x1 = (l, 0), x2 = (tA l, hA), x3 = (tB l, -hB)
//           /  \   hA                stencil c = l (-(1-tA)/hA - (1-tB)/hB, -tA/hA - tB/hB, 1/hA, 1/hB)
//        x0 --l-- x1
//           \  /   hB                on a height field z = K/2 (u . x)², u at the angle phi to the edge:
//            x3                      sum c_i z_i = K (a + b cos 2phi + c sin 2phi)
//
// A hinge of weight w costs w/2 (K (a + b cos 2phi + c sin 2phi))² in a cylinder of curvature K, a polynomial
// with five
// Fourier coefficients. Around each vertex their sum should be area/2 K² in the constant one and 0 in the
// others.
#include "sim/mesh/bending/hinge_weights.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/energies/dihedral_hinge.h"
#include "sim/mesh/rest_shape.h"
#include "sim/mesh/sides.h"
#include "sim/mesh/topology.h"

namespace weft {
namespace {

// Weight of the closed form in the fit. An exact fit of every star makes neighbouring hinges so unequal that
// the sheet deforms along the soft ones and becomes too soft. This value keeps a sheet whose vertices lie on
// a cylinder, and one that has relaxed, within 2 % of the right stiffness (measured on Poisson-disk meshes).
constexpr double kHold = 0.5;
constexpr double kIncurable = 0.1;              // relative directional error that weights cannot mend
constexpr double kLeast = 0.5, kMostHinge = 2;  // bounds of the correction
// height of a triangle over its edge below which the stencil is scaled down
constexpr double kThinnestHinge = 0.02;

/// A hinge in its unfolded plane.
struct Flat {
  glm::dvec4 stencil{0};
  double a = 0, b = 0, c = 0;  // m: response to curvature, see above
  double area = 0;             // m²: its third of both triangles
  double weight = 0;           // 1/m²: closed form
  double lever = 0;            // m: sum c_i x_i over the angle, |e| unless the stencil is scaled down
};

/// The edge of a hinge and the third corner of each triangle at rest, from x0. The edge's length differs at a
/// seam with gathers.
struct HingeRest {
  dvec3 edge[2], apex[2];
  bool flat = false;
};

/// Finds the triangles of hinges where the rest shape belongs to them.
class HingeRests {
 public:
  explicit HingeRests(const Topology& t) : t_(t), shape_(t) {
    if (!shape_.any_flat()) return;
    for (int i = 0; i < int(t.triangles.size()); ++i)
      for (int k = 0; k < 3; ++k) {
        const ivec3& v = t.triangles[i];
        const auto [low, high] = edge_of(v[k], v[(k + 1) % 3]);
        triangle_[{low, high, v[(k + 2) % 3]}] = i;
      }
  }
  /// cos and sin of twice the angle from a hinge's edge to the warp, counted towards its first triangle: the
  /// mean over both triangles.
  dvec2 doubled_warp(const Hinge& h) const {
    const HingeRest r = of(h);
    dvec2 sum(0);
    for (int side = 0; side < 2; ++side) {
      const dvec3 along = glm::normalize(r.edge[side]);
      const dvec3 up =
          (side == 0 ? 1.0 : -1.0) * glm::normalize(r.apex[side] - glm::dot(r.apex[side], along) * along);
      const dvec3 warp = warp_of(h, r, side);
      const dvec2 w(glm::dot(warp, along), glm::dot(warp, up));
      const double size = glm::dot(w, w);
      if (size > 0) sum += dvec2(w.x * w.x - w.y * w.y, 2 * w.x * w.y) / size;
    }
    return glm::length(sum) > 1e-6 ? glm::normalize(sum) : dvec2(0);
  }
  HingeRest of(const Hinge& h) const {
    if (!shape_.any_flat()) {
      const dvec3 x0(t_.rest[h.x]), e = dvec3(t_.rest[h.y]) - x0;
      return {{e, e}, {dvec3(t_.rest[h.z]) - x0, dvec3(t_.rest[h.w]) - x0}, false};
    }
    HingeRest out;
    for (int side = 0; side < 2; ++side) {
      const auto [low, high] = edge_of(h.x, h.y);
      const int t = triangle_.at({low, high, h[2 + side]});
      const ivec3& v = t_.triangles[t];
      const dvec3 p[3] = {dvec3(0), shape_.first(t), shape_.second(t)};
      const auto at = [&](int vertex) { return p[vertex == v.x ? 0 : vertex == v.y ? 1 : 2]; };
      out.edge[side] = at(h.y) - at(h.x), out.apex[side] = at(h[2 + side]) - at(h.x);
      out.flat = out.flat || shape_.flat(t);
    }
    return out;
  }

 private:
  /// Direction of the warp in one of a hinge's triangles: where the first material coordinate grows and the
  /// second does not.
  dvec3 warp_of(const Hinge& h, const HingeRest& r, int side) const {
    if (r.flat) return {1, 0, 0};
    const dvec2 u0(t_.uv[h.x]), ue = dvec2(t_.uv[h.y]) - u0, ua = dvec2(t_.uv[h[2 + side]]) - u0;
    const double det = ue.x * ua.y - ua.x * ue.y;
    return (det > 0 ? 1.0 : -1.0) * (ua.y * r.edge[side] - ue.y * r.apex[side]);
  }

  const Topology& t_;
  const RestShape shape_;
  std::map<std::array<int, 3>, int> triangle_;  // by ends of an edge, ascending, and third corner
};

Flat unfold(const HingeRest& h) {
  const dvec3 &a = h.apex[0], &b = h.apex[1];
  const double la = std::max(glm::length(h.edge[0]), 1e-9), lb = std::max(glm::length(h.edge[1]), 1e-9),
               l = 0.5 * (la + lb);
  const double ta = glm::dot(a, h.edge[0]) / (la * la), tb = glm::dot(b, h.edge[1]) / (lb * lb);
  const double ha = std::max(glm::length(glm::cross(h.edge[0], a)) / la, 1e-6 * la),
               hb = std::max(glm::length(glm::cross(h.edge[1], b)) / lb, 1e-6 * lb);
  Flat f;
  // A multiple of the stencil still vanishes on flat sheets; a triangle without height must not be infinitely
  // stiff.
  const double scale = std::min(1.0, std::min(ha, hb) / (kThinnestHinge * l));
  f.stencil = scale * l * glm::dvec4(-(1 - ta) / ha - (1 - tb) / hb, -ta / ha - tb / hb, 1 / ha, 1 / hb);
  const glm::dvec2 x[4] = {{0, 0}, {l, 0}, {ta * l, ha}, {tb * l, -hb}};
  double xx = 0, yy = 0, xy = 0;
  for (int i = 0; i < 4; ++i) {
    xx += 0.5 * f.stencil[i] * x[i].x * x[i].x;
    yy += 0.5 * f.stencil[i] * x[i].y * x[i].y;
    xy += f.stencil[i] * x[i].x * x[i].y;
  }
  f.a = 0.5 * (xx + yy), f.b = 0.5 * (xx - yy), f.c = 0.5 * xy;
  f.lever = scale * l;
  f.area = l * (ha + hb) / 6;
  f.weight = 1 / std::max(3 * f.area, kThinnestHinge * l * l);  // 1 / (A1 + A2): exact on equilateral grids
  return f;
}

constexpr int kEquations = 5;  // Fourier coefficients: 1, cos 2, sin 2, cos 4, sin 4

/// Hinge of a star: response turned into the star's frame, as Fourier coefficients of its square.
struct StarEntry {
  int hinge = 0;
  std::array<double, kEquations> energy{};
};
/// The five equations of one vertex: target values of the Fourier coefficients summed over its triangles'
/// edges.
struct Star {
  int first = 0, count = 0;
  double area = 0;  // m²
  double gain = 0;  // weight of the equations over the area; 0: no equations
  double target(int k) const { return k == 0 ? area : 0; }
};
using Equations = std::vector<std::array<double, kEquations>>;  // per star

class Fit {
 public:
  Fit(const Topology& t, std::vector<Flat>& flat) : t_(t), flat_(flat) {
    share_crowded_edges();
    collect_stars();
    oneapi::tbb::parallel_for(0, int(stars_.size()), [&](int v) { set_up(v); });
  }
  /// Correction of each weight: minimises the equations' residuals plus kHold times the squared change.
  std::vector<double> solve() const;

 private:
  void share_crowded_edges();
  void collect_stars();
  void set_up(int v);
  double incurable(const Star& star) const;
  Equations evaluate(const std::vector<double>& r) const;
  std::vector<double> gather(const Equations& e) const;

  const Topology& t_;
  std::vector<Flat>& flat_;
  HostAdjacency hinges_;  // per vertex: hinge * 4 + corner
  std::vector<Star> stars_;
  std::vector<StarEntry> entries_;  // in the order of hinges_.entry
  std::vector<int> place_;          // per hinge * 4 + corner: its entry
  std::vector<vec3> normal_;
  std::vector<char> excluded_;  // per vertex: no star, because an edge of its triangles has not two
                                // triangles
};

/// At an edge of m triangles each is part of m - 1 hinges.
void Fit::share_crowded_edges() {
  excluded_.assign(t_.rest.size(), 0);
  const int n = int(t_.hinges.size());
  auto same_edge = [&](int a, int b) {
    const Hinge &p = t_.hinges[a], &q = t_.hinges[b];
    return edge_of(p.x, p.y) == edge_of(q.x, q.y);
  };
  for (int begin = 0, end; begin < n; begin = end) {  // hinges of one edge stand together
    for (end = begin + 1; end < n && same_edge(begin, end); ++end) {}
    if (end - begin < 2) continue;
    const double triangles = 0.5 + std::sqrt(0.25 + 2.0 * double(end - begin));
    for (int h = begin; h < end; ++h) {
      flat_[h].weight /= triangles - 1;
      for (int k = 0; k < 4; ++k) excluded_[t_.hinges[h][k]] = 1;
    }
  }
}

void Fit::collect_stars() {
  const int n = int(t_.rest.size());
  hinges_ = build_adjacency(n, &t_.hinges[0].x, int(t_.hinges.size()), 4);
  stars_.resize(n);
  entries_.resize(hinges_.entry.size());
  place_.resize(hinges_.entry.size());
  for (size_t i = 0; i < place_.size(); ++i) place_[hinges_.entry[i]] = int(i);
  normal_.assign(n, vec3(0));
  for (int v = 0; v < n; ++v)
    stars_[v].first = hinges_.start[v], stars_[v].count = hinges_.start[v + 1] - hinges_.start[v];
  for (auto& tri : t_.triangles) {
    const vec3 m = glm::cross(t_.rest[tri.y] - t_.rest[tri.x], t_.rest[tri.z] - t_.rest[tri.x]);
    for (int k = 0; k < 3; ++k) normal_[tri[k]] += m;
  }
  for (size_t e = 0; e < t_.edges.size(); ++e)
    if (is_border(t_.edge_triangles[e])) {
      const ivec3 tri = t_.triangles[t_.edge_triangles[e].x];
      for (int k = 0; k < 3; ++k) excluded_[tri[k]] = 1;
    }
}

/// Fills the entries of vertex v, in a frame of its tangent plane, and weighs its equations.
void Fit::set_up(int v) {
  Star& star = stars_[v];
  if (star.count == 0 || excluded_[v] || glm::dot(normal_[v], normal_[v]) == 0) return;
  const dvec3 normal = glm::normalize(dvec3(normal_[v]));
  const Vec3<double> across = any_perpendicular(lane_vector(normal));
  const dvec3 x(across.x, across.y, across.z), y = glm::cross(normal, x);
  // cos and sin of twice the angle of a direction in the tangent plane
  auto doubled = [&](const vec3& d) {
    const double u = glm::dot(dvec3(d), x), w = glm::dot(dvec3(d), y), s = u * u + w * w;
    return s > 0 ? dvec2((u * u - w * w) / s, 2 * u * w / s) : dvec2(1, 0);
  };
  double area = 0;
  for (int i = star.first; i < star.first + star.count; ++i) {
    const int h = hinges_.entry[i] / 4;
    const Flat& f = flat_[h];
    const dvec2 r = doubled(t_.rest[t_.hinges[h].y] - t_.rest[t_.hinges[h].x]);
    const double b = f.b * r.x - f.c * r.y, c = f.b * r.y + f.c * r.x;
    entries_[i].hinge = h;
    entries_[i].energy = {f.weight * (f.a * f.a + 0.5 * (b * b + c * c)), f.weight * 2 * f.a * b,
                          f.weight * 2 * f.a * c, f.weight * 0.5 * (b * b - c * c), f.weight * b * c};
    area += f.area;
  }
  star.area = area;
  // Where no weights suffice (square grids), the closed form is as good as any.
  star.gain = std::max(0.0, 1 - incurable(star) / kIncurable) / area;
}

/// Fraction of a star's deficit (coefficients of directional error over area) that no change of its weights
/// can supply.
double Fit::incurable(const Star& star) const {
  // Ridge regression on the five coefficients; cosines and sines have half the constant's mean square.
  constexpr double kNorm[kEquations] = {1, 0.7071, 0.7071, 0.7071, 0.7071};
  double m[kEquations][kEquations + 1] = {};
  for (int k = 0; k < kEquations; ++k) {
    double sum = 0;
    for (int i = star.first; i < star.first + star.count; ++i) {
      const auto& f = entries_[i].energy;
      sum += f[k];
      for (int l = 0; l < kEquations; ++l)
        m[k][l] += kNorm[k] * kNorm[l] * f[k] * f[l] / (star.area * star.area);
    }
    m[k][kEquations] = kNorm[k] * (star.target(k) - sum) / star.area;
  }
  double trace = 0;
  for (int k = 0; k < kEquations; ++k) trace += m[k][k];
  const double ridge = 1e-3 * trace;
  for (int k = 0; k < kEquations; ++k) m[k][k] += ridge;
  for (int k = 0; k < kEquations; ++k)  // Gauss-Jordan; the matrix is positive definite
    for (int row = 0; row < kEquations; ++row) {
      if (row == k) continue;
      const double f = m[row][k] / m[k][k];
      for (int c = k; c <= kEquations; ++c) m[row][c] -= f * m[k][c];
    }
  double left = 0;
  for (int k = 0; k < kEquations; ++k)
    left += (ridge * m[k][kEquations] / m[k][k]) * (ridge * m[k][kEquations] / m[k][k]);
  return std::sqrt(left);
}

/// Value of every star's equations for a change of the weights (r = change, or 1 for the closed form itself).
Equations Fit::evaluate(const std::vector<double>& r) const {
  Equations out(stars_.size());
  oneapi::tbb::parallel_for(0, int(stars_.size()), [&](int v) {
    const Star& star = stars_[v];
    for (int k = 0; k < kEquations; ++k) {
      double sum = 0;
      for (int i = star.first; i < star.first + star.count; ++i)
        sum += entries_[i].energy[k] * r[entries_[i].hinge];
      out[v][k] = star.gain * sum;
    }
  });
  return out;
}

/// The transpose of `evaluate`.
std::vector<double> Fit::gather(const Equations& e) const {
  std::vector<double> out(flat_.size());
  oneapi::tbb::parallel_for(0, int(flat_.size()), [&](int h) {
    double sum = 0;
    for (int corner = 0; corner < 4; ++corner) {
      const int v = t_.hinges[h][corner];
      const Star& star = stars_[v];
      for (int k = 0; k < kEquations; ++k)
        sum += star.gain * entries_[place_[4 * h + corner]].energy[k] * e[v][k];
    }
    out[h] = sum;
  });
  return out;
}

/// Conjugate gradients on the normal equations; kHold keeps their condition number near 10.
std::vector<double> Fit::solve() const {
  const size_t n = flat_.size();
  auto dot = [n](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  };
  Equations missing = evaluate(std::vector<double>(n, 1.0));
  for (size_t v = 0; v < stars_.size(); ++v)
    for (int k = 0; k < kEquations; ++k) missing[v][k] = stars_[v].gain * stars_[v].target(k) - missing[v][k];
  std::vector<double> x(n, 0.0), r = gather(missing), p = r;
  double rr = dot(r, r);
  const double enough = 1e-6 * kHold * kHold * double(n);  // corrections good to a thousandth
  for (int i = 0; i < 100 && rr > enough; ++i) {
    std::vector<double> ap = gather(evaluate(p));
    for (size_t j = 0; j < n; ++j) ap[j] += kHold * p[j];
    const double step = rr / dot(p, ap);
    for (size_t j = 0; j < n; ++j) x[j] += step * p[j], r[j] -= step * ap[j];
    const double next = dot(r, r);
    for (size_t j = 0; j < n; ++j) p[j] = r[j] + next / rr * p[j];
    rr = next;
  }
  for (double& c : x) c = std::clamp(1 + c, kLeast, kMostHinge);
  return x;
}

std::vector<float> angles_of(const Topology& t, const HingeRests& rests) {
  std::map<Edge, float> folds;
  for (const ModelPart& c : t.parts)
    for (const RestAngles::Fold& f : c.rest_angles.folds) folds[edge_of(f.edge + c.first_vertex)] = f.angle;
  std::vector<float> angles;
  for (const Hinge& h : t.hinges) {
    using From = RestAngles::From;
    const From from = t.parts[t.vertex_part[h.x]].rest_angles.from;
    if (!folds.empty())
      if (const auto fold = folds.find(edge_of(h.x, h.y)); fold != folds.end()) {
        angles.push_back(fold->second);
        continue;
      }
    if (from == From::flat || (from == From::rest_shape && rests.of(h).flat)) {
      angles.push_back(0);
      continue;
    }
    Edges<double, 4> edges;
    const dvec3 x0(t.rest[h.x]);
    for (int p = 1; p < 4; ++p) edges[p - 1] = lane_vector(dvec3(t.rest[h[p]]) - x0);
    angles.push_back(float(hinge_angle(edges).theta));
  }
  return angles;
}

}  // namespace

HingeWeights fit_hinge_weights(const Topology& topology) {
  HingeWeights w;
  if (topology.hinges.empty()) return w;
  std::vector<Flat> flat;
  const HingeRests rests(topology);
  for (auto& h : topology.hinges) flat.push_back(unfold(rests.of(h)));
  const std::vector<double> correction = Fit(topology, flat).solve();
  for (size_t i = 0; i < flat.size(); ++i) {
    const double weight = flat[i].weight * correction[i];
    w.stencil.push_back(vec4(flat[i].stencil));
    w.quadratic.push_back(float(weight));
    w.dihedral.push_back(float(weight * flat[i].lever * flat[i].lever));
  }
  w.rest_angle = angles_of(topology, rests);
  return w;
}

std::vector<float> rest_angles(const Topology& topology) {
  return topology.hinges.empty() ? std::vector<float>() : angles_of(topology, HingeRests(topology));
}

std::vector<float> hinge_lengths(const Topology& topology) {
  std::vector<float> lengths;
  if (topology.hinges.empty()) return lengths;
  const HingeRests rests(topology);
  for (const Hinge& h : topology.hinges) {
    const HingeRest r = rests.of(h);
    double twice = 0;
    for (int side = 0; side < 2; ++side)
      twice +=
          glm::length(glm::cross(r.edge[side], r.apex[side])) / std::max(glm::length(r.edge[side]), 1e-9);
    lengths.push_back(float(0.5 * twice));
  }
  return lengths;
}

// A hinge whose edge makes the angle psi with the warp responds to cylinders along warp and weft by
//
//   R_warp = a + b cos 2psi + c sin 2psi,   R_weft = a - b cos 2psi - c sin 2psi       (a, b, c of Flat)
//
// With the factor p - q cos 2psi on its weight w a star costs sum w R² (p - q cos 2psi). That should be
// B_warp times, and B_weft times, what it costs with the factor 1. With t = sum w R² cos 2psi / sum w R²:
//
//   p - q t_warp = B_warp,   p - q t_weft = B_weft
//   factor = B_weft + (B_warp - B_weft) s,   s = (t_weft - cos 2psi) / (t_weft - t_warp)
//
// On equilateral grids this is exact; a hinge's share s is the mean over its vertices. What lies between the
// two directions, the twist, follows.
std::vector<float> warp_shares(const Topology& topology, const HingeWeights& weights) {
  constexpr double kLeastSpread = 0.2;  // of t; without it hinges of one direction alone meet at a vertex
  const int hinges = int(topology.hinges.size());
  const HingeRests rests(topology);
  std::vector<double> cosine(static_cast<size_t>(hinges));
  struct Sums {
    double cost[2] = {0, 0}, turned[2] = {0, 0};  // sum w R², sum w R² cos 2psi; along warp and weft
  };
  std::vector<Sums> sums(topology.rest.size());
  for (int h = 0; h < hinges; ++h) {
    const Flat f = unfold(rests.of(topology.hinges[h]));
    const dvec2 warp = rests.doubled_warp(topology.hinges[h]);
    cosine[h] = warp.x;
    const double turn = f.b * warp.x + f.c * warp.y;
    for (int k = 0; k < 2; ++k) {
      const double response = f.a + (k == 0 ? turn : -turn),
                   cost = double(weights.quadratic[h]) * response * response;
      for (int p = 0; p < 4; ++p) {
        Sums& s = sums[topology.hinges[h][p]];
        s.cost[k] += cost, s.turned[k] += cost * warp.x;
      }
    }
  }
  std::vector<float> out;
  for (int h = 0; h < hinges; ++h) {
    double sum = 0;
    int stars = 0;
    for (int p = 0; p < 4; ++p) {
      const Sums& s = sums[topology.hinges[h][p]];
      if (!(s.cost[0] > 0 && s.cost[1] > 0)) continue;
      const double warp = s.turned[0] / s.cost[0], weft = s.turned[1] / s.cost[1];
      if (weft - warp < kLeastSpread) continue;
      sum += (weft - cosine[h]) / (weft - warp), ++stars;
    }
    const double share = stars > 0 ? sum / stars : 0.5 * (1 - cosine[h]);
    out.push_back(std::clamp(float(share), -kBeyond, 1 + kBeyond));
  }
  return out;
}

}  // namespace weft
