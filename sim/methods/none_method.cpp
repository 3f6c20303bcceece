#include "sim/methods/method_table.h"

namespace weft {
namespace {

class NoCollisions final : public CollisionHandler {
 public:
  Guarantee guarantee() const override { return {}; }
};

}  // namespace

CollisionEntry none_method() {
  CollisionEntry e;
  e.name = "none";
  e.label = "None";
  e.help = "Cloth passes through everything.";
  e.distance_fields = false;
  e.solids = e.rigid = e.strands = e.grains = true;
  e.make = [](StepContext&) { return std::make_unique<NoCollisions>(); };
  return e;
}

}  // namespace weft
