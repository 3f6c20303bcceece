#include "sim/collision/surface/lift_out.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "sim/base/disjoint_sets.h"
#include "sim/mesh/algorithms/crossing_triangles.h"
#include "sim/mesh/mesh.h"

namespace weft {
namespace {

constexpr int kRounds = 96;
constexpr float kStep = 0.25f;  // fraction of the clearance by which a round moves a vertex
constexpr float kAround = 3;    // mean edges: how far around it others go along, the less the further

vec3 normal_of(const std::vector<vec3>& x, const ivec3& t) {
  const dvec3 a(x[t.x]), n = glm::cross(dvec3(x[t.y]) - a, dvec3(x[t.z]) - a);
  const double size = glm::length(n);
  return size > 0 ? vec3(n / size) : vec3(0);
}

/// The part of a surface that lifting can reach, with the numbers that its triangles have in the whole.
struct Near {
  std::vector<ivec3> triangles;
  int own = 0;
};

Near near_part(const std::vector<vec3>& x, const std::vector<ivec3>& triangles, int own,
               const Bounds& place) {
  Near part;
  for (int i = 0; i < int(triangles.size()); ++i) {
    Bounds box;
    for (int k = 0; k < 3; ++k) box.add(x[triangles[i][k]]);
    if (!glm::all(glm::lessThanEqual(box.min, place.max)) ||
        !glm::all(glm::lessThanEqual(place.min, box.max)))
      continue;
    part.triangles.push_back(triangles[i]);
    part.own += i < own;
  }
  return part;
}

/// Points in cells of a grid, each in the 27 cells around it.
class Cells {
 public:
  explicit Cells(float side) : side_(side) {}
  void add(const vec3& p, int point) {
    const ivec3 c(glm::floor(p / side_));
    for (int k = 0; k < 27; ++k) cells_[key(c + ivec3(k % 3, k / 3 % 3, k / 9) - ivec3(1))].push_back(point);
  }
  const std::vector<int>* near(const vec3& p) const {
    const auto found = cells_.find(key(ivec3(glm::floor(p / side_))));
    return found == cells_.end() ? nullptr : &found->second;
  }

 private:
  static uint64_t key(const ivec3& c) {
    return uint64_t(uint32_t(c.x) & 0x1fffff) << 42 | uint64_t(uint32_t(c.y) & 0x1fffff) << 21 |
           uint64_t(uint32_t(c.z) & 0x1fffff);
  }
  float side_;
  std::unordered_map<uint64_t, std::vector<int>> cells_;
};

struct Lift {
  std::vector<vec3> way;                 // m so far, per point of the cloth
  std::vector<vec3> push;                // directions of this round, not of unit length; 0: none
  float step = 0, most = 0, around = 0;  // m

  /// Moves vertices that have a direction by a step, and vertices close to them by less: a smooth motion that
  /// moves layers along before they meet.
  void take(std::vector<vec3>& x) {
    Cells cells(around);
    for (size_t v = 0; v < way.size(); ++v) {
      const float size = glm::length(push[v]);
      push[v] = size > 1e-6f ? push[v] / size : vec3(0);
      if (size > 1e-6f) cells.add(x[v], int(v));
    }
    std::vector<vec3> steps(way.size(), vec3(0));
    for (size_t v = 0; v < way.size(); ++v)
      if (const std::vector<int>* near = cells.near(x[v])) steps[v] = step_of(x, int(v), *near);
    for (size_t v = 0; v < way.size(); ++v) {
      if (glm::length(way[v] + steps[v]) <= most) way[v] += steps[v], x[v] += steps[v];
      push[v] = vec3(0);
    }
  }
  vec3 step_of(const std::vector<vec3>& x, int v, const std::vector<int>& near) const {
    vec3 direction(0);
    float share = 0;
    for (const int w : near) {
      const float s = 1 - glm::length(x[w] - x[v]) / around;
      if (s > 0) direction += s * push[w], share = std::max(share, s);
    }
    const float size = glm::length(direction);
    return size > 1e-6f ? step * share / size * direction : vec3(0);
  }
};

/// Two triangles of the cloth have started to cross: the one lifted less follows the other.
void take_along(const ivec3& t, const ivec3& u, Lift& lift) {
  const auto way = [&](const ivec3& c) { return (lift.way[c.x] + lift.way[c.y] + lift.way[c.z]) / 3.0f; };
  const vec3 of_t = way(t), of_u = way(u);
  const bool t_leads = glm::dot(of_t, of_t) >= glm::dot(of_u, of_u);
  const vec3 direction = t_leads ? of_t : of_u;
  const ivec3& follows = t_leads ? u : t;
  for (int k = 0; k < 3; ++k) lift.push[follows[k]] += direction / (glm::length(direction) + 1e-20f);
}

float mean_edge(const std::vector<vec3>& x, const std::vector<ivec3>& triangles, int own) {
  double sum = 0;
  for (int i = 0; i < own; ++i)
    for (int k = 0; k < 3; ++k) sum += double(glm::length(x[triangles[i][k]] - x[triangles[i][(k + 1) % 3]]));
  return float(sum / std::max(1, 3 * own));
}

/// One round of lifting; true if no forbidden crossing is left.
bool lift_once(const Near& part, const std::vector<bool>& crossed_itself, std::vector<vec3>& x, Lift& lift) {
  bool crosses = false;
  for (const ivec2& pair : crossing_triangles(x, part.triangles, part.own)) {
    const ivec3 &t = part.triangles[pair.x], &u = part.triangles[pair.y];
    if (pair.y < part.own && (crossed_itself[pair.x] || crossed_itself[pair.y])) continue;
    crosses = true;
    if (pair.y < part.own) take_along(t, u, lift);
    else
      for (int k = 0; k < 3; ++k) lift.push[t[k]] += normal_of(x, u);
  }
  if (!crosses) return true;
  lift.take(x);
  return false;
}

/// Groups pairs that share vertices, directly or through others. Vertices of bodies join nothing: all of a
/// body hangs together.
std::vector<CrossingPlace> places_of(const std::vector<ivec2>& pairs, const std::vector<vec3>& positions,
                                     const std::vector<ivec3>& triangles, int own) {
  DisjointSets sets(int(positions.size()));
  std::set<int> crossed;
  for (const ivec2& pair : pairs) {
    const int anchor = triangles[pair.x].x;
    for (const int t : {pair.x, pair.y}) {
      if (t >= own) continue;
      crossed.insert(t);
      for (int k = 0; k < 3; ++k) sets.join(anchor, triangles[t][k]);
    }
  }
  std::map<int, std::pair<dvec3, int>> sums;
  for (const int t : crossed) {
    auto& [sum, count] = sums.try_emplace(sets.find(triangles[t].x), dvec3(0), 0).first->second;
    for (int k = 0; k < 3; ++k) sum += dvec3(positions[triangles[t][k]]) / 3.0;
    ++count;
  }
  std::vector<CrossingPlace> places;
  for (const auto& [first, own_sum] : sums)
    places.push_back({vec3(own_sum.first / double(own_sum.second)), own_sum.second});
  std::stable_sort(places.begin(), places.end(),
                   [](const CrossingPlace& a, const CrossingPlace& b) { return a.triangles > b.triangles; });
  return places;
}

}  // namespace

SurfaceCrossings surface_crossings(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                                   SurfaceCounts counts) {
  SurfaceCrossings out;
  std::set<int> own, in_bodies;
  const std::vector<ivec2> pairs = crossing_triangles(positions, triangles, counts.cloth_triangles);
  out.places = places_of(pairs, positions, triangles, counts.cloth_triangles);
  for (const ivec2& pair : pairs) {
    const bool body = pair.y >= counts.cloth_triangles;
    if (ivec2& first = body ? out.first_with_body : out.first_own; first.x < 0) first = pair;
    if (body) in_bodies.insert(pair.x);
    else own.insert({pair.x, pair.y});
    if (out.points.empty()) out.points.resize(positions.size(), 0);
    for (const int t : {pair.x, pair.y})
      for (int k = 0; k < 3; ++k) out.points[triangles[t][k]] |= body ? 2 : 1;
  }
  out.own = int(own.size()), out.with_bodies = int(in_bodies.size());
  return out;
}

LiftOut lift_out_of_bodies(std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                           SurfaceCounts counts, float clearance, float most) {
  LiftOut out;
  std::set<int> crossed;
  Bounds place;
  for (const ivec2& pair : crossing_triangles(positions, triangles, counts.cloth_triangles)) {
    if (pair.y < counts.cloth_triangles) continue;
    crossed.insert(pair.x);
    for (int k = 0; k < 3; ++k) place.add(positions[triangles[pair.x][k]]);
  }
  out.triangles = int(crossed.size());
  if (crossed.empty()) return out;
  place.min -= vec3(2 * most), place.max += vec3(2 * most);  // a layer that follows may move others
  const Near part = near_part(positions, triangles, counts.cloth_triangles, place);
  std::vector<vec3> x = positions;
  std::vector<bool> crossed_itself(part.triangles.size(), false);
  for (const ivec2& pair : crossing_triangles(x, part.triangles, part.own))
    if (pair.y < part.own) crossed_itself[pair.x] = crossed_itself[pair.y] = true;
  const size_t n = size_t(counts.cloth_points);
  Lift lift{std::vector<vec3>(n, vec3(0)), std::vector<vec3>(n, vec3(0)), kStep * clearance, most,
            kAround * mean_edge(x, part.triangles, part.own)};
  bool given = false, has_room = false;
  for (int round = 0; round < kRounds && !has_room; ++round) {
    if (!lift_once(part, crossed_itself, x, lift)) continue;
    has_room = given;
    if (given) break;
    for (size_t v = 0; v < n; ++v) lift.push[v] = lift.way[v];  // extra clearance for the first steps
    lift.take(x);
    given = true;
  }
  if (!has_room) return out;
  for (const vec3& way : lift.way) out.farthest = std::max(out.farthest, glm::length(way));
  positions = std::move(x);
  out.moved = true;
  return out;
}

}  // namespace weft
