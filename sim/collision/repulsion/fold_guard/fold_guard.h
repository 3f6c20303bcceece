// Keeps neighbouring triangles apart, for which the distances of vertices do not suffice.
#pragma once
#include "sim/collision/repulsion/constraints/repulsion_constants.h"
#include "sim/collision/repulsion/fold_guard/exempt_pairs.h"
#include "sim/collision/repulsion/fold_guard/fold_kernels.h"
#include "sim/collision/repulsion/fold_guard/fold_pairs.h"
#include "sim/device/growing_lists.h"

namespace weft {

/// Exact guard against folds. At every search, edges that are stretched so far that something near could
/// cross them are examined exactly, and planes are placed between primitives that could meet before the next
/// search. Elsewhere the distances of vertices are sufficient proof.
class FoldGuard {
 public:
  /// `edges`: the layout of the lists that rows() speaks of.
  FoldGuard(GrowingLists& lists, const Topology& topology, const EdgeLists& edges);
  /// Takes a while where constants are new: about a second per 50,000 vertices. Not from within a recorded
  /// sequence.
  void prepare(const RepulsionConstants& constants, bool on);
  /// Requests no examination and limits no motion. Before rows() are written.
  void begin_period();
  repulsion::FoldRows rows();
  /// Distance below its maximum length at which an edge starts to resist (m).
  float soft_reach() const { return on_ ? 0.5f * grows() : 0.0f; }
  /// After rows() were written: collects pairs if needed. `base`, `u`: see ConstraintRows; `motion`: the
  /// first motion of each vertex (m); may be empty.
  void search(Span<const vec3> base, Span<const vec3> u, Span<const vec3> motion);
  /// Pairs of the present period; launched by pairs().count.
  repulsion::FoldPairSpan pairs() {
    return {corner_, normal_, keep_, three_, {&period_.span().data->pairs, 1}};
  }
  int capacity() const { return normal_.size(); }
  /// One element: not 0 if there is anything to examine, here or for samples.
  Span<const int> to_look() const { return {&period_.span().data->look, 1}; }
  /// One element: the share of the motion that is safe.
  Span<const float> scale() const { return {&period_.span().data->scale, 1}; }
  /// One element: the rows of all vertices in whole slices, and the pairs behind them.
  Span<const int> work() const { return {&period_.span().data->work, 1}; }
  Span<const float> longest() const { return longest_; }
  /// Changes when memory moves.
  int moves() const { return moves_; }

 private:
  struct Lists {
    Buffer<int> start, partner;
    Buffer<float> stretch;
    operator repulsion::FoldRow() const { return {start, partner, stretch}; }
  };
  float grows() const;
  void give_room(int pairs);
  Lists upload(const FoldList& list, const char* name);

  Device& device_;
  const Topology& topology_;
  EdgeLists layout_;
  RepulsionConstants constants_;
  Lists edge_list_, triangle_list_;
  Buffer<ivec2> edges_, places_;
  Buffer<ivec3> triangles_, triangle_edges_;
  Buffer<float> rest_, safe_, safe_place_, longest_, squeezed_, until_, squeeze_, reach_;
  Buffer<repulsion::FoldPeriod> period_, fresh_;  // one element each; fresh: initial state of a period
  Buffer<int> corner_;                            // corners of pairs, see FoldPairSpan
  Buffer<vec3> normal_;
  Buffer<float> keep_, three_;
  bool on_ = true;
  int moves_ = 0;
  GrowingList pairs_list_;
};

}  // namespace weft
