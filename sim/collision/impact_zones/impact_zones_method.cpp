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
  e.make = [](StepContext& c) { return std::make_unique<ImpactZones>(c); };
  e.steps = {"Rounds",
             "Rounds of detection and zone solving in the last time step (Tang 2018); at most `rounds`.", "",
             "impacts_left"};
  e.distance_fields = false;
  e.part_radii = true;
  e.fields = {let_through_field()};
  e.counters = {
      {"rounds", "Rounds", "Of detection and zone solving in the last time step."},
      {"impacts", "Impacts", "That were found in all rounds."},
      {"zones", "Zones", "Groups of impacts that share points, in the last round with any."},
      {"zone_points", "Points in zones", "In the last round with any."},
      {"zone_iterations", "Iterations of zones", "Of the gradient method, all zones of all rounds together."},
      {"most_zone_iterations", "Most iterations of a zone", "Of all zones of all rounds."},
      {"zone_solves", "Zones solved", "In all rounds."},
      {"zone_solves_in_10", "Zones in 10 iterations", "Zones that were solved in at most 10 iterations."},
      {"zone_solves_in_34", "Zones in 34 iterations",
       "Zones that were solved in at most 34 iterations, the mean of the paper."},
      {"zone_solves_in_100", "Zones in 100 iterations", "Zones that were solved in at most 100 iterations."},
      {"impacts_left", "Impacts left",
       "Impacts that touch and remained when rounds ended: the step was made in parts, or points were held "
       "back."},
      {"parts", "Parts", "In which the last time step was made."},
      {"held_back", "Points held back", "At the end of the rounds, since their impacts remained."},
      {"cuts", "Cuts", "Zones whose displacement was shortened."}};
  return e;
}

}  // namespace weft
