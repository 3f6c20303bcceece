#include "sim/scene/model/step_stats.h"

namespace weft {

std::vector<std::pair<std::string, double>> StepStats::all() const {
  std::vector<std::pair<std::string, double>> all = {
      {"time", time},
      {"max_stretch", max_stretch},
      {"mean_stretch", mean_stretch},
      {"max_speed", max_speed},
      {"kinetic_energy", kinetic_energy},
      {"max_penetration", max_penetration},
      {"min_height", min_height},
      {"max_height", max_height},
      {"mean_height", mean_height},
      {"drape_coefficient", drape_coefficient},
      {"layers_out_of_order", layers_out_of_order},
      {"inverted_cells", double(inverted_cells)},
      {"contacts", double(contacts)},
      {"self_pairs", double(self_pairs)},
      {"collision_steps", double(collision_steps)},
      {"pin_lag", pin_lag},
      {"body_lag", body_lag},
      {"let_through", double(let_through)},
      {"residual", residual},
      {"solver_residual", solver_residual},
      {"budget_iterations", double(budget_iterations)},
      {"turns_without_momentum", double(turns_without_momentum)},
      {"step_ms", step_ms}};
  for (const Counter& c : counters) all.push_back({c.name, c.value});
  return all;
}

}  // namespace weft
