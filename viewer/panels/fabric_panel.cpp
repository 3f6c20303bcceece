// The fabric of each cloth: a preset to start from, and its numbers.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <filesystem>

#include "sim/base/error.h"
#include "sim/scene/solids.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/session/open_input.h"
#include "viewer/session/typed_path.h"
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

/// The picture on the cloth's front.
void print_choice(WindowState& state, const Cloth& cloth) {
  if (!cloth.fabric.print.empty()) {
    const float room = ImGui::GetContentRegionAvail().x;
    ImGui::TextDisabled(
        "%s",
        elided("Print: " + std::filesystem::path(cloth.fabric.print).filename().string(), room).c_str());
    theme::tooltip(cloth.fabric.print);
    if (text_button(state, "No print", "Takes the picture off the cloth.", -1))
      print_on(state, cloth.name, "");
    return;
  }
  std::string& path = state.memory.fabric.print_path;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float button = ImGui::CalcTextSize("Print\u2026").x + 2 * style.FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - style.ItemSpacing.x);
  const bool entered = ImGui::InputTextWithHint("##print", "print: a PNG or JPEG", &path,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  note_item(state, "fabric.print");
  theme::tooltip(
      "A picture on the front of the cloth. It can also be dropped on the window. Its width is below: Print "
      "size.");
  ImGui::SameLine();
  const std::string& why_not = state.offers.dialog.why_not();
  std::error_code gone;
  if (text_button(state, "Print\u2026",
                  why_not.empty() ? "Chooses a picture in the desktop's dialog." : why_not, button,
                  why_not.empty() && !state.offers.dialog.open()))
    state.offers.dialog.ask(std::filesystem::current_path(gone).string());
  if (entered && !path.empty()) print_on(state, cloth.name, path_of_text(path)), path.clear();
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
                                  "The cloth, solid, strands or grains to which the values below apply.");
        c >= 0)
      index = c;
  chosen = names[index];
  const bool is_cloth = index < int(cloths.size());
  if (is_cloth) choose_preset(state, cloths[index]);
  SceneTarget target(state.session);
  const std::string group = params_prefix(state.session.scene(), index);
  for (const ParamRef& ref : state.session.params().refs())
    if (ref.key().rfind(group, 0) == 0 || ref.key() == "contact_radius." + chosen) {
      param_slider(state, target, ref);
      if (is_cloth && ref.key() == group + "back_color") print_choice(state, cloths[size_t(index)]);
    }
  end_section();
}

}  // namespace weft
