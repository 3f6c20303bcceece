// The fabric of each cloth: a preset to start from, and its numbers.
#include <imgui.h>

#include "sim/base/error.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

struct Preset {
  std::string name;
  FabricParams values;
};

/// Read once; unreadable files are reported once.
const std::vector<Preset>& presets(WindowState& state) {
  static bool read = false;
  static std::vector<Preset> list;
  if (read) return list;
  read = true;
  try {
    for (const std::string& name : fabric_names()) list.push_back({name, read_fabric(name)});
  } catch (const std::exception& e) {
    state.toasts.add(LogLevel::error, e.what());
  }
  return list;
}

std::vector<std::pair<std::string, std::string>> texts_of(FabricParams values) {
  ParamTable table;
  table.add("", values);
  std::vector<std::pair<std::string, std::string>> texts;
  for (const ParamRef& ref : table.refs()) texts.emplace_back(ref.info().key, ref.text());
  return texts;
}

/// Index of the preset that has exactly these values, else -1.
int matching_preset(const std::vector<Preset>& list, const FabricParams& values) {
  const auto texts = texts_of(values);
  for (int i = 0; i < int(list.size()); ++i)
    if (texts_of(list[i].values) == texts) return i;
  return -1;
}

void choose_preset(WindowState& state, const Cloth& cloth) {
  const auto& list = presets(state);
  if (list.empty()) return;
  static long revision = -1;
  static std::string of;
  static int current = -1;
  if (revision != state.session.revision() || of != cloth.name)
    revision = state.session.revision(), of = cloth.name, current = matching_preset(list, cloth.fabric);
  std::vector<std::string> names;
  for (const Preset& preset : list) names.push_back(preset.name);
  // A tuned fabric is listed under its origin.
  if (current < 0) names.push_back(cloth.fabric_name + ", tuned");
  const int shown = current < 0 ? int(names.size()) - 1 : current;
  const int chosen = choice_list(state, "Preset", "fabric.preset", names, shown, {},
                                 "Sets all values below to those of a common fabric.");
  if (chosen < 0 || chosen >= int(list.size())) return;
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [key, text] : texts_of(list[chosen].values))
    values.emplace_back(cloth.name + "." + key, text);
  state.session.change("Fabric: " + list[chosen].name, values);
}

}  // namespace

void fabric_panel(WindowState& state) {
  if (!begin_section(state, "Fabric")) return;
  const std::vector<Cloth>& cloths = state.session.scene().cloths;
  static std::string chosen;
  int index = 0;
  std::vector<std::string> names;
  for (int i = 0; i < int(cloths.size()); ++i) {
    names.push_back(cloths[i].name);
    if (cloths[i].name == chosen) index = i;
  }
  if (cloths.empty()) {
    ImGui::TextDisabled("This scene has no cloth.");
    return end_section();
  }
  if (cloths.size() > 1)
    if (const int c = choice_list(state, "Cloth", "fabric.cloth", names, index, {},
                                  "The cloth to which the values below apply.");
        c >= 0)
      index = c;
  chosen = names[index];
  choose_preset(state, cloths[index]);
  SceneTarget target(state.session);
  const std::string group = chosen + ".";
  for (const ParamRef& ref : state.session.params().refs())
    if (ref.key().rfind(group, 0) == 0) param_slider(state, target, ref);
  end_section();
}

}  // namespace weft
