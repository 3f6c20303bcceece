// What a collision method tells of itself with every published state.
#pragma once

namespace weft {

/// Numbers of the last step and of the state that it led to. Methods without self-collision leave them at 0.
struct CollisionNumbers {
  int self_pairs = 0;       // pairs of vertices, of no common neighbourhood, so near that they resist each other
  int soft_vertices = 0;    // vertices that were pushed and for which the soft phase was enough
  int hard_vertices = 0;    // vertices that needed the hard phase, or had to stay where they were
  int collision_steps = 0;  // taken in the step, parts of its initial motion among them
  int failed_steps = 0;     // those of them that the soft phase could not solve
  int rolled_back = 0;      // groups of collision steps that were taken again because one of them failed
  float body_lag = 0;       // m: the same for the vertices of bodies, where a method moves these
  float pin_lag = 0;        // m: largest distance between a pinned or scripted vertex and where it should be
};

}  // namespace weft
