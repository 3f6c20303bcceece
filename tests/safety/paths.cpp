#include "tests/safety/paths.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "tests/safety/box_tree.h"
#include "tests/safety/path_pairs.h"

namespace weft::check {
namespace {

/// What a triangle stands for: of its corners and edges those that no earlier triangle stands for, so that
/// each feature is tested once. Edge k goes from corner k to the next.
struct Own {
  bool vertex[3] = {}, edge[3] = {};
};

std::vector<Own> share_out(std::span<const ivec3> triangles, size_t vertices) {
  std::vector<Own> own(triangles.size());
  std::vector<char> seen(vertices, 0);
  struct Edge {
    int low, high, triangle, k;
  };
  std::vector<Edge> edges;
  edges.reserve(3 * triangles.size());
  for (int t = 0; t < int(triangles.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      const int v = triangles[size_t(t)][k], w = triangles[size_t(t)][(k + 1) % 3];
      if (!std::exchange(seen[size_t(v)], char(1))) own[size_t(t)].vertex[k] = true;
      if (v != w) edges.push_back({std::min(v, w), std::max(v, w), t, k});
    }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.low, a.high, a.triangle, a.k) < std::tie(b.low, b.high, b.triangle, b.k);
  });
  for (size_t e = 0; e < edges.size(); ++e)
    if (e == 0 || edges[e].low != edges[e - 1].low || edges[e].high != edges[e - 1].high)
      own[size_t(edges[e].triangle)].edge[edges[e].k] = true;
  return own;
}

class PathSearch {
 public:
  PathSearch(std::span<const dvec3> start, std::span<const dvec3> end, const Surface& surface)
      : start_(start), end_(end), surface_(surface), own_(share_out(surface.triangles, start.size())) {
    for (size_t v = 0; v < start.size(); ++v) {
      vertex_box_.emplace_back();
      vertex_box_.back().add(start[v]), vertex_box_.back().add(end[v]);
    }
  }

  std::vector<PathContact> run() {
    std::vector<Box> boxes(surface_.triangles.size());
    for (size_t t = 0; t < boxes.size(); ++t)
      for (int k = 0; k < 3; ++k) boxes[t].add(vertex_box_[size_t(surface_.triangles[t][k])]);
    const BoxTree tree(std::move(boxes));
    tree.overlapping_pairs([&](int a, int b) { test(tree, a, b); });
    std::sort(found_.begin(), found_.end(), [](const PathContact& p, const PathContact& q) {
      return std::tie(p.time, p.vertices) < std::tie(q.time, q.vertices);
    });
    return std::move(found_);
  }

 private:
  void test(const BoxTree& tree, int a, int b) {
    const bool body_a = a >= surface_.cloth_count(), body_b = b >= surface_.cloth_count();
    if (body_a && body_b) return;
    body_ = body_a || body_b;
    vertices_of(a, b, tree.box(b));
    vertices_of(b, a, tree.box(a));
    edges_of(a, b);
  }

  void vertices_of(int a, int b, const Box& box) {
    const ivec3 &ta = surface_.triangles[size_t(a)], &tb = surface_.triangles[size_t(b)];
    if (is_line(tb)) return;  // who meets a line's middle with a point meets it with an edge, too
    for (int k = 0; k < 3; ++k) {
      const int v = ta[k];
      if (!own_[size_t(a)].vertex[k] || v == tb.x || v == tb.y || v == tb.z ||
          !vertex_box_[size_t(v)].overlaps(box))
        continue;
      const std::array<int, 4> four{v, tb.x, tb.y, tb.z};
      if (const auto time = vertex_meets_triangle(paths(four))) found_.push_back({false, four, *time, body_});
    }
  }

  void edges_of(int a, int b) {
    const ivec3 &ta = surface_.triangles[size_t(a)], &tb = surface_.triangles[size_t(b)];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        if (!own_[size_t(a)].edge[i] || !own_[size_t(b)].edge[j]) continue;
        const std::array<int, 4> four{ta[i], ta[(i + 1) % 3], tb[j], tb[(j + 1) % 3]};
        if (four[0] == four[2] || four[0] == four[3] || four[1] == four[2] || four[1] == four[3]) continue;
        if (!edge_box(four[0], four[1]).overlaps(edge_box(four[2], four[3]))) continue;
        if (const auto time = edge_meets_edge(paths(four))) found_.push_back({true, four, *time, body_});
      }
  }

  Box edge_box(int v, int w) const {
    Box box = vertex_box_[size_t(v)];
    box.add(vertex_box_[size_t(w)]);
    return box;
  }

  FourPaths paths(const std::array<int, 4>& four) const {
    FourPaths out;
    for (size_t k = 0; k < 4; ++k) out.start[k] = start_[size_t(four[k])], out.end[k] = end_[size_t(four[k])];
    return out;
  }

  std::span<const dvec3> start_, end_;
  Surface surface_;
  std::vector<Own> own_;
  std::vector<Box> vertex_box_;
  std::vector<PathContact> found_;
  bool body_ = false;
};

}  // namespace

std::vector<PathContact> find_path_contacts(std::span<const dvec3> start, std::span<const dvec3> end,
                                            const Surface& surface) {
  if (start.size() != end.size())
    throw Error(fmt::format("the states have {} and {} vertices", start.size(), end.size()), "",
                "give two states of the same mesh");
  check_input(start, surface);
  check_input(end, surface);
  return PathSearch(start, end, surface).run();
}

std::vector<PathContact> find_path_contacts(std::span<const vec3> start, std::span<const vec3> end,
                                            const Surface& surface) {
  return find_path_contacts(in_double(start), in_double(end), surface);
}

}  // namespace weft::check
