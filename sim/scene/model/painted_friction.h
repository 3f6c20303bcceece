// Friction that is painted on cloth, on a device.
#pragma once
#include "sim/device/buffer.h"
#include "sim/mesh/painted.h"
#include "sim/scene/model/friction_table.h"

namespace weft {

/// Factors of all vertices of a model; empty where none is painted.
class PaintedFriction {
 public:
  PaintedFriction() = default;
  PaintedFriction(Device& device, const Topology& topology)
      : on_bodies_(device, "painted friction", painted_factors(topology, Painted::friction)),
        on_cloth_(device, "painted friction", painted_factors(topology, Painted::self_friction)) {}
  bool any() const { return on_bodies_.size() > 0 || on_cloth_.size() > 0; }
  FrictionFactors view() const { return {on_bodies_.span(), on_cloth_.span()}; }

 private:
  Buffer<float> on_bodies_, on_cloth_;
};

}  // namespace weft
