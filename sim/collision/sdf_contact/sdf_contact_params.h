#pragma once
#include "sim/base/params.h"

namespace weft {

/// Contact with bodies by signed distance, and Coulomb friction.
struct SdfContactParams {
  bool operator==(const SdfContactParams&) const = default;
  float friction = 0.4f;
  float stiffness = 3e5f;  // N/m^3: pressure per depth
  bool ground = true;
  float ground_height = 0;  // m

  template <class V>
  void visit(V&& v) {
    v(friction, {.key = "friction", .label = "Friction", .min = 0, .max = 5,
                 .help = "Coulomb friction coefficient between cloth and bodies without one of their own."});
    v(stiffness, {.key = "stiffness", .label = "Contact stiffness", .unit = "N/m^3", .min = 1e3, .max = 1e9,
                  .help = "Contact pressure per depth. Higher: thinner contact layer, slower convergence.",
                  .log_scale = true});
    v(ground, {.key = "ground", .label = "Ground", .help = "Adds the floor as a body."});
    v(ground_height, {.key = "ground_height", .label = "Ground height", .unit = "m", .min = -1000,
                      .max = 1000,
                      .help = "Height of the floor."});
  }
};

}  // namespace weft
