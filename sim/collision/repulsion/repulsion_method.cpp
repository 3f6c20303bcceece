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
  e.emits = kAnchors;
  e.make = [](StepContext& c) { return std::make_unique<Repulsion>(c); };
  e.steps = {"Collision steps",
             "Collision steps in the last time step (K, Wu 2020), parts of the initial motion among them.",
             ""};
  return e;
}

}  // namespace weft
