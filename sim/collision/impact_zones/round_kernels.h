// Kernels of the rounds: detection of impacts, what moves, and what is blocked.
#pragma once
#include "sim/collision/impact_zones/zone_solver_kernels.h"
#include "sim/collision/proximity/pair_list.h"
#include "sim/device/saturating_sum.h"

namespace weft::impact_zones {

/// Bits per point, for the next detection: it has a new displacement; its pairs are tested again.
constexpr int kMoved = 1, kLookedAt = 2;

/// Course of a time step, on the device.
struct Progress {
  int go_on = 0;       // 1: another round
  int holding = 0;     // 1: another cut
  int near = 1;        // 0: points are to move too far for a search
  int rounds = 0;      // of zone solving
  int found = 0;       // impacts of the last detection
  int hard = 0;        // those of them that touch
  int fixed = 0;       // impacts that the zone solver cannot move
  int fixed_hard = 0;  // those of them that touch
  int first = 0;       // where they begin in the list
  int listed = 0;      // impacts of all rounds
  int wanted = 0;      // the room that they need
  int all_found = 0;   // sum over detections
  int fewest = 0, since_fewest = 0, soft_rounds = 0;
  int left = 0;                    // impacts when rounds ended that touch
  int unsolved = 0;                // 1: they are neither blocked
  int cuts = 0;                    // detections while points were blocked
  int zones = 0, zone_points = 0;  // of the last round
  int iterations = 0;              // of the zone solver: sum over rounds of the most of a zone
  int blocked = 0;                 // points that were blocked
  ZoneSolves solves;               // sums over rounds; `most` is that of any round
};

/// When rounds end.
struct RoundLimits {
  int rounds = 200;
  int without_gain = 40;       // rounds without fewer impacts than ever before
  int soft = 4;                // rounds for impacts within the gap that do not touch
  int budget = 0;              // impacts in the list
  bool may_hold = true;        // points are blocked where impacts remain
  bool may_hold_fixed = true;  // the same where all that remains is between bodies and pinned points
};

/// Displacements of all points. Points that stay where they are keep x0 exactly.
struct BeginRounds {
  Span<const vec3> base, displacement, body, body_target;
  int cloth_points = 0;
  Span<vec3> x0, x1, aim, d, y;
  Span<int> cut, moved;
  HD void operator()(int p) const {
    const bool cloth = p < cloth_points;
    x0[p] = cloth ? base[p] : body[p - cloth_points];
    d[p] = cloth ? displacement[p] : body_target[p - cloth_points] - x0[p];
    x1[p] = cloth ? x0[p] + d[p] : body_target[p - cloth_points];  // as the step's end rounds it
    y[p] = d[p], aim[p] = x1[p];
    cut[p] = 0, moved[p] = 0;
  }
};

struct BeginProgress {
  Span<Progress> progress;
  HD void operator()(int) const { progress[0] = {}; }
};

/// How far points of the cloth are to move beside the first of them, m.
struct DistancesBeside {
  Span<const vec3> d;
  Span<float> distance;  // per point of the cloth
  HD void operator()(int v) const {
    const vec3 beside = d[v] - d[0];
    distance[v] = sqrtf(glm::dot(beside, beside));
  }
};

/// Whether these distances are too long for a search: boxes around them would overlap nearly all others.
struct JudgeDistances {
  Span<const float> farthest;  // m
  float most = 0;              // m
  Span<Progress> progress;
  HD void operator()(int) const {
    const bool near = farthest[0] <= most;
    progress[0].near = near ? 1 : 0;
    progress[0].unsolved = near ? 0 : 1;
  }
};

/// True if none of the points moves: then the pair stays as far apart as it was.
HD inline bool at_rest(const vec3 start[4], const vec3 end[4]) {
  for (int k = 0; k < 4; ++k)
    if (start[k] != end[k]) return false;
  return true;
}

HD inline void gather(const ivec4& points, Span<const vec3> x0, Span<const vec3> x1, vec3 start[4],
                      vec3 end[4]) {
  for (int k = 0; k < 4; ++k) start[k] = x0[points[k]], end[k] = x1[points[k]];
}

/// 1 for each pair that impacts.
struct TestPairs {
  PairList pairs;
  bool edges = false;
  Span<const vec3> x0, x1;
  float gap = 0;
  Span<int> flags;
  HD void operator()(int i) const {
    vec3 start[4], end[4];
    gather(pairs.points[i], x0, x1, start, end);
    flags[i] = !at_rest(start, end) && pair_times(start, end, edges, gap).near <= 1 ? 1 : 0;
  }
};

/// A point against a plane, in closed form: heights are linear in time.
struct PlaneTimes {
  float before = 0, after = 0;  // m
  float near = kNoImpact;
  bool touches = false;
  HD PlaneTimes(const ContactPlane& plane, const vec3& x0, const vec3& x1, float gap) {
    before = glm::dot(plane.normal, x0) - plane.offset;
    after = glm::dot(plane.normal, x1) - plane.offset;
    const float least = fminf(gap, fmaxf(0.5f * before, 0.0f));
    if (!(after < least && after < before)) return;
    near = before > least ? (before - least) / (before - after) * (1 - 8 * FLT_EPSILON) : 0.0f;
    touches = after < 0;
  }
};

/// 1 for each point of the cloth (rows of the first plane, then of the next) that impacts a plane.
struct TestPlanes {
  Span<const ContactPlane> planes;
  Span<const vec3> x0, x1;
  Span<const float> inverse_mass;
  int cloth_points = 0;
  float gap = 0;
  Span<int> flags;
  HD void operator()(int row) const {
    const int p = row % cloth_points;
    flags[row] =
        inverse_mass[p] > 0 && PlaneTimes(planes[row / cloth_points], x0[p], x1[p], gap).near <= 1 ? 1 : 0;
  }
};

struct BeginList {
  Span<const int> found;
  int capacity = 0;
  Span<Progress> progress;
  Span<int> wanted;  // one element: the room that the lists of all steps need
  HD void operator()(int) const {
    Progress& p = progress[0];
    p.found = found[0], p.hard = 0, p.fixed = 0, p.fixed_hard = 0;
    p.first = p.listed;
    p.wanted = glm::max(p.wanted, saturating_sum(p.first, p.found));
    p.listed = glm::min(capacity, p.wanted);
    wanted[0] = glm::max(wanted[0], p.wanted);
    p.all_found = saturating_sum(p.all_found, p.found);
  }
};

/// Appends the impacts that were found.
struct ListImpacts {
  PairList vertex_triangle, edge_edge;
  Span<const ContactPlane> planes;
  Span<const int> index;  // into pairs of both kinds, then rows of planes
  Span<const vec3> x0, x1;
  Span<const float> inverse_mass;
  int cloth_points = 0;
  float gap = 0, thickness = 0;
  Span<Impact> list;
  Span<Progress> progress;
  HD void operator()(int r) const {
    const int at = progress[0].first + r;
    if (at >= list.size) return;
    Impact j = find(index[r]);
    j.owner = -1;
    for (int k = 3; k >= 0; --k)
      if (j.points[k] >= 0 && inverse_mass[j.points[k]] > 0 && j.weight[k] != 0) j.owner = k;
    list[at] = j;
    if (j.owner < 0) atomic_add(&progress[0].fixed, 1);
    if (j.owner < 0 && j.hard) atomic_add(&progress[0].fixed_hard, 1);
    if (j.hard) atomic_add(&progress[0].hard, 1);
  }
  HD Impact find(int i) const {
    const int triangles = vertex_triangle.capacity(), edges = edge_edge.capacity();
    if (i >= triangles + edges) return with_plane(i - triangles - edges);
    const bool edge = i >= triangles;
    const ivec4 points = edge ? edge_edge.points[i - triangles] : vertex_triangle.points[i];
    vec3 start[4], end[4];
    gather(points, x0, x1, start, end);
    return pair_impact(points, start, end, edge, pair_times(start, end, edge, gap), thickness);
  }
  HD Impact with_plane(int row) const {
    const int p = row % cloth_points;
    const ContactPlane plane = planes[row / cloth_points];
    const PlaneTimes t(plane, x0[p], x1[p], gap);
    Impact j;
    j.points.x = p;
    j.weight[0] = 1;
    j.normal = plane.normal;
    j.start = t.before;
    j.height = thickness + fminf(t.before, 0.0f);  // from below, up by no more than the thickness
    j.time = t.near;
    j.hard = t.touches;
    return j;
  }
};

/// Whether another round follows.
struct DecideRound {
  RoundLimits limits;
  bool first = false;  // the detection before all rounds
  int capacity = 0;
  Span<const int> rows, zones;
  Span<const ZoneSolves> solves;  // of the round
  Span<Progress> progress;
  HD void operator()(int) const {
    Progress& p = progress[0];
    if (first) {
      p.fewest = p.found;
    } else {
      ++p.rounds;
      p.zones = zones[0], p.zone_points = rows[0], p.iterations += solves[0].most;
      add_solves(p.solves, solves[0]);
      p.since_fewest = p.found < p.fewest ? 0 : p.since_fewest + 1;
      p.fewest = glm::min(p.fewest, p.found);
      p.soft_rounds = p.hard > 0 ? 0 : p.soft_rounds + 1;
    }
    p.left = p.hard;
    p.go_on = p.found > p.fixed && p.rounds < limits.rounds && p.since_fewest < limits.without_gain &&
              p.soft_rounds < limits.soft && p.listed <= limits.budget && p.wanted <= capacity;
    const bool remains = !p.go_on && p.hard > 0 && p.wanted <= capacity;
    p.holding = remains && (limits.may_hold || (limits.may_hold_fixed && p.hard == p.fixed_hard));
    p.unsolved = remains && !p.holding;
  }
  HD static void add_solves(ZoneSolves& sum, const ZoneSolves& round) {
    sum.most = glm::max(sum.most, round.most);
    sum.zones += round.zones;
    sum.in_10 += round.in_10, sum.in_34 += round.in_34, sum.in_100 += round.in_100;
  }
};

/// Positions of points whose displacement has changed. On its own, since the step's end adds the stored
/// displacement: in the kernel that computes it, a fused multiplication and addition would round otherwise.
struct Follow {
  Span<const int> moved;
  Span<const vec3> x0, d;
  Span<vec3> x1;
  HD void operator()(int p) const {
    if (moved[p] & kMoved) x1[p] = x0[p] + d[p];
  }
};

/// Impacts that the zone solver cannot move, since all their weight is on bodies and pinned points, must be
/// found again by the next detection.
struct LookAgain {
  ImpactList list;
  Span<const Progress> progress;
  Span<int> moved;
  HD void operator()(int i) const {
    const Impact& j = list.impact[i];
    if (i < progress[0].first || j.owner >= 0 || !j.hard) return;
    for (int k = 0; k < 4; ++k)
      if (j.points[k] >= 0) atomic_or(&moved[j.points[k]], kLookedAt);
  }
};

// Holding back. A cut is 0.9 of the path to the first impact of a point's zone; after three a point stays
// where it was at the start.
// Bodies and pinned points are cut only where the points on the other side all stay: bodies as a whole, pins
// each for itself.

constexpr int kCuts = 3;
constexpr int kMostHolds = 60;  // detections while points are blocked; then everything stays
constexpr float kShare = 0.9f;

HD inline bool stays(int cut) { return cut >= kCuts; }

/// First times at which zones, and what does not follow the solver, must end.
struct FindFirst {
  ImpactList list;
  Span<const Progress> progress;
  Span<const float> inverse_mass;
  Span<const int> label, cut;
  Span<const int> body_of;  // per point of a body, its body
  int cloth_points = 0;
  Span<float> zone_first;   // per label
  Span<float> point_first;  // per pinned point
  Span<float> body_first;   // per body
  HD void operator()(int i) const {
    if (i < progress[0].first) return;
    const Impact& j = list.impact[i];
    if (!j.hard) return;
    for (int k = 0; k < 4; ++k)
      if (j.points[k] >= 0 && inverse_mass[j.points[k]] > 0 && !stays(cut[j.points[k]]))
        return atomic_min(&zone_first[label[j.points[k]]], j.time);
    for (int k = 0; k < 4; ++k) {
      const int p = j.points[k];
      if (p < 0 || inverse_mass[p] > 0) continue;
      if (p < cloth_points) atomic_min(&point_first[p], j.time);
      else atomic_min(&body_first[body_of[p - cloth_points]], j.time);
    }
  }
};

/// Applies the cuts.
struct Cut {
  Span<const float> inverse_mass;
  Span<const int> label, body_of;
  Span<const float> zone_first, point_first, body_first;
  int cloth_points = 0;
  Span<vec3> d;
  Span<int> cut, moved;
  Span<Progress> progress;
  HD void operator()(int p) const {
    const bool body = p >= cloth_points, all = progress[0].cuts >= kMostHolds;
    const float first = body                  ? body_first[body_of[p - cloth_points]]
                        : inverse_mass[p] > 0 ? zone_first[label[p]]
                                              : point_first[p];
    moved[p] = 0;
    if (stays(cut[p]) || !(all || first <= 1)) return;
    if (!body && cut[p] == 0) atomic_add(&progress[0].blocked, 1);
    cut[p] = all ? kCuts : cut[p] + 1;
    moved[p] = kMoved;
    d[p] = stays(cut[p]) ? vec3(0) : (kShare * first) * d[p];
  }
};

struct DecideHold {
  int capacity = 0;
  Span<Progress> progress;
  HD void operator()(int) const {
    Progress& p = progress[0];
    ++p.cuts;
    p.holding = p.hard > 0 && p.wanted <= capacity;
  }
};

/// Sets every element to no time at all.
struct NoTimes {
  Span<float> time;
  HD void operator()(int i) const { time[i] = kNoImpact; }
};

/// What the step gets: displacements of the cloth, positions of bodies.
struct EndRounds {
  Span<const vec3> x1, d;
  int cloth_points = 0;
  Span<vec3> displacement, body;
  HD void operator()(int p) const {
    if (p < cloth_points) displacement[p] = d[p];
    else body[p - cloth_points] = x1[p];
  }
};

}  // namespace weft::impact_zones
