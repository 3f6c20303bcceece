#include "sim/geometry/crossing_search.h"

#include <algorithm>

#include "sim/device/primitives.h"
#include "sim/mesh/algorithms/crossing_triangles.h"

namespace weft {

using namespace crossing_search;

namespace {

constexpr int kLeaf = 8;           // most triangles of a leaf
constexpr int kFewestOpen = 1024;  // room for pairs that are open, and per triangle of the cloth
constexpr int kTrianglesPerOpen = 8;
constexpr int64_t kMostPairs = 1000000;  // that cross, as of crossing_triangles

Leaves leaves_for(int triangles) {
  Leaves leaves{0, triangles};
  while (int64_t(leaves.count()) * kLeaf < triangles) ++leaves.depth;
  return leaves;
}

/// 1 / mean edge of the first `own` triangles, 1/m.
float per_edge(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles, int own) {
  double sum = 0;
  for (int t = 0; t < own; ++t)
    for (int k = 0; k < 3; ++k)
      sum += double(glm::distance(positions[size_t(triangles[size_t(t)][k])],
                                  positions[size_t(triangles[size_t(t)][(k + 1) % 3])]));
  return sum > 0 ? float(3 * own / sum) : 0;
}

}  // namespace

CrossingSearch::CrossingSearch(Device& device, const std::vector<vec3>& positions,
                               std::vector<ivec3> triangles, int own, int body_points)
    : device_(device),
      host_triangles_(std::move(triangles)),
      own_(own),
      leaves_(leaves_for(int(host_triangles_.size()))),
      per_cell_(per_edge(positions, host_triangles_, own)) {
  const int count = int(host_triangles_.size());
  triangle_ = Buffer<ivec3>(device, "crossing triangles", host_triangles_);
  body_ = Buffer<vec3>(device, "crossing bodies", body_points);
  curve_.key = Buffer<uint32_t>(device, "crossing curve", count);
  curve_.triangle = Buffer<int>(device, "crossing curve", count);
  boxes_.of_triangle = Buffer<surface_tree::Box>(device, "crossing boxes", count);
  boxes_.of_node = Buffer<surface_tree::Box>(device, "crossing boxes", 2 * leaves_.count() - 1);
  found_.area = Buffer<int>(device, "crossings", own);
  found_.crossed = Buffer<int>(device, "crossings", own);
  found_.open = Buffer<ivec2>(device, "crossings", kFewestOpen + own / kTrianglesPerOpen);
  found_.tally = Buffer<Tally>(device, "crossings", 1);
  body_.upload({positions.end() - body_points, positions.end()});
  // What sorting needs beside its lists is there from now on.
  curve_.key.clear(), curve_.triangle.clear();
  sort_pairs(device_, curve_.key, curve_.triangle);
}

void CrossingSearch::place_bodies(const std::vector<vec3>& positions) { body_.upload(positions); }

void CrossingSearch::launch_all(const Surfaces& of) {
  const int count = triangle_.size();
  const OpenPairs open{found_.open, found_.tally};
  found_.tally.clear();
  launch(device_, "crossing areas", own_, Areas{of, open, found_.area, found_.crossed});
  launch(device_, "crossing curve", count, CurveKeys{of, per_cell_, curve_.key, curve_.triangle});
  sort_pairs(device_, curve_.key, curve_.triangle);
  launch(device_, "crossing boxes", leaves_.count(),
         TriangleBoxes{.of = of,
                       .leaves = leaves_,
                       .order = curve_.triangle,
                       .of_triangle = boxes_.of_triangle,
                       .of_node = boxes_.of_node});
  for (int nodes = leaves_.count() / 2; nodes > 0; nodes /= 2)
    launch(device_, "crossing boxes", nodes, surface_tree::NodeBoxes{nodes - 1, boxes_.of_node});
  launch(device_, "crossing pairs", leaves_.count(),
         Cross{.of = of,
               .open = open,
               .order = curve_.triangle,
               .area = found_.area,
               .of_triangle = boxes_.of_triangle,
               .of_node = boxes_.of_node,
               .crossed = found_.crossed,
               .leaves = leaves_});
}

std::vector<int> CrossingSearch::find(Span<const vec3> cloth) {
  left_all_ = false;
  tally_ = {};
  if (own_ == 0) return {};
  launch_all({cloth, body_.span(), triangle_.span(), own_});
  tally_ = found_.tally.download()[0];
  left_all_ = tally_.open > found_.open.size() || tally_.crowded || tally_.pairs >= kMostPairs;
  if (!left_all_ && tally_.pairs == 0 && tally_.open == 0) return {};
  std::vector<int> crossed = left_all_ ? on_host(cloth) : found_.crossed.download();
  if (!left_all_ && tally_.open > 0) decide(cloth, crossed);
  if (std::all_of(crossed.begin(), crossed.end(), [](int bits) { return bits == 0; })) crossed.clear();
  return crossed;
}

std::vector<vec3> CrossingSearch::positions(Span<const vec3> cloth) const {
  std::vector<vec3> x(static_cast<size_t>(cloth.size));
  if (!x.empty()) device_.download(x.data(), cloth.data, x.size() * sizeof(vec3));
  const std::vector<vec3> bodies = body_.download();
  x.insert(x.end(), bodies.begin(), bodies.end());
  return x;
}

void CrossingSearch::decide(Span<const vec3> cloth, std::vector<int>& crossed) const {
  const std::vector<vec3> x = positions(cloth);
  std::vector<ivec2> open = found_.open.download();
  open.resize(size_t(tally_.open));
  for (const ivec2& pair : open)
    if (pair_crosses(x, host_triangles_, pair)) mark_crossing(pair, own_, crossed);
}

std::vector<int> CrossingSearch::on_host(Span<const vec3> cloth) const {
  std::vector<int> crossed(static_cast<size_t>(own_), 0);
  for (const ivec2& pair : crossing_triangles(positions(cloth), host_triangles_, own_))
    mark_crossing(pair, own_, crossed);
  return crossed;
}

}  // namespace weft
