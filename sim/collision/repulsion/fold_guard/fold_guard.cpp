#include "sim/collision/repulsion/fold_guard/fold_guard.h"

#include <algorithm>

namespace weft {

namespace {
// fraction of the longest edge by which edges may always grow between two searches
constexpr float kGrows = 0.03f;
// fraction of the longest edge: error of closest points of triangles and edges in float32
constexpr float kMargin = 1e-5f;
}  // namespace

FoldGuard::FoldGuard(GrowingLists& lists, const Topology& t, const EdgeLists& layout)
    : device_(lists.device()),
      topology_(t),
      layout_(layout),
      pairs_list_(lists, "fold pairs", [this](int n) { give_room(n); }) {
  Device& device = device_;
  std::vector<float> rest;
  for (auto& e : t.edges) rest.push_back(glm::length(t.rest[e.x] - t.rest[e.y]));
  rest_ = Buffer<float>(device, "fold edges", rest);
  edges_ = Buffer<ivec2>(device, "fold edges", t.edges);
  triangles_ = Buffer<ivec3>(device, "fold triangles", t.triangles);
  std::vector<ivec2> places(t.edges.size(), ivec2(-1));
  for (size_t k = 0; k < layout.edge.size(); ++k)
    if (layout.edge[k] >= 0)
      (places[layout.edge[k]].x < 0 ? places[layout.edge[k]].x : places[layout.edge[k]].y) = int(k);
  places_ = Buffer<ivec2>(device, "fold edges", places);
  const int n = padded_rows(int(t.rest.size()));
  squeezed_ = Buffer<float>(device, "fold vertices", n);
  for (auto* b : {&safe_place_, &longest_}) *b = Buffer<float>(device, "fold edges", int(layout.edge.size()));
  for (auto* b : {&until_, &squeeze_, &reach_}) *b = Buffer<float>(device, "fold edges", int(t.edges.size()));
  pairs_list_.reserve(std::max(8192, 4 * int(t.rest.size())));
  for (auto* b : {&period_, &fresh_})
    *b = Buffer<repulsion::FoldPeriod>(device, "fold flags", std::vector<repulsion::FoldPeriod>{{.work = n}});
}

void FoldGuard::give_room(int pairs) {
  const int room = padded_rows(pairs);
  corner_ = Buffer<int>(device_, "fold pairs", buffer_size(4 * int64_t(room), "fold pairs"));
  for (auto* b : {&keep_, &three_}) *b = Buffer<float>(device_, "fold pairs", room);
  normal_ = Buffer<vec3>(device_, "fold pairs", room);  // last, since its size is the capacity
  ++moves_;
}

FoldGuard::Lists FoldGuard::upload(const FoldList& list, const char* name) {
  return {Buffer<int>(device_, name, list.start), Buffer<int>(device_, name, list.partner),
          Buffer<float>(device_, name, list.stretch)};
}

void FoldGuard::prepare(const RepulsionConstants& c, bool on) {
  const bool same = constants_.bound == c.bound && constants_.kept == c.kept &&
                    constants_.max_edge == c.max_edge && constants_.longest_edge == c.longest_edge;
  on_ = on;
  if (same) {
    constants_ = c;
    return;
  }
  const FoldPairs pairs = fold_pairs(topology_, c.kept, c.longest_edge);
  edge_list_ = upload(pairs.edges, "fold edge pairs");
  triangle_list_ = upload(pairs.triangles, "fold triangle pairs");
  triangle_edges_ = Buffer<ivec3>(device_, "fold triangles", pairs.triangle_edges);
  std::vector<float> safe, place(layout_.edge.size(), repulsion::kNeverUnsafe);
  for (size_t e = 0; e < topology_.edges.size(); ++e) {
    const ivec2 v = topology_.edges[e];
    safe.push_back(pairs.edge_stretch[e] * glm::length(topology_.rest[v.x] - topology_.rest[v.y]));
  }
  for (size_t k = 0; k < place.size(); ++k)
    if (layout_.edge[k] >= 0) place[k] = safe[layout_.edge[k]];
  safe_ = Buffer<float>(device_, "fold edges", safe);
  safe_place_ = Buffer<float>(device_, "fold edges", place);
  constants_ = c;  // last: lists without memory are made again
  ++moves_;
}

float FoldGuard::grows() const { return kGrows * constants_.max_edge; }

repulsion::FoldRows FoldGuard::rows() {
  return {safe_place_,
          longest_,
          squeezed_,
          {},
          on_ ? kReleasedShare : 1.0f,
          {&period_.span().data->needed, 1},
          {&period_.span().data->look, 1},
          on_ ? grows() : constants_.max_edge};
}

void FoldGuard::begin_period() {
  device_.copy(period_.span().data, fresh_.span().data, sizeof(repulsion::FoldPeriod));
}

void FoldGuard::search(Span<const vec3> base, Span<const vec3> u, Span<const vec3> motion) {
  if (!on_) return;
  device_.when(Span<const int>(&period_.span().data->needed, 1), [&] {
    launch(device_, "fold guard", edges_.size(),
           repulsion::EdgeReach{base, u, edges_, places_, longest_, rest_, safe_, squeezed_, until_, squeeze_,
                                reach_});
    // Each end may go as far as the budget, and the initial motion takes its share first.
    const float furthest = 2 * std::max(constants_.budget, constants_.initial_budget);
    const repulsion::FoldGeometry g{base,
                                    u,
                                    edges_,
                                    rest_,
                                    until_,
                                    squeeze_,
                                    reach_,
                                    squeezed_,
                                    motion,
                                    period_,
                                    kMargin * constants_.max_edge,
                                    1.01f * furthest / (1 - repulsion::kMotionShare),
                                    pairs(),
                                    pairs_list_.wanted()};
    launch(device_, "fold guard", edges_.size() + triangles_.size(),
           repulsion::GuardFolds{{g, edge_list_}, {g, triangle_list_, triangles_, triangle_edges_}});
  });
}

}  // namespace weft
