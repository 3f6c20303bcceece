#pragma once
#include "sim/base/params.h"

namespace weft {

/// Coupling of collision handling and dynamics solver (Wu 2020, figure 4 and appendix C).
enum class Integration { splitting, interleaving, post_processing, phantom_mesh };

/// Vertex repulsion (Wu 2020, table 2). Lengths are those for a mesh whose edges are `reference_edge` long;
/// on another mesh they are scaled with its edges (RepulsionConstants).
struct RepulsionParams {
  bool operator==(const RepulsionParams&) const = default;
  int integration = int(Integration::splitting);
  float coupling = 80000;  // sigma, 1/s^2
  bool coupling_everywhere = false;
  bool coupling_grows = true;
  int steps = 72;                  // K
  int initial_steps = 6;           // I_init
  float step_limit = 0.25e-3f;     // D, m
  float move_limit = 0;            // of a collision step with what constraints add, m; 0: D
  float max_edge = 8.4853e-3f;     // L, m
  float tightening = 0.5e-3f;      // B_tight, m
  float slack = 21.75e-6f;         // epsilon_slack, m^2
  float condition = 0.01e-6f;      // epsilon_cond, m^2
  float reference_edge = 4.2e-3f;  // L_ref, m
  bool resampling = false;
  float resample_from = 6.5e-3f;  // L_ada, m
  bool soft_phase = true;
  int soft_iterations = 6;  // I_soft
  float penalty = 2;        // rho
  bool hard_phase = true;
  int hard_iterations = 8;  // I_hard
  int hard_rounds = 1;      // of I_hard iterations, at most
  float hard_end = 0;       // eta, m: the gradient's norm that ends them
  float hard_step = 0.1f;   // alpha_0
  float barrier = 0.1e-6f;  // mu, m^2
  int rollback_steps = 12;  // R
  bool limits = true;
  float self_friction = 0.3f;
  bool body_vertices = false;

  void describe(ParamVisitor& v);
};

}  // namespace weft
