// Numbers about a published state, and their names.
#pragma once
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sim/scene/model/collision_numbers.h"

namespace weft {

/// Numbers of a solver about the last step.
struct SolverNumbers {
  // mean error of its displacements over what gravity moves in a step
  float solver_residual = 0;
  // after so many iterations StepParams::budget ended it before it was solved; 0: it was solved
  int budget_iterations = 0;
  // descent: iterations without momentum because the residual grew
  int turns_without_momentum = 0;
};

/// Numbers about the last published state. Keys of end conditions are the names of members, of those of
/// CollisionNumbers and SolverNumbers, and of counters.
struct StepStats : CollisionNumbers, SolverNumbers {
  double time = 0;
  float max_stretch = 1;  // longest edge of cloth over its rest length
  float mean_stretch = 1;
  float max_speed = 0;       // m/s
  float kinetic_energy = 0;  // J
  // m, below any body's surface (bodies' own surface, without the contact offset)
  float max_penetration = 0;
  float min_height = 0, max_height = 0;  // m, over cloth vertices
  float mean_height = 0;

  /// Area that the cloth covers seen from above over its rest area, both without what is pinned: Cusick's
  /// drape coefficient of a disc on a pedestal, as a share. NaN where no end condition of the scene names it.
  float drape_coefficient = std::numeric_limits<float>::quiet_NaN();

  /// Share of the vertices of garments' outer layers that lie inside a layer that is worn below theirs
  /// (sim/run/layer_order.h). NaN where no end condition of the scene names it.
  float layers_out_of_order = std::numeric_limits<float>::quiet_NaN();

  int inverted_cells = 0;  // of solids: flat or inside out
  int contacts = 0;        // vertices in contact with a body
  float step_ms = 0;       // wall time of the step
  /// Name/value of every number above, counters last, for end conditions, JSON and CSV.
  std::vector<std::pair<std::string, double>> all() const;
};

}  // namespace weft
