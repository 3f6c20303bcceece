// Keeps the momentum of cloth in flight, also while it meets itself.
#pragma once
#include "sim/collision/repulsion/momentum/momentum_kernels.h"
#include "sim/collision/repulsion/phases/soft_kernels.h"
#include "sim/linear/pieces.h"
#include "sim/methods/step_context.h"

namespace weft {

/// See momentum_kernels.h. Islands with a vertex that is pinned, pulled, or near a body stay as they are.
/// Only launches after the constructor.
class IslandMomentum {
 public:
  explicit IslandMomentum(StepContext&);
  /// What counts the pieces that no pin holds; to be filled in before the first balance.
  repulsion::FreePieces begin_step();
  /// To be set to 1 where y has other anchors than the coupling (one per vertex of the cloth).
  Span<float> anchored() { return anchored_; }
  /// Where x is, and what may hold it. Of `outside` the pins and anchors are filled in here.
  struct Place {
    Span<const vec3> u;  // m, of x
    repulsion::Outside outside;
  };
  /// Translates y.
  void balance(StepContext&, const Place&);
  /// Changes the velocity that the step will have. Not where x is further than `most` (m) from where momentum
  /// takes it: then D and K have held it back, and it has the speed with which it moves.
  void end_step(StepContext&, const Place&, float most);

 private:
  void join(const NeighborLists& pairs);
  void run(const repulsion::SumMomentum& sum, float most, Span<vec3> value);
  repulsion::SumMomentum sum_of(StepContext&, const Place&, Span<const vec3> d);
  Device& device_;
  Pieces pieces_;
  Buffer<int> island_, changed_, one_, pinned_, all_, free_;
  Buffer<float> sums_, anchored_;
  Buffer<vec3> mean_;
};

}  // namespace weft
