#include "sim/mesh/bending/bending_neighborhoods.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/mesh/topology.h"

namespace weft {
namespace {

constexpr double kThinnest = 1e-3;  // moment across over moment along below which neighbours lie on a line
// A few neighbours fit many curvatures exactly. Their stiffness is at most this many times that of a full
// ring.
constexpr double kMost = 2;
// directions of cylinders over half a turn; the costs are polynomials of fourth order in them
constexpr int kDirections = 16;

/// Eigenvectors of a symmetric matrix by Jacobi rotations, as columns, by descending eigenvalue,
/// right-handed.
dmat3 principal_axes(dmat3 m) {
  dmat3 axes(1);
  for (int sweep = 0; sweep < 12; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (std::abs(m[p][q]) <= 1e-18 * (std::abs(m[p][p]) + std::abs(m[q][q]))) continue;
        const double ratio = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const double t = (ratio < 0 ? -1 : 1) / (std::abs(ratio) + std::sqrt(ratio * ratio + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        dmat3 turn(1);
        turn[p][p] = turn[q][q] = c, turn[q][p] = s, turn[p][q] = -s;
        m = glm::transpose(turn) * m * turn;
        axes = axes * turn;
      }
  std::array<int, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return m[a][a] > m[b][b]; });
  const dvec3 first = axes[order[0]], second = axes[order[1]];
  return dmat3(first, second, glm::cross(first, second));
}

class Builder {
 public:
  explicit Builder(const Topology& t)
      : t_(t), n_(int(t.rest.size())), area_(t.rest.size(), 0.0), at_free_edge_(t.rest.size(), 0) {
    for (const ivec3& tri : t.triangles) {
      const double a = 0.5 * glm::length(glm::cross(dvec3(t.rest[tri.y]) - dvec3(t.rest[tri.x]),
                                                    dvec3(t.rest[tri.z]) - dvec3(t.rest[tri.x])));
      for (int k = 0; k < 3; ++k) area_[tri[k]] += a / 3;
    }
    for (size_t e = 0; e < t.edges.size(); ++e)
      if (is_border(t.edge_triangles[e])) at_free_edge_[t.edges[e].x] = at_free_edge_[t.edges[e].y] = 1;
  }
  BendingNeighborhoods build();

 private:
  dvec3 edge(int from, int to) const { return dvec3(t_.rest[to]) - dvec3(t_.rest[from]); }
  void find_neighbors();
  void link_back();
  void set_up(int v);
  double cylinder_cost(const dvec3* reference, int count, double angle, const dvec2& inverse) const;

  const Topology& t_;
  const int n_;
  std::vector<double> area_;  // m², a third of the triangles around each vertex
  std::vector<char> at_free_edge_;
  BendingNeighborhoods out_;
};

void Builder::find_neighbors() {
  const HostAdjacency ends =
      build_adjacency(n_, t_.edges.empty() ? nullptr : &t_.edges[0].x, int(t_.edges.size()), 2);
  const auto other_end = [&](int entry) { return t_.edges[entry / 2][1 - entry % 2]; };
  std::vector<double> reach(n_, 0.0);  // mean edge length at each vertex
  for (int v = 0; v < n_; ++v) {
    for (int o = ends.start[v]; o < ends.start[v + 1]; ++o)
      reach[v] += glm::length(edge(v, other_end(ends.entry[o])));
    reach[v] /= std::max(1, ends.start[v + 1] - ends.start[v]);
  }
  std::vector<std::vector<int>> found(n_);
  oneapi::tbb::parallel_for(0, n_, [&](int v) {
    std::vector<int>& list = found[v];
    for (int o = ends.start[v]; o < ends.start[v + 1]; ++o) {
      const int near = other_end(ends.entry[o]);
      list.push_back(near);
      for (int p = ends.start[near]; p < ends.start[near + 1]; ++p) {
        const int far = other_end(ends.entry[p]);
        // A sum that does not depend on the order of the two, so that both find each other.
        if (far != v && glm::length(edge(v, far)) <= 0.5 * kNeighborhoodRadius * (reach[v] + reach[far]))
          list.push_back(far);
      }
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  });
  out_.start.assign(1, 0);
  for (const auto& list : found) {
    out_.neighbor.insert(out_.neighbor.end(), list.begin(), list.end());
    out_.start.push_back(int(out_.neighbor.size()));
  }
}

void Builder::link_back() {
  out_.reverse.resize(out_.neighbor.size());
  oneapi::tbb::parallel_for(0, n_, [&](int v) {
    for (int o = out_.start[v]; o < out_.start[v + 1]; ++o) {
      const int j = out_.neighbor[o];
      const auto first = out_.neighbor.begin() + out_.start[j],
                 last = out_.neighbor.begin() + out_.start[j + 1];
      out_.reverse[o] = int(std::lower_bound(first, last, v) - out_.neighbor.begin());
    }
  });
}

/// Sum of squared residuals of a fit to the height field (rho . u)² / 2, a cylinder of curvature 1.
double Builder::cylinder_cost(const dvec3* reference, int count, double angle, const dvec2& inverse) const {
  const dvec2 u(std::cos(angle), std::sin(angle));
  const auto height = [&](int k) {
    const double along = u.x * reference[k].x + u.y * reference[k].y;
    return 0.5 * along * along;
  };
  dvec2 slope(0);
  for (int k = 0; k < count; ++k) slope += height(k) * inverse * dvec2(reference[k].x, reference[k].y);
  double cost = 0;
  for (int k = 0; k < count; ++k) {
    const double left = height(k) - slope.x * reference[k].x - slope.y * reference[k].y;
    cost += left * left;
  }
  return cost;
}

void Builder::set_up(int v) {
  const int first = out_.start[v], count = out_.start[v + 1] - first;
  dmat3 moment(0);
  for (int k = 0; k < count; ++k) {
    const dvec3 d = edge(v, out_.neighbor[first + k]);
    moment += glm::outerProduct(d, d);
  }
  const dmat3 axes = principal_axes(moment);
  std::vector<dvec3> reference(count);
  dvec2 sums(0);
  double fourth = 0;
  for (int k = 0; k < count; ++k) {
    reference[k] = glm::transpose(axes) * edge(v, out_.neighbor[first + k]);
    const double x2 = reference[k].x * reference[k].x, y2 = reference[k].y * reference[k].y;
    sums += dvec2(x2, y2);
    fourth += (x2 + y2) * (x2 + y2);
  }
  if (!(sums.y > kThinnest * sums.x)) return;
  const dvec2 inverse = 1.0 / sums;
  double mean = 0, most = 0;
  for (int a = 0; a < kDirections; ++a) {
    const double cost = cylinder_cost(reference.data(), count, kPi / kDirections * a, inverse);
    mean += cost / kDirections;
    most = std::max(most, cost);
  }
  // At a free edge A absorbs the curvature across it, whose moment vanishes there anyway; the rest is along
  // the edge.
  const double full_ring = 0.25 * fourth * 3 / 8;  // mean of cos⁴ is 3/8
  const double cost = std::max(at_free_edge_[v] ? most : mean, full_ring / kMost);
  out_.stiffness[v] = float(area_[v] / cost);
  out_.inverse_moment[v] = vec2(inverse);
  for (int k = 0; k < count; ++k) out_.reference[first + k] = vec3(reference[k]);
}

BendingNeighborhoods Builder::build() {
  find_neighbors();
  link_back();
  out_.reference.assign(out_.neighbor.size(), vec3(0));
  out_.inverse_moment.assign(n_, vec2(0));
  out_.stiffness.assign(n_, 0.0f);
  oneapi::tbb::parallel_for(0, n_, [&](int v) { set_up(v); });
  return std::move(out_);
}

}  // namespace

BendingNeighborhoods bending_neighborhoods(const Topology& topology) { return Builder(topology).build(); }

// At rest g_j changes by R_j u - h_j dn with R_j u = u_j - u_i - sum_l (rho_j . q_l)(u_l - u_i), and n turns
// by no more than the columns of A move: |dn|² <= |da_1|² + |da_2|². For any a > 0 |dg_j|² <= (1 + a) |R_j
// u|² + (1 + 1/a) h_j² |dA|², and a = height over width of the neighbourhood makes little of either.
void bending_couplings(const BendingNeighborhoods& n, int v, std::vector<BendingCoupling>& out) {
  out.clear();
  const int first = n.start[v], count = n.start[v + 1] - first;
  const double k = n.stiffness[v];
  if (!(k > 0)) return;
  const dvec2 inverse(n.inverse_moment[v]);
  const vec3* reference = &n.reference[first];
  double height2 = 0;
  for (int j = 0; j < count; ++j) height2 += double(reference[j].z) * reference[j].z;
  const double a = std::max(1e-9, std::sqrt(height2 * inverse.x));
  std::vector<double> q(size_t(count) * count, 0.0), response(count);  // over u_j - u_v
  const auto add = [&](double weight) {
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) q[i * count + j] += weight * response[i] * response[j];
  };
  for (int j = 0; j < count; ++j) {
    for (int l = 0; l < count; ++l)
      response[l] = (l == j) - inverse.x * reference[j].x * reference[l].x -
                    inverse.y * reference[j].y * reference[l].y;
    add(k * (1 + a));
  }
  for (int axis = 0; axis < 2; ++axis) {
    for (int l = 0; l < count; ++l) response[l] = inverse[axis] * reference[l][axis];
    add(k * (1 + 1 / a) * height2);
  }
  for (int i = 0; i < count; ++i) {
    double to_center = 0;
    for (int j = 0; j < count; ++j) {
      to_center -= q[i * count + j];
      if (i != j) out.push_back({n.neighbor[first + i], n.neighbor[first + j], float(q[i * count + j])});
    }
    out.push_back({n.neighbor[first + i], v, float(to_center)});
    out.push_back({v, n.neighbor[first + i], float(to_center)});
  }
}

}  // namespace weft
