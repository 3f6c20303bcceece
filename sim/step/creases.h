// Folds that stay (sim/solvers/crease_kernels.h), as a part of the state.
#pragma once
#include <vector>

#include "sim/methods/step_context.h"

namespace weft {

/// Owner of State::rest_angle: has room once a fabric with a crease_yield bends by dihedral hinges, and is
/// carried where a hinge has creased.
class Creases {
 public:
  /// Registers with the state. Does not own the context.
  explicit Creases(StepContext& context);
  /// Before a step: makes room, and takes yields from the scene.
  void prepare();
  /// At the new positions: rest angles follow folds beyond their yield.
  void finish_step();
  /// Rest angles of the rest shape.
  void back_to_start();
  /// Changes with what launches of the solver depend on.
  uint64_t revision() const { return c_.state.rest_angle.size() > 0 ? 1 : 0; }

 private:
  void make_room();
  std::vector<unsigned char> save() const;
  void restore(const std::vector<unsigned char>& bytes);
  StepContext& c_;
  bool active_ = false;
  std::vector<float> uncreased_;  // rest angles of the rest shape, rad; empty without room
  std::vector<float> yields_;     // of each cloth, 1/m, that most_ was made for
  Buffer<Hinge> hinges_;
  Buffer<float> most_;  // per hinge, rad
};

}  // namespace weft
