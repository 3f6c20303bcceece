#pragma once
#include "sim/base/params.h"
#include "sim/collision/free_path/free_path_options.h"

namespace weft {

/// Two-way collision handling (Wang 2023, table 2).
struct TwoWayParams : FreePathOptions {
  bool operator==(const TwoWayParams&) const = default;
  int handlings = 1;  // per time step
  float firmness = 0.1f;

  void describe(ParamVisitor& v);
};

}  // namespace weft
