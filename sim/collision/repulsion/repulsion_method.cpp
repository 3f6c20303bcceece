#include "sim/collision/repulsion/constraints/repulsion_params.h"
#include "sim/collision/repulsion/repulsion.h"
#include "sim/methods/method_table.h"

namespace weft {

CollisionEntry repulsion_method() {
  CollisionEntry e;
  e.name = "repulsion";
  e.label = "Vertex repulsion";
  e.help =
      "Keeps cloth out of itself: vertices keep their distance (Wu 2020). Cloth rests on bodies with "
      "friction. "
      "Layers that slide over each other are held back, for vertices get stuck behind each other; "
      "with projective dynamics a sliding cloth of uneven edges gains speed.";
  e.params = param_group<RepulsionParams>("repulsion", "Vertex repulsion");
  e.contact_params = true;
  // Measured with grids, discs, tubes and strips and the small scenes of the paper: 3,900 to 5,100.
  e.bytes_per_vertex = [](const Scene&) { return 4050.0; };
  e.even_edges = true;
  e.make = [](StepContext& c) { return std::make_unique<Repulsion>(c); };
  e.steps = {"Collision steps",
             "Collision steps in the last time step (K, Wu 2020), parts of the initial motion among them.",
             "", "failed_steps"};
  e.fields = {{.name = "phase",
               .label = "Collision phase",
               .help = "Phase: which phase of vertex repulsion each vertex needed in the last step.",
               .classes = {"untouched", "soft", "hard"},
               .missing = "none in this collision method",
               .of_step = true,
               .recorded = "A recorded run has no collision phases: it stores positions only."}};
  e.counters = {
      {"soft_vertices", "Soft phase", "Vertices that were pushed and for which the soft phase was enough."},
      {"hard_vertices", "Hard phase", "Vertices that needed the hard phase, or had to stay."},
      {"failed_steps", "Hard", "Collision steps in which the soft phase failed."},
      {"rolled_back", "Repeated",
       "Groups of collision steps that were taken again because one of them failed."},
      {"unsolved", "Unsolved", "Hard phases that their last round ended (with more than one)."},
      {"active_samples", "Active samples", "Points in stretched edges that keep the distance of vertices."},
      {"too_close", "Too close",
       "Vertices closer to others than the method allows, as another method left them."}};
  return e;
}

}  // namespace weft
