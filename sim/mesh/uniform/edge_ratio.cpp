#include "sim/mesh/uniform/edge_ratio.h"

#include <algorithm>
#include <cmath>

#include "sim/base/work_watch.h"

namespace weft {
namespace {

struct EdgeExtremes {
  double least = 1e300, most = 0;
};
EdgeExtremes extremes_of_edges(const std::vector<dvec3>& x, const std::vector<ivec2>& edges) {
  EdgeExtremes e;
  for (const ivec2& edge : edges) {
    const dvec3 d = x[edge.x] - x[edge.y];
    const double squared = glm::dot(d, d);
    e.least = std::min(e.least, squared), e.most = std::max(e.most, squared);
  }
  return {std::sqrt(e.least), std::sqrt(e.most)};
}

/// r^(2^doublings).
double power(double r, int doublings) {
  for (int i = 0; i < doublings; ++i) r *= r;
  return r;
}

/// One power b = 2^doublings: gradient and weights per vertex, gathered over the edges in their order.
class Descent {
 public:
  explicit Descent(RatioProblem& problem)
      : p_(problem), push_(p_.x.size()), weight_(p_.x.size()), previous_(p_.x), start_(p_.x.size() + 1, 0) {
    for (const ivec3& t : p_.triangles)
      for (int k = 0; k < 3; ++k) ++start_[t[k] + 1];
    for (size_t v = 1; v < start_.size(); ++v) start_[v] += start_[v - 1];
    across_.resize(3 * p_.triangles.size());
    std::vector<int> next(start_.begin(), start_.end() - 1);
    for (const ivec3& t : p_.triangles)
      for (int k = 0; k < 3; ++k) across_[next[t[k]]++] = {t[(k + 1) % 3], t[(k + 2) % 3]};
  }

  void forget_momentum() { previous_ = p_.x; }

  void step(int doublings, double momentum) {
    const double middle = balance(doublings);
    std::fill(push_.begin(), push_.end(), dvec3(0));
    std::fill(weight_.begin(), weight_.end(), 0.0);
    const double b = std::ldexp(1.0, doublings);
    for (const ivec2& edge : p_.edges) {
      if (!p_.movable[edge.x] && !p_.movable[edge.y]) continue;
      const dvec3 d = p_.x[edge.x] - p_.x[edge.y];
      const double squared = std::max(glm::dot(d, d), 1e-12 * middle * middle);
      const double a = power(std::min(squared / (middle * middle), 16.0), doublings - 1), inverse = 1 / a;
      const dvec3 force = b * (a - inverse) / squared * d;    // E' along the edge
      const double weight = b * b * (a + inverse) / squared;  // E'', its leading part
      push_[edge.x] -= force, push_[edge.y] += force;
      weight_[edge.x] += weight, weight_[edge.y] += weight;
    }
    const double longest = 0.05 * middle;  // per step, so that no triangle turns over
    for (size_t v = 0; v < p_.x.size(); ++v) {
      if (!p_.movable[v] || !(weight_[v] > 0)) continue;
      const dvec3& n = p_.normals[v];
      dvec3 move = kRelaxation / weight_[v] * push_[v] + momentum * (p_.x[v] - previous_[v]);
      move -= glm::dot(move, n) * n;
      if (const double length = glm::length(move); length > longest) move *= longest / length;
      previous_[v] = p_.x[v];
      if (keeps_triangles(v, p_.x[v] + move, middle)) p_.x[v] += move;
    }
  }

  /// L of the energy, where lengthening and shortening of all edges balance: any other would blow the mesh up
  /// or shrink it.
  double balance(int doublings) const {
    const EdgeExtremes e = extremes_of_edges(p_.x, p_.edges);
    // near enough, so that no power overflows
    const double middle = std::max(std::sqrt(e.least * e.most), 0.3 * e.most);
    double above = 0, below = 0;
    for (const ivec2& edge : p_.edges) {
      const dvec3 d = p_.x[edge.x] - p_.x[edge.y];
      const double squared = std::max(glm::dot(d, d) / (middle * middle), 1e-2);
      const double a = power(squared, doublings - 1);
      above += a, below += 1 / a;
    }
    return middle * std::exp(0.5 * std::ldexp(std::log(above / below), -doublings));
  }

  void project() {
    if (!p_.project) return;
    for (size_t v = 0; v < p_.x.size(); ++v)
      if (p_.movable[v]) p_.project(int(v), p_.x[v]);
    forget_momentum();
  }

 private:
  /// No triangle around a vertex becomes flatter than a quarter of an even one, unless it was and gets
  /// better.
  bool keeps_triangles(size_t v, const dvec3& to, double middle) const {
    const double least = 0.1 * middle * middle;
    for (int i = start_[v]; i < start_[v + 1]; ++i) {
      const dvec3 b = p_.x[across_[i].x], c = p_.x[across_[i].y];
      const double after = glm::dot(glm::cross(b - to, c - to), p_.normals[v]);
      if (after < least && after < glm::dot(glm::cross(b - p_.x[v], c - p_.x[v]), p_.normals[v]))
        return false;
    }
    return true;
  }

  static constexpr double kRelaxation = 0.5;
  RatioProblem& p_;
  std::vector<dvec3> push_;
  std::vector<double> weight_;
  std::vector<dvec3> previous_;
  std::vector<int> start_;     // first of `across_` for each vertex
  std::vector<ivec2> across_;  // the other two corners of each triangle at a vertex
};

}  // namespace

double edge_ratio(const std::vector<dvec3>& x, const std::vector<ivec2>& edges) {
  const EdgeExtremes e = extremes_of_edges(x, edges);
  return e.most > 0 ? e.least / e.most : 0;
}

double improve_edge_ratio(RatioProblem& problem, int iterations) {
  if (problem.edges.empty()) return 1;
  Descent descent(problem);
  descent.project();
  std::vector<dvec3> best = problem.x;
  double best_ratio = edge_ratio(problem.x, problem.edges);
  for (int doublings = 2; doublings <= 7; ++doublings) {
    descent.forget_momentum();
    for (int i = 0; i < iterations; ++i) {
      WorkWatch::check();
      descent.step(doublings, 0.8);
      if (i % 20 != 19 && i + 1 != iterations) continue;
      descent.project();
      if (const double ratio = edge_ratio(problem.x, problem.edges); ratio > best_ratio)
        best_ratio = ratio, best = problem.x;
    }
  }
  problem.x = std::move(best);
  return best_ratio;
}

}  // namespace weft
