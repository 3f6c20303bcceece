// View panel: look of the picture. No effect on the motion.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/inject.h"
#include "sim/scene/fabric_maps.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/render/color_scale.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

/// True for what colours every scene, and for the maps that a cloth of this one has.
bool is_offered(const std::string& field, const Scene& scene) {
  if (!field.starts_with(kMapField)) return true;
  for (const auto& [cloth, maps] : scene.of<FabricMaps>().of)
    for (const FabricMap& map : maps)
      if (field.substr(kMapField.size()) == map.parameter) return true;
  return false;
}

/// Choices that a recorded run cannot show are greyed with the reason; `run`: nullptr where there is none.
void colour_choice(WindowState& state, ParamTarget& target, const ParamRef& ref, const Playback* run) {
  std::vector<std::string> names;
  int present = 0;
  for (const std::string& name : ref.info().choices) {
    const bool is_present = name == ref.info().choices[size_t(ref.number())];
    if (is_present) present = int(names.size());
    if (is_present || is_offered(name, state.session.scene())) names.push_back(name);
  }
  const auto why_not = [&](int i) { return run ? run->why_not(names[size_t(i)]) : std::string(); };
  const int chosen =
      choice_list(state, ref.info().label, ref.key(), names, present, why_not, ref.info().help);
  if (chosen < 0) return;
  target.begin(ref.key());
  target.set(ref.key(), names[size_t(chosen)]);
  target.end();
}

/// Number of pairs, and whether all are drawn.
std::string pairs_note(WindowState& state) {
  const Frame& frame = state.session.frame();
  if (state.session.playback()) return "A recorded run has no contact pairs.";
  const long all = frame.stats.self_pairs, drawn = long(frame.contact_pairs.size());
  if (all == 0) return "No contact pairs.";
  return drawn < all && drawn > 0
             ? fmt::format("{} of {} contact pairs drawn.", with_commas(drawn), with_commas(all))
             : with_commas(all) + " contact pairs.";
}

/// Legend entry: a colour, its meaning and number.
void colour_note(WindowState& state, const vec3& color, const char* name, long count) {
  swatch(state, ImVec4(color.r, color.g, color.b, 1));
  ImGui::TextDisabled("%s", name);
  const std::string number = with_commas(count);
  ImGui::SameLine(ImGui::GetCursorStartPos().x + ImGui::GetContentRegionAvail().x -
                  ImGui::CalcTextSize(number.c_str()).x);
  ImGui::TextUnformatted(number.c_str());
}

/// Number of drawn pairs per colour, if there are several.
void pairs_notes(WindowState& state) {
  ImGui::TextDisabled("%s", pairs_note(state).c_str());
  const std::vector<ContactPair>& pairs = state.session.frame().contact_pairs;
  if (state.session.playback() || pairs.empty() || pairs.front().kind == ContactKind::vertices) return;
  for (const auto& [kind, name] : {std::pair(ContactKind::vertex_triangle, "Vertex and triangle"),
                                   std::pair(ContactKind::edge_edge, "Edge and edge"),
                                   std::pair(ContactKind::vertex_edge, "Vertex and edge"),
                                   std::pair(ContactKind::vertex_vertex, "Vertex and vertex"),
                                   std::pair(ContactKind::body, "Cloth and body")}) {
    colour_note(state, contact_color(kind), name,
                std::count_if(pairs.begin(), pairs.end(),
                              [kind = kind](const ContactPair& p) { return p.kind == kind; }));
  }
}

/// Number of active samples and the kinds of the drawn ones.
void samples_notes(WindowState& state) {
  if (state.session.playback()) return ImGui::TextDisabled("A recorded run has no active samples.");
  const std::vector<ActiveSample>& samples = state.session.frame().active_samples;
  const long all = long(state.session.frame().stats.counter("active_samples")), drawn = long(samples.size());
  if (drawn == 0) return ImGui::TextDisabled("No active samples.");
  ImGui::TextDisabled(
      "%s", drawn < all
                ? fmt::format("{} of {} active samples drawn.", with_commas(drawn), with_commas(all)).c_str()
                : fmt::format("{} active sample{}.", with_commas(drawn), drawn == 1 ? "" : "s").c_str());
  const long guarded =
      std::count_if(samples.begin(), samples.end(), [](const ActiveSample& s) { return s.guarded; });
  colour_note(state, sample_color(true), "Safety depends on them", guarded);
  colour_note(state, sample_color(false), "Only pushed", drawn - guarded);
}

/// The scale of the colours is not fitted to the values.
bool scale_is_given(const ViewSettings& view) {
  const std::string& field = vertex_fields()[size_t(view.colouring)].name;
  return view.colour_max > 0 || (view.colour_fixed && fixed_top(field) > 0);
}

/// A button for each layer of the scene's garments, if there are several.
void layer_buttons(WindowState& state) {
  LayerView& layers = state.layers;
  if (layers.all.size() < 2 || state.session.playback()) return;
  ImGui::TextDisabled("Layers");
  bool first = true;
  for (const int layer : layers.all) {
    if (!first) ImGui::SameLine();
    first = false;
    const bool hidden = layers.hidden.count(layer) > 0;
    if (!hidden) ImGui::PushStyleColor(ImGuiCol_Button, theme::accent_dark);
    if (ImGui::Button(fmt::format(" {} ##layer", layer).c_str()))
      hidden ? void(layers.hidden.erase(layer)) : void(layers.hidden.insert(layer));
    if (!hidden) ImGui::PopStyleColor();
    note_item(state, fmt::format("layer:{}", layer));
    theme::tooltip(hidden ? "This layer is hidden; it is simulated all the same. Click to show it."
                          : "Click to hide this layer of the garments. 0 is next to the body.");
  }
}

/// The picture that lights the scene from all around.
void sky_choice(WindowState& state) {
  ViewSettings& view = state.view;
  if (view.light.empty()) {
    const std::string& why_not = state.offers.dialog.why_not();
    std::error_code gone;
    if (text_button(
            state, "Light from a picture\u2026",
            why_not.empty()
                ? "A Radiance picture (.hdr) lights the scene from all around. It can also be "
                  "dropped on the window."
                : "Drop a Radiance picture (.hdr) on the window, or type its path under Scene. " + why_not,
            -1, why_not.empty() && !state.offers.dialog.open()))
      state.offers.dialog.ask(std::filesystem::current_path(gone).string());
    return;
  }
  ImGui::TextDisabled("%s", elided("Light: " + std::filesystem::path(view.light).filename().string(),
                                   ImGui::GetContentRegionAvail().x)
                                .c_str());
  theme::tooltip(view.light);
  if (text_button(state, "Studio light", "Takes the picture away: the studio lights the scene again.", -1))
    view.light.clear(), state.settings.set("view.light", std::string());
}

}  // namespace

void view_panel(WindowState& state) {
  if (!begin_section(state, "View")) return;
  if (inject("panel")) throw Error("a panel failed", "view", "it was asked to");
  ParamTable table;
  table.add("view", state.view);
  ViewTarget target(state, table);
  // Ticks stand in two columns; everything else takes the width.
  bool left = true, room_beside = true;
  const float half = ImGui::GetContentRegionAvail().x / 2, start = ImGui::GetCursorPosX();
  for (const ParamRef& ref : table.refs()) {
    // Settings of a scale are shown while there is one.
    if (ref.key().starts_with("view.colour_") && state.view.colouring == 0) continue;
    if (ref.key().starts_with("view.light_") && state.view.light.empty()) continue;
    const bool tick = std::holds_alternative<bool*>(ref.pointer());
    const bool fits = tick && ImGui::CalcTextSize(ref.info().label.c_str()).x < half - 30 * state.scale;
    if (fits && !left && room_beside) ImGui::SameLine(start + half);
    else left = true;
    room_beside = fits;
    const bool idle = ref.key() == "view.colour_percentile" && scale_is_given(state.view);
    if (idle) ImGui::BeginDisabled();
    if (ref.key() == "view.colouring") colour_choice(state, target, ref, state.session.playback());
    else param_slider(state, target, ref);
    if (idle) ImGui::EndDisabled();
    left = tick ? !left : true;
  }
  layer_buttons(state);
  sky_choice(state);
  if (state.view.contact_pairs) pairs_notes(state);
  if (state.view.active_samples) samples_notes(state);
  ImGui::Checkbox("Full screen", &state.requests.full_screen);
  note_item(state, "full_screen");
  theme::tooltip("F11. Fills the screen that the window is on; once more, and it has its size again.");
  bool light = state.settings.flag("light", false);
  if (ImGui::Checkbox("Light panels", &light)) state.settings.set("light", light), theme::use(light);
  note_item(state, "light");
  theme::tooltip("Dark text on a light ground, for bright rooms and projectors.");
  if (text_button(state, "Frame all", "F. Moves the camera so that everything is in the picture.", -1))
    state.requests.frame_view = true;
  const bool high = state.renderer.effective_quality(state.view) == Quality::high;
  ImGui::PushTextWrapPos(0);
  ImGui::TextDisabled("%s",
                      fmt::format("{} quality, {:.0f} pictures/s, {:.1f} ms each", high ? "High" : "Low",
                                  state.rates.pictures_per_second, state.rates.picture_ms)
                          .c_str());
  ImGui::TextDisabled("%s", state.renderer.renderer_name().c_str());
  ImGui::PopTextWrapPos();
  end_section();
}

}  // namespace weft
