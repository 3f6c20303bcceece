// The plug-ins of a scene: one of its blocks of parameters.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/base/params.h"
#include "sim/plugin/host_plugin.h"

namespace weft {

/// A plug-in in use, with its values.
struct UsedPlugin {
  std::shared_ptr<const HostPlugin> plugin;
  bool on = true;
  float strength = 1;         // factor on its energy
  std::vector<float> values;  // of its parameters, in their order
  bool operator==(const UsedPlugin&) const = default;
  /// Values as plug-ins take them.
  std::vector<double> numbers() const { return {values.begin(), values.end()}; }
};

/// In the order in which they were added: Scene::of; keys plugin.NAME.on, plugin.NAME.stiffness and the like.
struct PluginList {
  std::vector<UsedPlugin> list;
  bool operator==(const PluginList&) const = default;
  void describe(ParamVisitor& v);
  /// With its defaults. Throws Error for one that cannot be (check_plugin), and for a name that is taken.
  void add(std::shared_ptr<const HostPlugin> plugin);
};

}  // namespace weft
