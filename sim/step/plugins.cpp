#include "sim/step/plugins.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/error.h"
#include "sim/plugin/plugin_list.h"

namespace weft {

StepPlugins::StepPlugins(const StepContext& c) {
  const std::vector<UsedPlugin>& list = c.scene.of<PluginList>().list;
  if (list.empty()) return;
  refuse_plugins_on_gpu(c.device, c.scene);
  const auto mesh = host_mesh(c.model);
  for (size_t i = 0; i < list.size(); ++i) {
    energies_ |= list[i].plugin->has_energy();
    if (list[i].plugin->has_filter()) filters_.push_back({int(i), list[i].plugin->filter(mesh)});
  }
  from_.resize(mesh->rest.size()), x_.resize(mesh->rest.size());
}

void StepPlugins::add_anchors(StepContext& c) {
  if (!energies_ || c.solver.stencils) return;
  StageScope stage(c.device.profiler(), "plug-ins");
  if (!terms_) terms_ = std::make_unique<HostTerms>(c);
  terms_->add_anchors(c);
}

void StepPlugins::filter(StepContext& c) {
  if (filters_.empty()) return;
  StageScope stage(c.device.profiler(), "plug-ins");
  const Span<const vec3> position = c.state.position;
  const Span<const int> kinematic = c.kinematic;
  const Span<vec3> d = c.displacement;
  for (int v = 0; v < d.size; ++v)
    for (int k = 0; k < 3; ++k) from_[size_t(3 * v + k)] = double(position[v][k]);
  for (const Filter& f : filters_) {
    const UsedPlugin& used = c.scene.of<PluginList>().list[size_t(f.number)];
    if (!used.on) continue;
    for (int v = 0; v < d.size; ++v)
      for (int k = 0; k < 3; ++k) x_[size_t(3 * v + k)] = from_[size_t(3 * v + k)] + double(d[v][k]);
    const std::vector<double> found = x_;
    f.filter->apply(from_, x_, used.numbers());
    for (int v = 0; v < d.size; ++v)
      for (int k = 0; k < 3; ++k) {
        const size_t i = size_t(3 * v + k);
        if (!std::isfinite(x_[i]))
          throw Error(fmt::format("its filter moved vertex {} to no finite place", v),
                      "plugin " + used.plugin->name() + " (" + used.plugin->origin() + ")",
                      "the state is as before the step; mend the plug-in");
        // what it leaves alone keeps its bits
        if (!kinematic[v] && x_[i] != found[i]) d[v][k] = float(x_[i] - from_[i]);
      }
  }
}

}  // namespace weft
