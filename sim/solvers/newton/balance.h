// Balances cloth as a whole, so that momentum is kept to rounding however soon the solver's iterations end.
#pragma once
#include "sim/linear/rigid_motion.h"
#include "sim/solvers/newton/balance_kernels.h"
#include "sim/solvers/newton/newton_system.h"

namespace weft {

/// Moves islands (connected pieces of cloth, joined by contact stencils) as rigid bodies, to where the forces
/// on them sum to 0. Islands with a kinematic vertex stay.
class Balance {
 public:
  explicit Balance(Device& device) : device_(device), rigid_(device) {}
  /// Lays out the pieces. Between steps; does nothing where the system's layout is the same as before.
  void prepare(const NewtonSystem&);
  /// Before conjugate gradients: changes their start `u`, which is 0, and what that leaves of the system's
  /// residual, `r`, by the translation of each island that balances it.
  void begin(NewtonSystem&, Span<vec3> u, Span<vec3> r);
  /// The same by the rigid motion of each island that lowers the energy of inertia and of contact with bodies
  /// most, for the end of a step. Not for its start: where contact is not yet what it will be, cloth on a
  /// turntable would tilt.
  void turn(NewtonSystem&, Span<vec3> u, Span<vec3> r);
  /// After them: changes the step `u` that they made by a translation of each island.
  void end(NewtonSystem&, Span<vec3> u);

 private:
  void find_islands(const StencilsView&);
  linear::IslandsView islands() const;
  void translate(NewtonSystem&, Span<vec3> u, Span<vec3> r);
  Device& device_;
  int layout_ = 0;
  Pieces pieces_;
  Buffer<float> sums_;
  Buffer<vec3> translation_;
  Buffer<int> island_, changed_, piece_;
  Buffer<uint32_t> key_;
  RigidMotion rigid_;
};

}  // namespace weft
