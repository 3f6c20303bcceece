#include "sim/collision/sdf_contact/sdf_contact.h"
#include "sim/methods/method_table.h"

namespace weft {

CollisionEntry bodies_method() {
  CollisionEntry e;
  e.name = "bodies";
  e.label = "Bodies";
  e.help = "Cloth rests on bodies with Coulomb friction. Cloth passes through cloth.";
  e.contact_params = true;
  e.solids = e.strands = e.grains = true;
  e.make = [](StepContext& c) { return std::make_unique<SdfContact>(c); };
  return e;
}

}  // namespace weft
