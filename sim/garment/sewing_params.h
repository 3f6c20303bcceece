#pragma once
#include "sim/base/params.h"

namespace weft {

/// How garments are sewn and put on (sim/dressing/dress.h), and what their seams are like.
struct SewingParams {
  bool operator==(const SewingParams&) const = default;
  float tension = 30;             // N/m
  float closing_speed = 1;        // m/s
  float growth = 1;               // s
  float seam_bending = 3;         // factor
  float elastic = 0.7f;           // ratio
  float first_layer = 0.012f;     // m
  float layer_distance = 0.009f;  // m
  float settle = 1;               // s

  void describe(ParamVisitor& v);
};

}  // namespace weft
