// Friction that outlives a time step: cloth that sticks is held by what its contacts gave way in all steps since they began.
#pragma once
#include "sim/collision/two_way/force_kernels.h"
#include "sim/device/buffer.h"
#include "sim/scene/state.h"

namespace weft {

/// What two-way contact keeps of friction from one step to the next (part of the state's carry): of each pair that pressed, found again by its
/// primitives, and of each vertex of the cloth on each plane, how far friction's spring is stretched, as a share of dt squared (m/s^2).
///
/// The spring of a contact (Cundall and Strack 1979) is stretched by the slip of all steps until its force reaches Coulomb's limit. If it began
/// anew in every step, cloth would creep by what the spring gives way, step after step.
class FrictionMemory {
 public:
  /// `vertices` of the cloth, `points` of cloth and bodies, `planes` with the ground.
  FrictionMemory(Device& device, State& state, int vertices, int points, int planes);
  ~FrictionMemory();
  FrictionMemory(const FrictionMemory&) = delete;

  /// Room for the planes, and for as many pairs as the last steps had. Not from within a recorded sequence.
  void prepare(int planes);
  /// What is kept of the steps before; `dt` in s, `taken` as Recall has it.
  two_way::Recall recall(float dt, Span<const vec3> taken) const;
  /// Keeps the pairs with `flags` (vertex-triangle, then edge-edge), whose terms were looked at last, as what the step that ends leaves.
  void keep(const PairList pairs[2], Span<const two_way::Term> vertex_triangle, Span<const two_way::Term> edge_edge, Span<const int> index,
            Span<const int> count, float dt);
  /// m/s^2, per plane and vertex: what the step that ends leaves of friction on planes.
  Span<vec3> planes_now() { return planes_now_.span(); }
  /// The step counts.
  void commit();
  void clear_overflow() { needed_.clear(); }
  /// False if a list was too short: there is more room now, and the step must be taken again. Waits for the device.
  bool fits();
  /// For tests: leaves room for next to nothing.
  void take_room();
  /// Changes when memory moves.
  int moves() const { return moves_; }

 private:
  void make_room(int pairs);
  std::vector<unsigned char> save() const;
  void restore(const std::vector<unsigned char>& bytes);
  Device& device_;
  State& state_;
  int vertices_, points_, plane_count_ = 0, moves_ = 0;
  Buffer<two_way::KeptPair> kept_, now_;
  Buffer<int> count_, count_now_, needed_;
  Buffer<vec3> planes_, planes_now_;
};

}  // namespace weft
