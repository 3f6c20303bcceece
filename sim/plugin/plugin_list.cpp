#include "sim/plugin/plugin_list.h"

#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/param_rows.h"

namespace weft {

void PluginList::describe(ParamVisitor& v) {
  const ParamRows row(v);
  for (UsedPlugin& used : list) {
    const HostPlugin& plugin = *used.plugin;
    const auto named = [&](const std::string& key, const std::string& label) {
      return param(plugin.name() + "." + key, plugin.name() + ": " + label);
    };
    row(used.on, named("on", "In use"), "Whether the plug-in acts. From " + plugin.origin() + ".");
    if (plugin.has_energy())
      row(used.strength, named("strength", "Strength").range(0, 1000),
          "Factor on the plug-in's energy. More: it counts more beside others. 0: it has no effect.");
    for (size_t i = 0; i < used.values.size(); ++i) {
      const HostParameter& p = plugin.parameters()[i];
      row(used.values[i],
          named(p.key, p.label.empty() ? p.key : p.label).unit(p.unit.c_str()).range(p.min, p.max), p.help);
    }
  }
}

void PluginList::add(std::shared_ptr<const HostPlugin> plugin) {
  check_plugin(*plugin);
  const bool taken = std::any_of(list.begin(), list.end(), [&](const UsedPlugin& used) {
    return used.plugin->name() == plugin->name();
  });
  if (taken)
    throw Error("there is a plug-in of this name", "plugin " + plugin->name(), "give one another name");
  UsedPlugin used;
  for (const HostParameter& p : plugin->parameters()) used.values.push_back(float(p.fallback));
  used.plugin = std::move(plugin);
  list.push_back(std::move(used));
}

}  // namespace weft
