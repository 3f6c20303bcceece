// The fabric of each cloth: a preset to start from, and its numbers.
#include <imgui.h>

#include "sim/base/error.h"
#include "sim/scene/solids.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

void choose_preset(WindowState& state, const Cloth& cloth) {
  const std::vector<NamedFabric>& list = state.offers.shipped.fabrics();
  if (list.empty()) return;
  auto& found = state.memory.fabric;
  if (found.revision != state.session.revision() || found.of != cloth.name) {
    found.revision = state.session.revision(), found.of = cloth.name;
    found.matching = matching_fabric(list, cloth.fabric);
    found.tuned_from = fabric_tuned_from(list, cloth.fabric, cloth.fabric_name);
  }
  const int current = found.matching;
  std::vector<std::string> names;
  for (const NamedFabric& fabric : list) names.push_back(fabric.name);
  // A tuned fabric is listed under its origin.
  if (current < 0) names.push_back(found.tuned_from + ", tuned");
  const int shown = current < 0 ? int(names.size()) - 1 : current;
  const int chosen = choice_list(state, "Preset", "fabric.preset", names, shown, {},
                                 "Sets all values below to those of a common fabric.");
  if (chosen < 0 || chosen >= int(list.size())) return;
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [key, text] : fabric_texts(list[size_t(chosen)].values))
    values.emplace_back(cloth.name + "." + key, text);
  state.session.change("Fabric: " + list[size_t(chosen)].name, values);
}

}  // namespace

void fabric_panel(WindowState& state) {
  if (!begin_section(state, "Fabric")) return;
  const std::vector<Cloth>& cloths = state.session.scene().cloths;
  std::string& chosen = state.memory.fabric.cloth;
  int index = 0;
  std::vector<std::string> names;
  for (int p = 0; p < part_count(state.session.scene()); ++p) {
    names.push_back(part_name(state.session.scene(), p));
    if (names.back() == chosen) index = p;
  }
  if (names.size() > 1)
    if (const int c = choice_list(state, "Cloth", "fabric.cloth", names, index, {},
                                  "The cloth, solid or strands to which the values below apply.");
        c >= 0)
      index = c;
  chosen = names[index];
  const bool is_cloth = index < int(cloths.size());
  if (is_cloth) choose_preset(state, cloths[index]);
  SceneTarget target(state.session);
  const bool is_solid = index < int(cloths.size() + state.session.scene().of<SolidList>().list.size());
  const std::string group = (is_cloth ? "" : is_solid ? "solid." : "strands.") + chosen + ".";
  for (const ParamRef& ref : state.session.params().refs())
    if (ref.key().rfind(group, 0) == 0) param_slider(state, target, ref);
  end_section();
}

}  // namespace weft
