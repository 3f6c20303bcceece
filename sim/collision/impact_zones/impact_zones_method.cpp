#include "sim/collision/impact_zones/impact_zones.h"
#include "sim/collision/impact_zones/impact_zones_params.h"
#include "sim/methods/method_table.h"

namespace weft {

CollisionEntry impact_zones_method() {
  CollisionEntry e;
  e.name = "impact_zones";
  e.label = "Impact zones";
  e.help =
      "Finds the impacts of each step and removes them in groups, until its straight way is free (I-Cloth, "
      "Tang 2018). Keeps no edge lengths: cloth that is hit hard, dragged fast or stepped at 1/20 s and more "
      "stretches three times and more, up to 29 times where it is thrown onto a tip.";
  e.params = param_group<ImpactZonesParams>("impact_zones", "Impact zones");
  e.contact_params = true;
  e.without = {"contact.stiffness"};
  // Measured: 4,900 in free fall and on a ball.
  e.bytes_per_vertex = [](const Scene&) { return 5000.0; };
  e.emits = kAnchors;
  e.make = [](StepContext& c) { return std::make_unique<ImpactZones>(c); };
  e.steps = {"Rounds",
             "Rounds of detection and zone solving in the last time step (Tang 2018); at most `rounds`.", "",
             "left",
             "Impacts that touch and remained when rounds ended: the step was made in parts, or points were "
             "held back."};
  e.fields = false;
  return e;
}

}  // namespace weft
