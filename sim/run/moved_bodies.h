// Bodies that were moved by hand, as part of the state.
#pragma once
#include <string>
#include <vector>

#include "sim/collision/bodies/bodies.h"
#include "sim/scene/command.h"

namespace weft {

class State;

/// Owns Motion::hand of a running scene's obstacles. Where nobody has moved a body nothing is saved.
class MovedBodies {
 public:
  /// All bodies are where their scripts have them.
  MovedBodies(Scene& scene, State& state);
  ~MovedBodies();
  /// Sends a body on its way from where it is. Throws Error for an obstacle that there is not, for a place
  /// that is no point of this world, and for a factor below 1; nothing changes then. True if it was where
  /// its script has it until now.
  bool move(const MoveBody& command, const Bodies& bodies);
  void back_to_start();

 private:
  std::vector<unsigned char> save() const;
  void restore(const std::vector<unsigned char>&);
  Scene& scene_;
  State& state_;
};

/// A scene with its bodies where their scripts have them.
Scene without_moved_bodies(Scene scene);

}  // namespace weft
