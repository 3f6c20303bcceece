#pragma once
#include "sim/base/params.h"

namespace weft {

/// How far a vertex may go in one forward step (Wang 2023, section 5).
enum class ForwardBound { planes, half_distance };
enum class ContactForm { volume, gap };
enum class LcpSolver { gauss_seidel, jacobi };
/// What slows sliding: contact wherever it acts, or a filter of the solver's target (section 6.3).
enum class FrictionBy { contact, velocity_filter };

/// Two-way collision handling (Wang 2023, table 2).
struct TwoWayParams {
  bool operator==(const TwoWayParams&) const = default;
  int handlings = 1;               // per time step
  int step_limit = 512;            // L
  float threshold = 1e-4f;         // epsilon
  float activation = 1e-3f;        // delta, m
  float search_min = 0;            // D^min, m; 0: from the mesh
  float search_max = 0;            // D^max, m; 0: from the mesh
  float stretch = 1.01f;           // sigma
  float damping = 0.9f;            // gamma
  int bound = int(ForwardBound::planes);
  bool together = true;
  int form = int(ContactForm::volume);
  int lcp = int(LcpSolver::gauss_seidel);
  float repulsion = 30;
  float firmness = 0.1f;
  float self_friction = 0.3f;
  int friction_by = int(FrictionBy::contact);

  template <class V>
  void visit(V&& v) {
    v(handlings, {.key = "handlings", .label = "Handlings", .min = 1, .max = 100,
                  .help = "How often in a time step the cloth is moved towards the solver's target; the solver goes on from where it arrived. With Newton's method: its iterations, as in the paper."});
    v(step_limit, {.key = "step_limit", .label = "Most steps", .min = 1, .max = 65536,
                   .help = "Limit on backward and forward steps in one handling (L; 512 at 1/100 s, 2048 at 1/20 s in the paper).", .log_scale = true});
    v(threshold, {.key = "threshold", .label = "Threshold", .min = 1e-7, .max = 1,
                  .help = "Steps end when each vertex has gone all but this share of its way (epsilon).", .log_scale = true});
    v(activation, {.key = "activation", .label = "Activation", .unit = "m", .min = 1e-5, .max = 0.02,
                   .help = "Pairs nearer than this push each other apart (delta): cloth rests so far from cloth and bodies. At most 0.4 of the mesh's mean edge.",
                   .display_unit = "mm", .display_scale = 1e3});
    v(search_min, {.key = "search_min", .label = "Search, least", .unit = "m", .min = 0, .max = 0.1,
                   .help = "All pairs nearer than this are known at every step (D^min; 2 mm in the paper), and no vertex goes further than half of it in a step. 0: 0.4 of the mesh's mean edge.", .display_unit = "mm", .display_scale = 1e3, .zero = "from the mesh", .advanced = true});
    v(search_max, {.key = "search_max", .label = "Search, most", .unit = "m", .min = 0, .max = 0.1,
                   .help = "Distance within which pairs are looked for (D^max; 4 mm in the paper). Larger: fewer searches, more pairs. 0: 0.7 of the mesh's mean edge.", .display_unit = "mm", .display_scale = 1e3, .zero = "from the mesh", .advanced = true});
    v(stretch, {.key = "stretch", .label = "Edge limit", .min = 1, .max = 10,
                .help = "By how much contact may stretch edges of the target (sigma; 1.1 in the paper, where cloth then stretches by as much)."});
    v(damping, {.key = "damping", .label = "Damping", .min = 0.05, .max = 0.95,
                .help = "Share of the safe way that a forward step takes (gamma). Less: pairs stay further apart, more steps.", .advanced = true});
    v(bound, {.key = "bound", .label = "Bound", .help = "What limits a forward step: a plane between each pair, along which and away from which it is free; or half the distance to what is nearest, as in the paper.",
              .choices = {"planes", "half_distance"}});
    v(together, {.key = "together", .label = "Move together", .help = "Cloth first takes the part of its motion that it shares with what is near it, in one step however far. Off: as in the paper, where fast cloth needs many steps."});
    v(form, {.key = "form", .label = "Constraints", .help = "At edges, tips and borders: contact as a volume to be kept open, or as a gap. Smooth surfaces always press along their normal.", .choices = {"volume", "gap"}, .advanced = true});
    v(lcp, {.key = "lcp", .label = "LCP", .help = "One iteration per backward step: coloured Gauss-Seidel, or Jacobi (more steps).", .choices = {"gauss_seidel", "jacobi"}, .advanced = true});
    v(repulsion, {.key = "repulsion",
                  .label = "Repulsion",
                  .min = 0,
                  .max = 1000,
                  .help = "How firmly the solver itself keeps near pairs apart, against inertia: cloth at "
                          "rest sinks in by g dt^2 over this (dt: the time step, at most 1/60 s). 0: it "
                          "knows of no contact, and cloth crumples.",
                  .log_scale = true});
    v(firmness, {.key = "firmness", .label = "Firmness", .min = 0, .max = 10,
                 .help = "Adds to Repulsion, in parts of the cloth's own stretch stiffness. Where much cloth hangs on a tip or an edge, Repulsion alone lets it sink in, and steps are many. Much more than the default needs more iterations of the solver. Without Repulsion it does nothing.", .log_scale = true});
    v(self_friction, {.key = "self_friction", .label = "Self-friction", .min = 0, .max = 5, .help = "Coulomb coefficient between cloth and cloth."});
    v(friction_by, {.key = "friction_by", .label = "Friction by", .help = "What slows sliding. Contact: wherever contact pushes, in the solver and on the way. Velocity filter: once per handling, by how deep the solver's target lies, as in the paper; rougher, most of all between layers and in long steps.",
                    .choices = {"contact", "velocity_filter"}, .advanced = true});
  }
};

}  // namespace weft
