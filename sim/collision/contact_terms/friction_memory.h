// Friction memory across time steps: sticking cloth is held by the accumulated slip of its contacts since
// they began.
#pragma once
#include "sim/collision/contact_terms/term_kernels.h"
#include "sim/device/growing_lists.h"
#include "sim/scene/model/state.h"

namespace weft {

/// Friction state of contact from one step to the next (part of the state's carry): for each pair in
/// contact, identified by its primitives, and for each vertex of the cloth on each plane, the extension of
/// the friction spring as a fraction of dt squared (m/s^2). The spring of a contact (Cundall and Strack 1979)
/// is extended by the slip of all steps until its force reaches Coulomb's limit. If it were reset in every
/// step, cloth would creep by the spring's extension, step after step. Springs are kept as they lie in the
/// world when a step ends, and turn with what they stick to in the next (PairTurn, ContactPlane::slip).
class FrictionMemory {
 public:
  /// `vertices` of the cloth, `points` of cloth and bodies, `planes` with the ground.
  FrictionMemory(GrowingLists& lists, State& state, int vertices, int points, int planes);
  ~FrictionMemory();
  FrictionMemory(const FrictionMemory&) = delete;

  /// Allocates for the planes, and for as many pairs as the last steps had. Not within a recorded sequence.
  void prepare(int planes);
  /// Friction state of the previous steps; `dt` in s, `taken` as in Recall.
  contact::Recall recall(float dt, Span<const vec3> taken) const;
  /// Stores the pairs with `flags` (vertex-triangle, then edge-edge), with their last evaluated terms, as the
  /// state after this step.
  void keep(const PairList pairs[2], Span<const contact::Term> vertex_triangle,
            Span<const contact::Term> edge_edge, Span<const int> index, Span<const int> count, float dt);
  /// m/s^2, per plane and vertex: friction on planes after this step.
  Span<vec3> planes_now() { return planes_now_; }
  /// The step counts.
  void commit();
  /// Changes when memory moves.
  int moves() const { return moves_; }

 private:
  void give_room(int pairs);
  std::vector<unsigned char> save() const;
  void restore(const std::vector<unsigned char>& bytes);
  Device& device_;
  State& state_;
  int vertices_, points_, plane_count_ = 0, moves_ = 0;
  Buffer<contact::KeptPair> kept_, now_;
  Buffer<int> count_, count_now_;
  Buffer<vec3> planes_, planes_now_;
  GrowingList pairs_;
};

}  // namespace weft
