// Bodies that were moved by hand or by a program that calls this one, as part of the state.
#pragma once
#include <string>
#include <vector>

#include "sim/collision/bodies/bodies.h"
#include "sim/scene/command.h"

namespace weft {

class State;

/// Owns Motion::hand of a running scene's obstacles, and the poses that they are given. Where nobody has
/// moved a body nothing is saved.
class MovedBodies {
 public:
  /// All bodies are where their scripts have them.
  MovedBodies(Scene& scene, State& state, const Bodies& bodies);
  ~MovedBodies();
  /// Sends a body on its way from where it is. Throws Error for an obstacle that there is not, for a place
  /// that is no point of this world, and for a factor below 1; nothing changes then. True if it was where
  /// its script has it until now.
  bool move(const MoveBody& command, const Bodies& bodies);
  /// Throws Error for a body that there is not or that another script moves, another number of vertices,
  /// places that are no points of this world, a time that is over, and ways faster than kJumpSpeed of a body
  /// without `teleport`; nothing changes then.
  void pose(const PoseBody& command);
  /// The same for a body that keeps its shape and has no script.
  void place(const PlaceBody& command);
  /// From where it was at the start by a rigid motion: x becomes matrix x, in world space. Throws Error where
  /// the matrix is none, and where the body has a script.
  PlaceBody placed(const std::string& obstacle, const glm::dmat4& matrix, double at) const;
  /// Gives bodies the places to which they were moved, in a scene that is a copy of this one.
  void settle(Scene& copy) const;
  void back_to_start();

 private:
  std::vector<unsigned char> save() const;
  void restore(const std::vector<unsigned char>&);
  std::vector<unsigned char> save_given() const;
  void restore_given(const std::vector<unsigned char>&);
  int find(const std::string& obstacle) const;
  int find_without_script(const std::string& obstacle) const;
  /// Throws Error for a time that is over, and for the distance (m) of a jump from a time on.
  void check_motion(int obstacle, double since, double at, double distance) const;
  Scene& scene_;
  State& state_;
  const Bodies& bodies_;
};

/// A scene with its bodies where their scripts have them.
Scene without_moved_bodies(Scene scene);

}  // namespace weft
