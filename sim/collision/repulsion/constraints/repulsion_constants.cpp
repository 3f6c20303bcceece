#include "sim/collision/repulsion/constraints/repulsion_constants.h"

#include <algorithm>
#include <cmath>

namespace weft {

EdgeRange edge_range(const Topology& t) {
  EdgeRange r{1e30f, 0, 0};
  double sum = 0;
  for (auto& e : t.edges) {
    const float length = glm::length(t.rest[e.y] - t.rest[e.x]);
    r.shortest = std::min(r.shortest, length);
    r.longest = std::max(r.longest, length);
    sum += double(length);
  }
  r.mean = t.edges.empty() ? 0 : float(sum / double(t.edges.size()));
  return r;
}

RepulsionConstants repulsion_constants(const RepulsionParams& p, const EdgeRange& edges, float kept) {
  // With the paper's numbers a rest edge may be as long as the bound B, which lets it stretch by sqrt(2).
  const float longest_at_rest = p.max_edge / std::sqrt(2.0f);
  RepulsionConstants c;
  c.scale = std::max(edges.mean / p.reference_edge, edges.longest / longest_at_rest);
  if (!(c.scale > 0)) c.scale = 1;
  const float s = c.scale, s2 = s * s;
  c.max_edge = s * p.max_edge;
  c.bound = c.max_edge / std::sqrt(2.0f);
  c.kept = std::min(c.bound, kept);
  if (c.kept < c.bound) c.max_edge = std::sqrt(2.0f) * c.kept;
  c.distance = c.bound + s * p.tightening;
  c.longest_edge = p.resampling ? 2 * c.max_edge : c.max_edge;
  // in time: before the edge is held at L
  c.resample_from = std::min(s * p.resample_from, 0.95f * c.max_edge);
  // without any the barrier would have no slope
  c.slack = std::clamp(s2 * p.slack, 1e-6f * c.max_edge * c.max_edge, 0.6f * c.max_edge * c.max_edge);
  c.soft_distance = std::sqrt(c.distance * c.distance + c.slack);
  c.soft_edge = std::sqrt(c.max_edge * c.max_edge - c.slack);
  c.condition = s2 * p.condition;
  c.step_limit = s * p.step_limit;
  c.barrier = s2 * p.barrier;
  // A budget of a quarter of the bound keeps the lists short; six steps of the paper's D fit into it.
  const float most = 0.25f * c.bound;
  c.steps_per_search = std::clamp(int(most / c.step_limit + 0.01f), 1, 6);
  c.budget = std::max({float(c.steps_per_search) * c.step_limit, most, s * p.move_limit});
  // By default no more than its part for one step, so that none is used up before the next search, and left
  // behind by its neighbours.
  c.move_limit = p.move_limit > 0 ? s * p.move_limit : c.budget / float(c.steps_per_search);
  c.search_radius = c.distance + 2 * c.budget;
  c.initial_squeeze = 0.05f;
  c.off_the_map = p.resampling ? c.initial_squeeze * c.max_edge : 0;
  c.initial_budget =
      std::max(0.0f, 0.5f * ((1 - c.initial_squeeze) * c.search_radius - c.distance) - c.off_the_map);
  return c;
}

}  // namespace weft
