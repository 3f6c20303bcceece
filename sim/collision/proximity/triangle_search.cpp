#include "sim/collision/proximity/triangle_search.h"

#include <algorithm>

#include "sim/device/primitives.h"
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
  block_count_ = Buffer<int>(device, "near blocks", forest_.shape().query_blocks);
  block_start_ = Buffer<int>(device, "near blocks", forest_.shape().query_blocks + 1);
  near_count_ = Buffer<int>(device, "near blocks", 1);
  for (auto* b : {&candidates_.at, &candidates_.to}) *b = Buffer<vec3>(device, "search points", points_);
  candidates_.covered = Buffer<int>(device, "search points", points_);
  candidates_.bits = Buffer<int>(device, "search blocks", forest_.shape().blocks);
  candidates_.coverage = Buffer<Coverage>(device, "search flags", 1);
  for (auto* b : {&candidates_.stale, &candidates_.rebuilds}) *b = Buffer<int>(device, "search flags", 1);
  candidates_.reach = Buffer<float>(device, "search reach", 1);
  triangle_.rows = points_;
  triangle_.seconds = int(surface.triangles.size());
  edge_.rows = edge_.seconds = int(surface.edges.size());
  for (Kind* k : {&triangle_, &edge_}) {
    const bool edges = k == &edge_;
    const int* corners = edges ? reinterpret_cast<const int*>(surface.edges.data())
                               : reinterpret_cast<const int*>(surface.triangles.data());
    const int stride = edges ? 2 : 3;
    HostAdjacency around = build_adjacency(points_, corners, k->seconds, stride);
    for (int& entry : around.entry) entry = 4 * (entry / stride) + entry % stride;
    k->around_start = Buffer<int>(device, "triangles and edges of points", around.start);
    k->around = Buffer<int>(device, "triangles and edges of points", around.entry);
    for (auto* b : {&k->second_begin, &k->second_end})
      *b = Buffer<int>(device, "pairs of points", k->seconds + 1);
    k->count = Buffer<int>(device, "search rows", k->rows);
    k->candidate_start = Buffer<int>(device, "search rows", k->rows + 1);
    k->pair_start = Buffer<int>(device, "search rows", k->rows + 1);
    k->candidate_count = Buffer<int>(device, "search rows", 1);
    k->pair_count = Buffer<int>(device, "search rows", 1);
    k->point_count = Buffer<int>(device, "pairs of points", points_);
    k->point_start = Buffer<int>(device, "pairs of points", points_ + 1);
  }
  const int vertices = std::max(surface.obstacle_from, kFewestItems),
            edges = std::max(cloth_edges(surface), kFewestItems);
  near_blocks_list_.reserve(std::max(1, forest_.shape().query_blocks * kBlocksPerBlock));
  triangle_candidates_.reserve(kTriangleCandidates * vertices),
      triangle_pairs_.reserve(kTrianglePairs * vertices);
  edge_candidates_.reserve(kEdgeCandidates * edges), edge_pairs_.reserve(kEdgePairs * edges);
}

void TriangleSearch::give_near_blocks(int blocks) {
  near_blocks_ = {};
  bits_ = Buffer<uint16_t>(device_, "near items", buffer_size(int64_t(blocks) * kLanes, "near items"));
  near_blocks_ = Buffer<int>(device_, "near blocks", blocks);
  ++moves_;
  drop_candidates();
}

void TriangleSearch::give_candidates(Kind& kind, const char* name, int candidates) {
  const int padded = padded_rows(candidates);
  kind.item = {};
  kind.points = Buffer<int>(device_, name, buffer_size(4 * int64_t(padded), name));
  kind.candidate_distance = Buffer<float>(device_, name, padded);
  kind.candidate_support = Buffer<float>(device_, name, padded);
  kind.item = Buffer<int>(device_, name, padded);
  ++moves_;
  drop_candidates();
}

void TriangleSearch::give_pairs(Kind& kind, const char* name, int pairs) {
  kind.pair_points = {};
  kind.primitives = Buffer<ivec2>(device_, name, pairs);
  kind.support = Buffer<int>(device_, name, pairs);
  kind.distance = Buffer<float>(device_, name, pairs);
  if (&kind == &triangle_) kind.feature = Buffer<ivec2>(device_, name, pairs);
  kind.second = Buffer<int>(device_, name, pairs);
  kind.second_key = Buffer<uint32_t>(device_, name, pairs);
  kind.entry = Buffer<int>(device_, name, buffer_size(4 * int64_t(pairs), name));
  kind.pair_points = Buffer<ivec4>(device_, name, pairs);
  kind.pair_count.clear();
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
  parted_ = parted;
  if (marks.empty() && left_out_.size() == 0) return;
  if (int(marks.size()) == left_out_.size()) {
    still_near_.clear();
    return left_out_.upload(marks);
  }
  left_out_ = marks.empty() ? Buffer<int>() : Buffer<int>(device_, "excluded points", marks);
  still_near_ = marks.empty() ? Buffer<int>() : Buffer<int>(device_, "excluded points", points_);
  ++moves_;
}

CandidateRows TriangleSearch::Kind::candidate_rows() { return {candidate_start, points, item}; }

PairList TriangleSearch::Kind::list() const {
  return {pair_count, pair_points, primitives, support, distance};
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
         MovedItems{forest_.corner(), forest_.used(), candidates_.covered, bits, 0});
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
      launch_counted(device_, "candidates", k->pair_count, k->pair_points.size(),
                     CoverPartners{k->pair_points, c.covered});
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
  for (const ivec2& level : forest_.shape().levels)
    launch(device_, "search boxes", level.y * kLanes,
           NodeBoxes{forest_.child(), forest_.used(), forest_.boxes(), forest_.shape().leaf_blocks,
                     level.x * kLanes});
  NearBlocks near{.forest = forest_.view(),
                  .reach = reach,
                  .count = block_count_,
                  .start = block_start_,
                  .blocks = near_blocks_,
                  .moved = bits};
  launch(device_, "near blocks", forest_.shape().query_blocks, near);
  scan_and_note(block_count_, block_start_, near_blocks_.size(), near_blocks_list_, near_count_, c.reach);
  near.fill = true;
  launch(device_, "near blocks", forest_.shape().query_blocks, near);
  const int slots = forest_.shape().query_blocks * kLanes;
  launch(device_, "near items", slots,
         NearItems{.forest = forest_.view(),
                   .reach = reach,
                   .block_start = block_start_,
                   .blocks = near_blocks_,
                   .active = bits,
                   .bits = bits_,
                   .triangle_count = triangle_.count,
                   .edge_count = edge_.count});
  scan_and_note(triangle_.count, triangle_.candidate_start, triangle_.item.size(), triangle_candidates_,
                triangle_.candidate_count, c.reach);
  scan_and_note(edge_.count, edge_.candidate_start, edge_.item.size(), edge_candidates_,
                edge_.candidate_count, c.reach);
  launch(device_, "candidates", slots,
         WriteCandidates{forest_.view(), block_start_, near_blocks_, bits_, triangle_.candidate_rows(),
                         edge_.candidate_rows()});
}

template <bool kEdges>
void TriangleSearch::list_pairs(Kind& kind, Span<const vec3> positions, float radius) {
  launch_counted(device_, "test candidates", kind.candidate_count, kind.item.size(),
                 TestCandidates<kEdges>{positions, kind.points, radius, kind.candidate_distance,
                                        kind.candidate_support});
  if (left_out_.size() > 0)
    launch_counted(device_, "test candidates", kind.candidate_count, kind.item.size(),
                   LeaveOut{kind.points, left_out_, kind.candidate_distance, parted_, kind.candidate_support,
                            still_near_});
  launch(device_, "count pairs", kind.rows,
         CountPairs{kind.candidate_start, kind.candidate_support, kind.count});
  scan_and_note(kind.count, kind.pair_start, kind.pair_points.size(), kEdges ? edge_pairs_ : triangle_pairs_,
                kind.pair_count);
  launch(device_, "list pairs", kind.rows,
         ListPairs{kind.candidate_rows(), kind.candidate_distance, kind.candidate_support, kind.pair_start,
                   kind.pair_points, kind.primitives, kind.support, kind.distance, kind.feature});
}

void TriangleSearch::find(Span<const vec3> positions, float radius, float margin, Span<const vec3> towards,
                          Span<const int> active) {
  if (!(radius > 0)) {
    triangle_.pair_count.clear();
    edge_.pair_count.clear();
    launch(device_, "list pairs", 1, NoteAny{triangle_.pair_count, edge_.pair_count, candidates_.coverage});
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
  launch_counted(
      device_, "owners", triangle_.pair_count, triangle_.pair_points.size(),
      ChooseOwners{triangle_.pair_start, triangle_.pair_points, triangle_.feature, triangle_.support});
  list_pairs<true>(edge_, positions, radius);
  launch(device_, "list pairs", 1, NoteAny{triangle_.pair_count, edge_.pair_count, c.coverage});
}

template <bool kEdges>
void TriangleSearch::list_points(Kind& kind) {
  const int room = kind.pair_points.size();
  // A sort of the whole list, however few pairs there are: 2 % of a step of descent on a CPU, and on a GPU it
  // takes no longer where a large triangle has thousands.
  for (auto* b : {&kind.second_begin, &kind.second_end}) b->clear();
  launch(device_, "pairs of points", room,
         KeySeconds{kind.pair_count, kind.primitives, kind.seconds, kind.second_key, kind.second});
  sort_pairs(device_, kind.second_key, kind.second);
  launch(device_, "pairs of points", room, FindSeconds{kind.second_key, kind.second_begin, kind.second_end});
  ListOfPoint<kEdges> list{
      kind.around_start, kind.around, kind.pair_start, kind.second_begin, kind.second_end,
      kind.second,       room,        false,           kind.point_count,  kind.point_start,
      kind.entry};
  launch(device_, "pairs of points", points_, list);
  exclusive_scan(device_, kind.point_count, kind.point_start);
  list.fill = true;
  launch(device_, "pairs of points", points_, list);
}

void TriangleSearch::list_per_point() {
  for (Kind* kind : {&triangle_, &edge_}) kind->point_start.clear();
  device_.when(triangle_.pair_count, [&] { list_points<false>(triangle_); });
  device_.when(edge_.pair_count, [&] { list_points<true>(edge_); });
}

}  // namespace weft
