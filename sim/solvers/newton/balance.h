// Balances cloth as a whole, so that momentum is kept to rounding however soon the solver's iterations end.
#pragma once
#include "sim/linear/pieces.h"
#include "sim/solvers/newton/newton_system.h"

namespace weft {

/// Adds to a step of the solver a translation of each island (connected pieces of cloth, joined by contact
/// stencils), after which the forces on it sum to 0.
class Balance {
 public:
  explicit Balance(Device& device) : device_(device) {}
  /// Lays out the pieces. Between steps; does nothing where the system's layout is the same as before.
  void prepare(const NewtonSystem&);
  /// Changes the step `u` of conjugate gradients for the system's residual, and what is left of that, `r`, if
  /// it is given.
  void run(NewtonSystem&, Span<vec3> u, Span<vec3> r = {});

 private:
  Device& device_;
  int layout_ = 0;
  Pieces pieces_;
  Buffer<float> sums_;
  Buffer<vec3> translation_;
  Buffer<int> island_, changed_, piece_;
  Buffer<uint32_t> key_;
};

}  // namespace weft
