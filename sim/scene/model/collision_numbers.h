// Statistics of a collision method for a published state.
#pragma once

namespace weft {

/// Numbers of the last step and of the state that it led to. Methods without self-collision leave them at 0.
struct CollisionNumbers {
  // pairs of vertices, of no common neighbourhood, so near that they resist each other
  int self_pairs = 0;
  int soft_vertices = 0;    // vertices that were pushed and for which the soft phase was enough
  int hard_vertices = 0;    // vertices that needed the hard phase, or had to stay
  int collision_steps = 0;  // taken in the step, parts of its initial motion among them
  int failed_steps = 0;     // those of them that the soft phase could not solve
  int active_samples = 0;   // points in stretched edges that keep the distance of vertices
  int rolled_back = 0;      // groups of collision steps that were taken again because one of them failed
  float pin_lag = 0;        // m: largest distance between a pinned or scripted vertex and where it should be
  // m: largest distance of a body's point from its scripted place, because cloth is in the way
  float body_lag = 0;
  // vertices of the cloth that a body passes through, since it leaves them no room
  int let_through = 0;
  int vertex_triangle_pairs = 0, edge_edge_pairs = 0;  // that are close, of methods with triangle contact
  // vertices closer to others than the method allows, in a state made by another method
  int too_close = 0;
  float residual = 0;  // largest fraction of its path that a vertex could not move
};

}  // namespace weft
