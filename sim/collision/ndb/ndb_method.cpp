#include "sim/collision/free_path/path_quantities.h"
#include "sim/collision/ndb/ndb.h"
#include "sim/methods/method_table.h"

namespace weft {

CollisionEntry ndb_method() {
  CollisionEntry e;
  e.name = "ndb";
  e.label = "Non-distance barriers";
  e.help =
      "Keeps triangles out of each other, cloth and bodies, a millimetre apart, on any mesh, by contacts "
      "whose weight grows while they last (Lan 2024). Made for projective dynamics; works with every solver. "
      "With projective dynamics and these settings soft cloth keeps folds that it should lose (a drape on a "
      "ball ends 55 mm too high); it drapes right with the paper's preset and with Newton's method. Slow.";
  e.params = param_group<NdbParams>("ndb", "Non-distance barriers");
  e.contact_params = true;
  e.without = {"contact.stiffness"};
  // Measured: 5,000 in free fall, 5,600 on a ball.
  e.bytes_per_vertex = [](const Scene&) { return 5000.0; };
  e.solids = e.rigid = true;
  e.make = [](StepContext& c) { return std::make_unique<Ndb>(c); };
  e.steps = {"Pieces", "Straight pieces of the path in the last time step, all rounds together.",
             "ndb.threshold"};
  e.limit = "ndb.step_limit";
  e.apart = "ndb.gap";
  e.never_crosses = true;
  e.part_radii = true;
  e.distance_fields = false;
  e.fields = {bound_field(),
              let_through_field(),
              {.name = "age",
               .label = "Age of contact",
               .unit = "iterations",
               .help = "Age: iterations that the oldest contact of a vertex has lasted.",
               .missing = "non-distance barriers",
               .of_step = true,
               .recorded = "A recorded run has no contacts: it stores positions only."}};
  e.counters = close_pair_counters();
  for (const CounterInfo& i : std::vector<CounterInfo>{
           {"rounds", "Rounds", "Full detections of contact in the last time step (Lan 2024, algorithm 1)."},
           {"contact_iterations", "Iterations with contact", "Of the solver, in the last time step."},
           {"oldest_contact", "Age of the oldest contact", "Iterations that it has lasted."},
           {"coarse_pairs", "Pairs with too few samples",
            "Pairs that moved too far for the samples of their path (ndb.samples)."},
           {"exit_share", "Share of the exit, %",
            "Of the solver's displacement, that was free to be taken."}})
    e.counters.push_back(i);
  return e;
}

}  // namespace weft
