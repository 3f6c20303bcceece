// All vertex-triangle and edge-edge pairs within a distance, over cloth and obstacles together, on the
// device.
#pragma once
#include <vector>

#include "sim/collision/proximity/device_forest.h"
#include "sim/collision/proximity/pair_kernels.h"
#include "sim/device/growing_lists.h"

namespace weft {

/// The searched surface. Points below `obstacle_from` are cloth, the others belong to obstacles; a triangle
/// or an edge is one or the other.
struct SearchSurface {
  std::vector<vec3> positions;  // m, at the start: they determine the arrangement of the search's trees
  std::vector<ivec3> triangles;
  std::vector<ivec2> edges;  // each once
  int obstacle_from = 0;
  std::vector<char> inner = {};  // per point of cloth: not 0 where it has no pairs; empty: all may have
  // per point of cloth: the rigid body that it belongs to, within which there are no pairs, or -1; may be
  // empty
  std::vector<int> rigid = {};
};

/// Finds every vertex-triangle and every edge-edge pair within a radius, each once, without pairs that share
/// a vertex and without those of two obstacle primitives. Order: by vertex; by edge (of two cloth edges the
/// first in the trees, else that of the cloth); within a row in the order of the trees, so that the lists do
/// not depend on the course of the search. Points without a triangle are searched too. Primitives within
/// radius + margin are kept as candidates until some point has moved so far that a pair could be missing
/// (Wang 2023, section 3.1); a find in between costs the candidates' distances only.
class TriangleSearch {
 public:
  /// `lists` says after a step whether all pairs had room.
  TriangleSearch(GrowingLists& lists, const SearchSurface& surface);

  /// Pairs at `positions` (m, one per point). Allocates nothing and does not read the device. `margin`: extra
  /// width of collected candidates; larger means rarer collection and more expensive searches. With a radius
  /// of 0 or less, or a non-finite position, nothing is found. `towards`: targets of the points (m), if
  /// known: candidates then last for part of the paths. The result does not depend on it. `active`: per
  /// point, not 0 where its pairs are wanted. Empty: all are. Else pairs are missing of points that `covered`
  /// tells: of those that are not active, and of some that have become so in the last few searches.
  void find(Span<const vec3> positions, float radius, float margin, Span<const vec3> towards = {},
            Span<const int> active = {});
  void find(Span<const vec3> positions, float radius) { find(positions, radius, 0.5f * radius); }

  /// From now on pairs of which all four points have a mark in common (bits, per point) are no pairs. Empty:
  /// none is left out. Not from within a recorded sequence. `parted`: see left_out_and_near.
  void leave_out(const std::vector<int>& marks, float parted = 0);
  /// From now on pairs of parts with a radius of their own are found further apart than `radius` of find by
  /// what those are wider (PartRadii::width), at most `widest` (m) in all, but for those beside each other
  /// over a part. Not from within a recorded sequence. The radii must outlive their use.
  void widen(const PartRadii& radii, float widest);
  bool widened() const { return excluded_.radii.any(); }
  /// Per point the marks of excluded pairs that were closer than `parted` (m) in some search since leave_out,
  /// so have not separated yet. Empty if nothing is excluded. Waits for the device.
  std::vector<int> left_out_and_near() const {
    return excluded_.still_near.size() > 0 ? excluded_.still_near.download() : std::vector<int>();
  }

  PairList vertex_triangle() const { return triangle_.list(); }
  PairList edge_edge() const { return edge_.list(); }

  /// Lists per point of the pairs of the last find; only on demand, since it costs about half as much as a
  /// find.
  void list_per_point();
  PointPairs vertex_triangle_of_points() const { return {triangle_.point.start, triangle_.point.entry}; }
  PointPairs edge_edge_of_points() const { return {edge_.point.start, edge_.point.entry}; }

  /// Reserves this many pairs and candidates of each kind.
  void make_room(int pairs, int candidates);
  /// As GrowingLists::fit, of the lists of this search alone.
  bool fits();
  /// Forgets the candidates.
  void drop_candidates();
  /// Number of collections of candidates, on the device.
  Span<const int> rebuilds() const { return candidates_.rebuilds; }
  /// Per point: not 0 where the last find has all of its pairs.
  Span<const int> covered() const { return candidates_.covered; }
  /// One element: not 0 where it has not those of every point.
  Span<const int> partial() const { return {&candidates_.coverage.span().data->partial, 1}; }
  /// One element: not 0 where the last find has found a pair.
  Span<const int> any() const { return {&candidates_.coverage.span().data->any, 1}; }
  /// Changes when memory moves.
  int moves() const { return moves_; }

 private:
  /// One kind of pair: candidates by row (vertex or edge), pairs by row, pairs by point.
  struct Kind {
    int rows = 0, seconds = 0;  // vertices and triangles; edges and edges
    bool lines = false;         // whether there are edges without triangles
    Buffer<int> count;          // per row
    struct CandidatesByRow {
      Buffer<int> start, points, item, count;
      Buffer<float> distance, support;
    } candidate;
    struct PairsByRow {
      Buffer<int> start, count, support;
      Buffer<ivec4> points;
      Buffer<ivec2> primitives, feature;
      Buffer<float> distance;
    } pair;
    struct PairsByPoint {
      Buffer<int> around_start, around;  // triangles or edges of each point
      Buffer<int> count, start, entry;
    } point;
    /// Pairs by second primitive.
    struct PairsBySecond {
      Buffer<int> begin, end, pair;
      Buffer<uint32_t> key;  // that primitive
    } second;
    triangle_search::CandidateRows candidate_rows();
    PairList list() const;
  };
  /// What candidates hold good for.
  struct Candidates {
    Buffer<vec3> at, to;                         // path of each point that they cover
    Buffer<int> covered;                         // per point
    Buffer<int> bits;                            // per block: items with a covered point
    Buffer<triangle_search::Coverage> coverage;  // one element, as the next
    Buffer<int> stale, rebuilds;
    Buffer<float> reach;  // m
  };
  /// Blocks near each block that searches.
  struct NearLists {
    Buffer<int> count, start, blocks, total;
    Buffer<uint16_t> bits;
  };
  struct Exclusions {
    Buffer<int> marks, still_near;  // per point; empty if nothing is excluded
    float parted = 0;               // m
    Buffer<int> rigid;              // rigid body of each point, or -1; empty: there is none
    PartRadii radii;                // see widen()
    float widest = 0;               // m, of a pair
  };
  void collect_candidates(Span<const vec3> positions, Span<const vec3> towards, float reach,
                          Span<const int> active);
  void cover(Span<const vec3> positions, Span<const vec3> towards, float reach, Span<const int> active);
  void mark_blocks();
  /// `reach`: see NoteRoom.
  void scan_and_note(Span<const int> count, Span<int> start, int capacity, const GrowingList& list,
                     Span<int> noted, Span<float> reach = {});
  void widen_boxes();
  void choose_owners();
  void leave_out_thin(Kind& kind, bool vertex_triangle, Span<const vec3> positions, float radius);
  template <bool kEdges>
  void list_pairs(Kind& kind, Span<const vec3> positions, float radius);
  template <bool kEdges>
  void list_points(Kind& kind);
  void give_near_blocks(int blocks);
  void give_candidates(Kind& kind, const char* name, int candidates);
  void give_pairs(Kind& kind, const char* name, int pairs);

  GrowingLists& all_lists_;
  Device& device_;
  DeviceForest forest_;
  int points_ = 0, moves_ = 0;
  NearLists near_;
  Kind triangle_, edge_;
  Candidates candidates_;
  Exclusions excluded_;
  GrowingList near_blocks_list_, triangle_candidates_, edge_candidates_, triangle_pairs_, edge_pairs_;
};

}  // namespace weft
