// Two sheets, and the collision process of vertex repulsion alone, for tests of it.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/collision/repulsion/collision_steps.h"
#include "sim/collision/repulsion/fold_guard/exempt_pairs.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/mesh/topology.h"

namespace weft::testing {

/// Two flat sheets of 4.2 mm edges and `side` (m), the upper one turned, `gap` (m) apart.
struct Sheets {
  std::vector<vec3> start;
  Topology topology;
  std::vector<ivec2> apart;  // vertices that are not within two edges of each other
  explicit Sheets(float gap, float side = 0.06f, const char* pattern = "equilateral") {
    TriMesh lower = make_grid({side, side}, 0.0042f, pattern), upper = lower;
    for (vec3& p : lower.positions) p = vec3(p.x, 0, -p.y);
    for (vec3& p : upper.positions) p = vec3(0.9f * p.x - 0.43f * p.y, gap, -0.43f * p.x - 0.9f * p.y);
    for (auto* mesh : {&lower, &upper})
      start.insert(start.end(), mesh->positions.begin(), mesh->positions.end());
    topology = build_topology({{"lower", lower}, {"upper", upper}});
    const auto exempt = exempt_pairs(topology);
    for (int i = 0; i < size(); ++i)
      for (int j = 0; j < i; ++j)
        if (!std::binary_search(exempt[size_t(i)].begin(), exempt[size_t(i)].end(), j))
          apart.push_back({i, j});
  }
  int size() const { return int(start.size()); }
};

/// Displacements that push the sheets into each other.
inline std::vector<vec3> pushed_into_each_other(const Sheets& s) {
  std::vector<vec3> target;
  for (int i = 0; i < s.size(); ++i)
    target.push_back(
        vec3(0, i < s.size() / 2 ? 0.01f : -0.01f, 0.002f * std::sin(300 * s.start[size_t(i)].x)));
  return target;
}

/// The collision steps of vertex repulsion on the two sheets, in a time step that has begun.
struct Process {
  Process(Device& device, const Sheets& sheets, const RepulsionParams& params)
      : device(device),
        n(sheets.size()),
        growing(device),
        steps(growing, sheets.topology),
        position(device, "positions", sheets.start),
        kinematic(device, "kinematic", n) {
    steps.prepare(params);
    steps.search().make_room(96, 512);  // lists that grow begin a time step anew
    begin(sheets.start);
  }
  void begin(const std::vector<vec3>& start) {
    position.upload(start);
    steps.begin(position.span(), kinematic.span());
  }
  void advance(const std::vector<vec3>& target, int count) {
    Buffer<vec3> y(device, "target", target);
    steps.advance(y.span(), count);
    REQUIRE(growing.fit());
  }
  /// One time step; again with more room where that was too little. Returns the positions, from which the
  /// next begins.
  std::vector<vec3> step(const std::vector<vec3>& target, int count) {
    const Buffer<vec3> y(device, "target", target);
    do {
      steps.begin(position.span(), kinematic.span());
      steps.advance(y.span(), count);
    } while (!growing.fit());
    std::vector<vec3> x = position.download();
    const std::vector<vec3> moved = u();
    for (size_t v = 0; v < x.size(); ++v) x[v] += moved[v];
    position.upload(x);
    return x;
  }
  /// Points between vertices that were kept apart in the last time step.
  int active() { return steps.samples().count().size ? download(steps.samples().count()) : 0; }
  int download(Span<const int> one) {
    int value = 0;
    device.download(&value, one.data, sizeof value);
    return value;
  }
  std::vector<vec3> u() { return displacements(steps.u().data); }
  std::vector<vec3> displacements(const vec3* at) {
    std::vector<vec3> values(static_cast<size_t>(n));
    device.download(values.data(), at, values.size() * sizeof(vec3));
    return values;
  }
  int count(RepulsionCount which) {
    std::vector<int> values(kRepulsionCounts);
    device.download(values.data(), steps.counts().data, values.size() * sizeof(int));
    return values[size_t(which)];
  }
  Device& device;
  int n;
  GrowingLists growing;
  CollisionSteps steps;
  Buffer<vec3> position;
  Buffer<int> kinematic;
};

/// Least distance of vertices that are not exempt along start + u0 -> start + u1, by all pairs in double.
inline double least_distance(const Sheets& s, const std::vector<vec3>& start, const std::vector<vec3>& u0,
                             const std::vector<vec3>& u1) {
  double least = 1e30;
  for (const ivec2& p : s.apart) {
    const size_t i = size_t(p.x), j = size_t(p.y);
    const dvec3 base = dvec3(start[i]) - dvec3(start[j]), a = base + dvec3(u0[i]) - dvec3(u0[j]),
                d = base + dvec3(u1[i]) - dvec3(u1[j]) - a;
    const double t = std::clamp(-glm::dot(a, d) / (glm::dot(d, d) + 1e-60), 0.0, 1.0);
    least = std::min(least, glm::length(a + t * d));
  }
  return least;
}
inline double least_distance(const Sheets& s, const std::vector<vec3>& u0, const std::vector<vec3>& u1) {
  return least_distance(s, s.start, u0, u1);
}

inline double longest_edge(const Sheets& s, const std::vector<vec3>& start, const std::vector<vec3>& u) {
  double longest = 0;
  for (auto& e : s.topology.edges)
    longest = std::max(longest, glm::length(dvec3(start[size_t(e.x)]) + dvec3(u[size_t(e.x)]) -
                                            dvec3(start[size_t(e.y)]) - dvec3(u[size_t(e.y)])));
  return longest;
}
inline double longest_edge(const Sheets& s, const std::vector<vec3>& u) {
  return longest_edge(s, s.start, u);
}

}  // namespace weft::testing
