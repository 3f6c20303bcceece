#include "sim/dressing/openings.h"

#include <algorithm>
#include <map>

#include "sim/mesh/sides.h"

namespace weft {
namespace {

constexpr double kOn = 10;     // m, by which limbs go on beyond their tips
constexpr double kTip = 0.08;  // m before its tip from which a limb's direction is taken

double volume(const dvec3& a, const dvec3& b, const dvec3& c, const dvec3& d) {
  return glm::dot(glm::cross(b - a, c - a), d - a);
}

/// 1 where the segment pq goes through triangle abc from its back to its front, -1 the other way, else 0.
int passes(const dvec3& p, const dvec3& q, const dvec3& a, const dvec3& b, const dvec3& c) {
  const double at_p = volume(a, b, c, p), at_q = volume(a, b, c, q);
  if ((at_p < 0) == (at_q < 0)) return 0;
  const bool u = volume(p, q, a, b) < 0, v = volume(p, q, b, c) < 0, w = volume(p, q, c, a) < 0;
  if (u != v || v != w) return 0;
  return at_p < 0 ? 1 : -1;
}

std::vector<dvec3> path_of(const Limb& limb, const std::vector<vec3>& body) {
  std::vector<dvec3> points;
  for (const int v : limb.path) points.push_back(dvec3(body[v]));
  const dvec3 tip = points.back();
  dvec3 from = tip;
  for (size_t i = points.size(); i-- > 0 && glm::length(from - tip) < kTip;) from = points[i];
  if (const double length = glm::length(tip - from); length > 0)
    points.push_back(tip + kOn / length * (tip - from));
  return points;
}

}  // namespace

std::vector<std::vector<int>> boundary_lines(const std::vector<ivec3>& triangles) {
  std::map<int, std::vector<int>> next;
  for_each_edge(triangles, [&](auto sides) {
    const auto [a, b] = sides[0].edge;
    if (sides.size() == 1) next[a].push_back(b), next[b].push_back(a);
  });
  const auto take = [&](int a, int b) {
    std::erase(next[a], b), std::erase(next[b], a);
    return b;
  };
  std::vector<int> ends;
  for (const auto& [v, others] : next)
    if (others.size() == 1) ends.push_back(v);
  for (const int end : ends)  // no opening
    for (int v = end; next[v].size() == 1;) v = take(v, next[v][0]);
  std::vector<std::vector<int>> lines;
  for (auto& [first, others] : next)
    while (!others.empty()) {
      std::vector<int>& line = lines.emplace_back(1, first);
      for (int v = take(first, others[0]); v != first && !next[v].empty(); v = take(v, next[v][0]))
        line.push_back(v);
    }
  return lines;
}

std::vector<std::vector<int>> passages(const std::vector<std::vector<int>>& openings,
                                       const std::vector<vec3>& cloth, const BodyLimbs& limbs,
                                       const std::vector<vec3>& body) {
  std::vector<std::vector<dvec3>> paths;
  for (const Limb& limb : limbs.limbs) paths.push_back(path_of(limb, body));
  std::vector<std::vector<int>> out;
  for (const std::vector<int>& line : openings) {
    dvec3 middle(0);
    for (const int v : line) middle += dvec3(cloth[v]) / double(line.size());
    middle += dvec3(3.1e-5, 4.7e-5, 5.9e-5);  // off planes of symmetry
    std::vector<int>& own = out.emplace_back(paths.size(), 0);
    for (size_t l = 0; l < paths.size(); ++l)
      for (size_t i = 0; i + 1 < paths[l].size(); ++i)
        for (size_t k = 0; k < line.size(); ++k)
          own[l] += passes(paths[l][i], paths[l][i + 1], middle, dvec3(cloth[line[k]]),
                           dvec3(cloth[line[(k + 1) % line.size()]]));
  }
  return out;
}

bool is_used(const std::vector<int>& own) {
  return std::any_of(own.begin(), own.end(), [&](int n) { return n != own[0]; });
}

}  // namespace weft
