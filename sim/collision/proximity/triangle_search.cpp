#include "sim/collision/proximity/triangle_search.h"

#include <algorithm>

#include "sim/device/primitives.h"
#include "sim/device/run_kernels.h"
#include "sim/mesh/topology.h"

namespace weft {
namespace {

using namespace triangle_search;

/// Initial capacity per vertex or edge of the cloth: enough for cloth that lies on something. Lists grow on
/// demand.
constexpr int kTriangleCandidates = 4, kTrianglePairs = 2, kEdgeCandidates = 4, kEdgePairs = 2;
constexpr int kFewestItems = 64, kBlocksPerBlock = 16;
constexpr const char *kTriangleName = "vertex-triangle pairs", *kEdgeName = "edge-edge pairs";
/// Length of a point's path that candidates cover, as a fraction of their reach. With 1 candidates last about
/// three times as long as without.
constexpr float kSweep = 1;

int parts_of(int points) { return (points + CountMarked::kPart - 1) / CountMarked::kPart; }

int cloth_edges(const SearchSurface& s) {
  return int(
      std::count_if(s.edges.begin(), s.edges.end(), [&](const ivec2& e) { return e.x < s.obstacle_from; }));
}

}  // namespace

TriangleSearch::TriangleSearch(GrowingLists& lists, const SearchSurface& surface)
    : all_lists_(lists),
      device_(lists.device()),
      forest_(device_, "search blocks", build_forest(surface)),
      points_(int(surface.positions.size())),
      near_blocks_list_(lists, "near blocks", [this](int n) { give_near_blocks(n); }),
      triangle_candidates_(lists, kTriangleName,
                           [this](int n) { give_candidates(triangle_, kTriangleName, n); }),
      edge_candidates_(lists, kEdgeName, [this](int n) { give_candidates(edge_, kEdgeName, n); }),
      triangle_pairs_(lists, kTriangleName, [this](int n) { give_pairs(triangle_, kTriangleName, n); }),
      edge_pairs_(lists, kEdgeName, [this](int n) { give_pairs(edge_, kEdgeName, n); }) {
  Device& device = device_;
  if (!surface.rigid.empty()) {
    std::vector<int> rigid = surface.rigid;
    rigid.resize(size_t(points_), -1);
    excluded_.rigid = Buffer<int>(device, "rigid bodies", rigid);
  }
  near_.count = Buffer<int>(device, "near blocks", forest_.shape().query_blocks);
  near_.start = Buffer<int>(device, "near blocks", forest_.shape().query_blocks + 1);
  near_.total = Buffer<int>(device, "near blocks", 1);
  for (auto* b : {&candidates_.at, &candidates_.to}) *b = Buffer<vec3>(device, "search points", points_);
  candidates_.covered = Buffer<int>(device, "search points", points_);
  candidates_.bits = Buffer<int>(device, "search blocks", forest_.shape().blocks);
  candidates_.coverage = Buffer<Coverage>(device, "search flags", 1);
  for (auto* b : {&candidates_.stale, &candidates_.rebuilds}) *b = Buffer<int>(device, "search flags", 1);
  candidates_.reach = Buffer<float>(device, "search reach", 1);
  triangle_.rows = points_;
  triangle_.seconds = int(surface.triangles.size());
  edge_.rows = edge_.seconds = int(surface.edges.size());
  std::vector<char> bare(static_cast<size_t>(points_));  // points without triangles
  for (Kind* k : {&triangle_, &edge_}) {
    const bool edges = k == &edge_;
    const int* corners = edges ? reinterpret_cast<const int*>(surface.edges.data())
                               : reinterpret_cast<const int*>(surface.triangles.data());
    const int stride = edges ? 2 : 3;
    HostAdjacency around = build_adjacency(points_, corners, k->seconds, stride);
    if (edges)
      k->lines = std::any_of(surface.edges.begin(), surface.edges.end(), [&](const ivec2& e) {
        return bare[size_t(e.x)] && e.x < surface.obstacle_from;
      });
    else
      for (int p = 0; p < points_; ++p) bare[size_t(p)] = around.start[p] == around.start[p + 1];
    for (int& entry : around.entry) entry = 4 * (entry / stride) + entry % stride;
    k->point.around_start = Buffer<int>(device, "triangles and edges of points", around.start);
    k->point.around = Buffer<int>(device, "triangles and edges of points", around.entry);
    for (auto* b : {&k->second.begin, &k->second.end})
      *b = Buffer<int>(device, "pairs of points", k->seconds + 1);
    k->count = Buffer<int>(device, "search rows", k->rows);
    k->candidate.start = Buffer<int>(device, "search rows", k->rows + 1);
    k->pair.start = Buffer<int>(device, "search rows", k->rows + 1);
    k->candidate.count = Buffer<int>(device, "search rows", 1);
    k->pair.count = Buffer<int>(device, "search rows", 1);
    k->point.count = Buffer<int>(device, "pairs of points", points_);
    k->point.start = Buffer<int>(device, "pairs of points", points_ + 1);
  }
  const int vertices = std::max(surface.obstacle_from, kFewestItems),
            edges = std::max(cloth_edges(surface), kFewestItems);
  near_blocks_list_.reserve(std::max(1, forest_.shape().query_blocks * kBlocksPerBlock));
  triangle_candidates_.reserve(kTriangleCandidates * vertices),
      triangle_pairs_.reserve(kTrianglePairs * vertices);
  edge_candidates_.reserve(kEdgeCandidates * edges), edge_pairs_.reserve(kEdgePairs * edges);
}

void TriangleSearch::give_near_blocks(int blocks) {
  near_.blocks = {};
  near_.bits = Buffer<uint16_t>(device_, "near items", buffer_size(int64_t(blocks) * kLanes, "near items"));
  near_.blocks = Buffer<int>(device_, "near blocks", blocks);
  ++moves_;
  drop_candidates();
}

void TriangleSearch::give_candidates(Kind& kind, const char* name, int candidates) {
  const int padded = padded_rows(candidates);
  kind.candidate.item = {};
  kind.candidate.points = Buffer<int>(device_, name, buffer_size(4 * int64_t(padded), name));
  kind.candidate.distance = Buffer<float>(device_, name, padded);
  kind.candidate.support = Buffer<float>(device_, name, padded);
  kind.candidate.item = Buffer<int>(device_, name, padded);
  ++moves_;
  drop_candidates();
}

void TriangleSearch::give_pairs(Kind& kind, const char* name, int pairs) {
  kind.pair.points = {};
  kind.pair.primitives = Buffer<ivec2>(device_, name, pairs);
  kind.pair.support = Buffer<int>(device_, name, pairs);
  kind.pair.distance = Buffer<float>(device_, name, pairs);
  if (&kind == &triangle_) kind.pair.feature = Buffer<ivec2>(device_, name, pairs);
  kind.second.pair = Buffer<int>(device_, name, pairs);
  kind.second.key = Buffer<uint32_t>(device_, name, pairs);
  kind.point.entry = Buffer<int>(device_, name, buffer_size(4 * int64_t(pairs), name));
  kind.pair.points = Buffer<ivec4>(device_, name, pairs);
  kind.pair.count.clear();
  ++moves_;
  drop_candidates();
}

void TriangleSearch::make_room(int pairs, int candidates) {
  triangle_candidates_.reserve(candidates), triangle_pairs_.reserve(pairs);
  edge_candidates_.reserve(candidates), edge_pairs_.reserve(pairs);
}

bool TriangleSearch::fits() {
  return all_lists_.fit(
      {&near_blocks_list_, &triangle_candidates_, &edge_candidates_, &triangle_pairs_, &edge_pairs_});
}

void TriangleSearch::drop_candidates() { candidates_.reach.upload({-1.0f}); }

void TriangleSearch::leave_out(const std::vector<int>& marks, float parted) {
  excluded_.parted = parted;
  if (marks.empty() && excluded_.marks.size() == 0) return;
  if (int(marks.size()) == excluded_.marks.size()) {
    excluded_.still_near.clear();
    return excluded_.marks.upload(marks);
  }
  excluded_.marks = marks.empty() ? Buffer<int>() : Buffer<int>(device_, "excluded points", marks);
  excluded_.still_near = marks.empty() ? Buffer<int>() : Buffer<int>(device_, "excluded points", points_);
  ++moves_;
}

CandidateRows TriangleSearch::Kind::candidate_rows() {
  return {candidate.start, candidate.points, candidate.item};
}

PairList TriangleSearch::Kind::list() const {
  return {pair.count, pair.points, pair.primitives, pair.support, pair.distance};
}

void TriangleSearch::scan_and_note(Span<const int> count, Span<int> start, int capacity,
                                   const GrowingList& list, Span<int> noted, Span<float> reach) {
  exclusive_scan(device_, count, start);
  launch(device_, "search room", 1, NoteRoom{start, capacity, list.wanted(), noted, reach});
}

/// Blocks and nodes with covered points.
void TriangleSearch::mark_blocks() {
  const Span<int> bits = candidates_.bits;
  launch(device_, "search blocks", forest_.shape().leaf_blocks,
         MovedItems{forest_.corner(), forest_.used(), candidates_.covered, bits});
  for (const ivec2& level : forest_.shape().levels)
    launch(device_, "search blocks", level.y,
           MovedNodes{forest_.child(), forest_.used(), bits, forest_.shape().leaf_blocks, level.x});
}

/// Chooses the points whose pairs are collected.
void TriangleSearch::cover(Span<const vec3> positions, Span<const vec3> towards, float reach,
                           Span<const int> active) {
  Candidates& c = candidates_;
  launch(device_, "candidates", points_,
         NoteCandidates{.position = positions,
                        .towards = towards,
                        .sweep = kSweep * reach,
                        .active = active,
                        .coverage = c.coverage,
                        .at = c.at,
                        .to = c.to,
                        .covered = c.covered,
                        .reach = reach,
                        .noted_reach = c.reach,
                        .rebuilds = c.rebuilds});
  if (!active.empty())
    for (const Kind* k : {&triangle_, &edge_})
      launch_counted(device_, "candidates", k->pair.count, k->pair.points.size(),
                     CoverPartners{k->pair.points, c.covered});
  launch(device_, "candidates", parts_of(points_),
         CountMarked{c.covered, {}, {&c.coverage.span().data->covered, 1}});
  launch(device_, "candidates", 1, NoteCoverage{points_, c.coverage});
}

void TriangleSearch::collect_candidates(Span<const vec3> positions, Span<const vec3> towards, float reach,
                                        Span<const int> active) {
  Candidates& c = candidates_;
  cover(positions, towards, reach, active);
  Span<const int> bits;
  if (!active.empty()) mark_blocks(), bits = c.bits;
  launch(device_, "search boxes", forest_.shape().leaf_blocks * kLanes,
         ItemBoxes{c.at, c.to, forest_.corner(), forest_.boxes()});
  if (widened()) widen_boxes();
  for (const ivec2& level : forest_.shape().levels)
    launch(device_, "search boxes", level.y * kLanes,
           NodeBoxes{forest_.child(), forest_.used(), forest_.boxes(), forest_.shape().leaf_blocks,
                     level.x * kLanes});
  NearBlocks near{.forest = forest_.view(),
                  .reach = reach,
                  .count = near_.count,
                  .start = near_.start,
                  .blocks = near_.blocks,
                  .moved = bits};
  launch(device_, "near blocks", forest_.shape().query_blocks, near);
  scan_and_note(near_.count, near_.start, near_.blocks.size(), near_blocks_list_, near_.total, c.reach);
  near.fill = true;
  launch(device_, "near blocks", forest_.shape().query_blocks, near);
  const int slots = forest_.shape().query_blocks * kLanes;
  launch(device_, "near items", slots,
         NearItems{.forest = forest_.view(),
                   .reach = reach,
                   .block_start = near_.start,
                   .blocks = near_.blocks,
                   .active = bits,
                   .bits = near_.bits,
                   .triangle_count = triangle_.count,
                   .edge_count = edge_.count});
  scan_and_note(triangle_.count, triangle_.candidate.start, triangle_.candidate.item.size(),
                triangle_candidates_, triangle_.candidate.count, c.reach);
  scan_and_note(edge_.count, edge_.candidate.start, edge_.candidate.item.size(), edge_candidates_,
                edge_.candidate.count, c.reach);
  launch(device_, "candidates", slots,
         WriteCandidates{forest_.view(), near_.start, near_.blocks, near_.bits, triangle_.candidate_rows(),
                         edge_.candidate_rows()});
}

template <bool kEdges>
void TriangleSearch::list_pairs(Kind& kind, Span<const vec3> positions, float radius) {
  launch_counted(device_, "test candidates", kind.candidate.count, kind.candidate.item.size(),
                 TestCandidates<kEdges>{positions, kind.candidate.points, radius + excluded_.widest,
                                        kind.candidate.distance, kind.candidate.support});
  if (widened()) leave_out_thin(kind, !kEdges, positions, radius);
  if (!excluded_.rigid.empty())
    launch_counted(device_, "test candidates", kind.candidate.count, kind.candidate.item.size(),
                   LeaveOutBodies{kind.candidate.points, excluded_.rigid, kind.candidate.support});
  if (excluded_.marks.size() > 0)
    launch_counted(device_, "test candidates", kind.candidate.count, kind.candidate.item.size(),
                   LeaveOut{kind.candidate.points, excluded_.marks, kind.candidate.distance, excluded_.parted,
                            kind.candidate.support, excluded_.still_near});
  launch(device_, "count pairs", kind.rows,
         CountPairs{kind.candidate.start, kind.candidate.support, kind.count});
  scan_and_note(kind.count, kind.pair.start, kind.pair.points.size(), kEdges ? edge_pairs_ : triangle_pairs_,
                kind.pair.count);
  launch(device_, "list pairs", kind.rows,
         ListPairs{kind.candidate_rows(), kind.candidate.distance, kind.candidate.support, kind.pair.start,
                   kind.pair.points, kind.pair.primitives, kind.pair.support, kind.pair.distance,
                   kind.pair.feature});
}

void TriangleSearch::find(Span<const vec3> positions, float radius, float margin, Span<const vec3> towards,
                          Span<const int> active) {
  if (!(radius > 0)) {
    triangle_.pair.count.clear();
    edge_.pair.count.clear();
    launch(device_, "list pairs", 1, NoteAny{triangle_.pair.count, edge_.pair.count, candidates_.coverage});
    return;
  }
  Candidates& c = candidates_;
  c.stale.clear();
  launch(device_, "check candidates", points_,
         CheckCandidates{.position = positions,
                         .at = c.at,
                         .to = c.to,
                         .covered = active.empty() ? Span<const int>(c.covered) : Span<const int>(),
                         .reach = c.reach,
                         .radius = radius,
                         .stale = c.stale});
  launch(device_, "check candidates", 1, BeginCoverage{c.coverage});
  if (!active.empty()) {
    launch(device_, "check candidates", parts_of(points_),
           CountMarked{active, {}, {&c.coverage.span().data->active, 1}});
    launch(device_, "check candidates", parts_of(points_),
           CountMarked{active, c.covered, {&c.coverage.span().data->waiting, 1}});
    launch(device_, "check candidates", 1, CheckCoverage{points_, c.coverage, c.stale});
  }
  device_.when(c.stale, [&] { collect_candidates(positions, towards, radius + margin, active); });
  list_pairs<false>(triangle_, positions, radius);
  list_pairs<true>(edge_, positions, radius);
  choose_owners();
  launch(device_, "list pairs", 1, NoteAny{triangle_.pair.count, edge_.pair.count, c.coverage});
}

void TriangleSearch::choose_owners() {
  Kind::PairsByRow &triangles = triangle_.pair, &edges = edge_.pair;
  launch_counted(device_, "owners", triangles.count, triangles.points.size(),
                 ChooseOwners{triangles.start, triangles.points, triangles.feature, triangles.support});
  if (!edge_.lines) return;
  launch_counted(device_, "owners", edges.count, edges.points.size(),
                 ChooseLineOwners{.pair_start = edges.start,
                                  .points = edges.points,
                                  .primitives = edges.primitives,
                                  .triangles_start = triangle_.point.around_start,
                                  .edges_start = edge_.point.around_start,
                                  .edges = edge_.point.around,
                                  .support = edges.support});
}

template <bool kEdges>
void TriangleSearch::list_points(Kind& kind) {
  const int room = kind.pair.points.size();
  // A sort of the whole list, however few pairs there are: 2 % of a step of descent on a CPU, and on a GPU it
  // takes no longer where a large triangle has thousands.
  for (auto* b : {&kind.second.begin, &kind.second.end}) b->clear();
  launch(device_, "pairs of points", room,
         KeySeconds{kind.pair.count, kind.pair.primitives, kind.seconds, kind.second.key, kind.second.pair});
  sort_pairs(device_, kind.second.key, kind.second.pair);
  launch(device_, "pairs of points", room, KeyRuns{kind.second.key, kind.second.begin, kind.second.end});
  ListOfPoint<kEdges> list{kind.point.around_start,
                           kind.point.around,
                           kind.pair.start,
                           kind.second.begin,
                           kind.second.end,
                           kind.second.pair,
                           room,
                           false,
                           kind.point.count,
                           kind.point.start,
                           kind.point.entry};
  launch(device_, "pairs of points", points_, list);
  exclusive_scan(device_, kind.point.count, kind.point.start);
  list.fill = true;
  launch(device_, "pairs of points", points_, list);
}

void TriangleSearch::list_per_point() {
  for (Kind* kind : {&triangle_, &edge_}) kind->point.start.clear();
  device_.when(triangle_.pair.count, [&] { list_points<false>(triangle_); });
  device_.when(edge_.pair.count, [&] { list_points<true>(edge_); });
}

}  // namespace weft
