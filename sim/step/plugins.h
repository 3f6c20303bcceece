// Plug-ins in a step: filters between solver and contact, and energies for solvers that take anchors alone.
#pragma once
#include <memory>
#include <vector>

#include "sim/plugin/host_plugin.h"
#include "sim/solvers/host_terms.h"

namespace weft {

/// Nothing is launched or allocated where a scene has no plug-ins.
class StepPlugins {
 public:
  /// Throws Error for a filter that cannot be made for the model, and for plug-ins on a GPU.
  explicit StepPlugins(const StepContext& context);
  /// Adds energies at the present displacement to the anchors, unless the solver takes couplings (as stencils
  /// are), for then it evaluates them itself. Throws as HostTerms::evaluate does.
  void add_anchors(StepContext&);
  /// Displacements as filters have them; kinematic vertices keep theirs. Contact has the last word after it.
  /// Throws Error for a filter that fails, or gives a number that is not finite.
  void filter(StepContext&);

 private:
  struct Filter {
    int number = 0;  // into PluginList
    std::unique_ptr<HostFilter> filter;
  };
  bool energies_ = false;
  std::unique_ptr<HostTerms> terms_;  // once a solver needs them
  std::vector<Filter> filters_;
  std::vector<double> from_, x_;  // m, 3 per vertex
};

}  // namespace weft
