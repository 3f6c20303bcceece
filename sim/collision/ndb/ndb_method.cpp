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
  e.emits = kAnchors;
  e.make = [](StepContext& c) { return std::make_unique<Ndb>(c); };
  e.steps = {"Pieces", "Straight pieces of the path in the last time step, all rounds together.",
             "ndb.threshold"};
  e.fields = false;
  return e;
}

}  // namespace weft
