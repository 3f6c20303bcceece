#include "sim/collision/free_path/path_quantities.h"
#include "sim/collision/two_way/two_way.h"
#include "sim/collision/two_way/two_way_params.h"
#include "sim/methods/method_table.h"

namespace weft {

CollisionEntry two_way_method() {
  CollisionEntry e;
  e.name = "two_way";
  e.label = "Two-way";
  e.help =
      "Keeps triangles out of each other, cloth and bodies, a millimetre apart, on any mesh (Wang 2023).";
  e.params = param_group<TwoWayParams>("two_way", "Two-way contact");
  e.contact_params = true;
  e.without = {"contact.stiffness"};
  // Measured: 3,700 on a table to 5,000 on a ball. Lists grow with contact.
  e.bytes_per_vertex = [](const Scene&) { return 4500.0; };
  e.solids = e.rigid = e.strands = e.grains = true;
  e.make = [](StepContext& c) { return std::make_unique<TwoWay>(c); };
  e.steps = {"Forward steps",
             "Backward and forward steps in the last time step (l of algorithm 1, Wang 2023); at most L in "
             "each handling.",
             "two_way.threshold"};
  e.limit = "two_way.step_limit";
  e.apart = "two_way.activation";
  e.never_crosses = true;
  e.part_radii = true;
  e.distance_fields = false;
  e.fields = {bound_field(), let_through_field()};
  e.counters = close_pair_counters();
  e.counters.push_back(
      {"colours", "Colours of contacts", "Groups of contacts that backward steps handle one after another."});
  return e;
}

}  // namespace weft
