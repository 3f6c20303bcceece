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
  int active_samples = 0;   // points in stretched edges that keep the distance of vertices
  int rolled_back = 0;      // groups of collision steps that were taken again because one of them failed
  float pin_lag = 0;        // m: largest distance between a pinned or scripted vertex and where it should be
  float body_lag = 0;       // m: largest distance between a body's point and where its script wants it, for cloth is in the way
  int vertex_triangle_pairs = 0, edge_edge_pairs = 0;  // near each other, of methods that look at triangles
  int too_close = 0;        // vertices that are nearer to others than the method lets any come: it took over a state that was so
  float residual = 0;       // largest share of its way that a vertex could not go
};

}  // namespace weft
