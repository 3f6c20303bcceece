// The garment of the scene: its panels and seams, and how they are placed and sewn.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "sim/garment/edge_curve.h"
#include "sim/garment/edit_outline.h"
#include "sim/garment/formats/garmentcode.h"
#include "sim/garment/grade.h"
#include "sim/garment/point_seam.h"
#include "sim/garment/sewing_params.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/session/edge_elastic.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

/// An edit that cannot be sewn is reported, and nothing is changed.
void edit(WindowState& state, const std::string& label, const std::function<void(Pattern&)>& change,
          bool joined = true) {
  try {
    state.pattern.editor.edit(label, change, joined);
  } catch (const std::exception& e) {
    state.toasts.add(LogLevel::error, e.what());
  }
}

void list_panels(WindowState& state) {
  PatternEditor& editor = state.pattern.editor;
  const std::vector<Panel>& panels = editor.pattern().panels;
  const float height =
      ImGui::GetTextLineHeightWithSpacing() * float(std::clamp<size_t>(panels.size(), 2, 6)) +
      2 * ImGui::GetStyle().WindowPadding.y;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme::header);
  ImGui::PushStyleColor(ImGuiCol_Header, theme::accent_dark);
  if (ImGui::BeginChild("##panels", ImVec2(0, height), true))
    for (size_t p = 0; p < panels.size(); ++p) {
      const bool chosen = editor.selected().panel == int(p);
      const std::string name = elided(panels[p].name, ImGui::GetContentRegionAvail().x);
      if (ImGui::Selectable(fmt::format("{}##{}", name, p).c_str(), chosen)) editor.select({int(p), -1});
      note_item(state, "garment:" + panels[p].name);
    }
  const float wheel = wheel_left_over();
  ImGui::EndChild();
  scroll_panel(wheel);
  ImGui::PopStyleColor(2);
}

/// A field with a label above values that are dragged. True while it changes.
bool field(WindowState& state, const char* label, const char* key, double* values, int count, float speed,
           const char* form, const char* help) {
  ImGui::TextDisabled("%s", label);
  ImGui::SetNextItemWidth(-1);
  const bool changed = ImGui::DragScalarN((std::string("##") + key).c_str(), ImGuiDataType_Double, values,
                                          count, speed, nullptr, nullptr, form);
  note_item(state, key);
  theme::tooltip(help);
  return changed;
}

void placement(WindowState& state, size_t index) {
  Panel panel = state.pattern.editor.pattern().panels[index];
  const auto change = [&](const char* label, auto member) {
    edit(state, fmt::format("{} of {}", label, panel.name),
         [&](Pattern& p) { p.panels[index].*member = panel.*member; });
  };
  if (field(state, "Position (m)", "garment.position", &panel.position.x, 3, 0.002f, "%.3f",
            "Where the panel's origin is before sewing: right, up, to the front."))
    change("Position", &Panel::position);
  if (field(state, "Rotation (degrees)", "garment.rotation", &panel.rotation.x, 3, 0.5f, "%.1f",
            "About x, then y, then z. A back panel is turned by 180 degrees about y, so that its right side "
            "is worn outwards."))
    change("Rotation", &Panel::rotation);
  if (field(state, "Bend radius (m)", "garment.bend", &panel.bend_radius, 1, 0.002f, "%.3f",
            "Curves the panel around the body before sewing. 0: flat."))
    change("Bend", &Panel::bend_radius);
  ImGui::TextDisabled("Layer");
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputInt("##layer", &panel.layer)) {
    panel.layer = std::clamp(panel.layer, 0, 20);
    change("Layer", &Panel::layer);
  }
  note_item(state, "garment.layer");
  theme::tooltip("0 lies next to the body; each further layer starts 9 mm outside the last.");
}

void seam_row(WindowState& state, int s) {
  PatternEditor& editor = state.pattern.editor;
  const Seam& seam = editor.pattern().seams[size_t(s)];
  std::string text;
  double shortest = 1e300, longest = 0;
  for (const SeamSide& side : seam.sides) {
    const Panel& panel = editor.pattern().panels[size_t(side.panel)];
    text += (text.empty() ? "" : " + ") + panel.name;
    if (is_point(side)) continue;
    const double length = std::abs(side.to - side.from) * curve_of(panel, side.edge).length();
    shortest = std::min(shortest, length), longest = std::max(longest, length);
  }
  const unsigned c = seam_color(size_t(s));
  swatch(state, ImVec4(float((c >> 16) & 255) / 255, float((c >> 8) & 255) / 255, float(c & 255) / 255, 1));
  const bool button = is_button(seam);
  if (button) text = "button: " + text;
  if (!button && longest > 1.02 * shortest) text += fmt::format(", gathered {:.2f}", longest / shortest);
  const ImGuiStyle& style = ImGui::GetStyle();
  const float buttons = ImGui::CalcTextSize("TurnOpen").x + 4 * style.FramePadding.x + style.ItemSpacing.x;
  ImGui::TextUnformatted(
      elided(text, ImGui::GetContentRegionAvail().x - buttons - style.ItemSpacing.x).c_str());
  std::string words = (seam.name.empty() ? "" : seam.name + "\n") + text;
  if (!button) words += fmt::format("\n{:.1f} cm", 100 * shortest);
  theme::tooltip(words);
  ImGui::SameLine(ImGui::GetContentRegionMax().x - buttons);
  ImGui::PushID(s);
  try {
    if (!button) {
      if (ImGui::SmallButton("Turn")) editor.turn_seam(s);
      theme::tooltip("Sews the last side the other way round.");
      ImGui::SameLine();
    }
    if (ImGui::SmallButton("Open")) editor.unsew(s);
    theme::tooltip("Takes the seam away.");
  } catch (const std::exception& e) {
    state.toasts.add(LogLevel::error, e.what());
  }
  ImGui::PopID();
}

/// Seams of the selected panel or edge.
void list_seams(WindowState& state) {
  const PatternEditor& editor = state.pattern.editor;
  const PatternPlace chosen = editor.selected();
  ImGui::TextDisabled(chosen.edge >= 0 ? "Seams of this edge" : "Seams of this panel");
  // By number, since a button may take one away.
  for (int s = 0; s < int(editor.pattern().seams.size()); ++s) {
    const auto& sides = editor.pattern().seams[size_t(s)].sides;
    const bool here = std::any_of(sides.begin(), sides.end(), [&](const SeamSide& side) {
      return side.panel == chosen.panel && (chosen.edge < 0 || side.edge == chosen.edge);
    });
    if (here) seam_row(state, s);
  }
}

/// One setting for a band at the selected edge: seams there, or its hem, are shorter at rest.
void elastic_of_edge(WindowState& state) {
  const PatternEditor& editor = state.pattern.editor;
  const PatternPlace chosen = editor.selected();
  if (chosen.edge < 0) return;
  const double now = elastic_at(editor.pattern(), chosen);
  double ratio = now == kSceneElastic ? double(state.session.scene().of<SewingParams>().elastic) : now;
  const std::string form = now == kSceneElastic ? "%.2f, of the scene" : now == 1 ? "none" : "%.2f";
  if (field(state, "Elastic band at this edge", "garment.elastic", &ratio, 1, 0.005f, form.c_str(),
            "Rest length over length in the pattern: 0.7 to 0.9 for a waistband. Drag to the left to add "
            "one; 1: none."))
    edit(state, "Elastic at " + edge_in_words(editor.pattern().panels[size_t(chosen.panel)], chosen.edge),
         [&](Pattern& p) { set_elastic_at(p, chosen, ratio); });
}

/// The selected edge moved by a typed length, and whether both halves of a panel change.
void reshape(WindowState& state) {
  PatternView& view = state.pattern;
  const PatternPlace chosen = view.editor.selected();
  const bool mirrored = mirror_of(view.editor.pattern().panels[size_t(chosen.panel)]).has_value();
  ImGui::BeginDisabled(!mirrored);
  ImGui::Checkbox("Keep symmetric", &view.symmetric);
  note_item(state, "garment.symmetric");
  ImGui::EndDisabled();
  theme::tooltip(mirrored
                     ? "Points and edges that are moved on one half of the panel move on the other half too."
                     : "The panel is not symmetric about its own vertical line.");
  if (chosen.edge < 0) return;
  ImGui::TextDisabled("Move this edge outwards (cm)");
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputDouble("##move", &view.by_cm, 0, 0, "%.1f", ImGuiInputTextFlags_EnterReturnsTrue)) {
    try {
      view.editor.move_edge(chosen, 0.01 * view.by_cm, view.symmetric);
    } catch (const std::exception& e) {
      state.toasts.add(LogLevel::error, e.what());
    }
    view.by_cm = 0;
  }
  note_item(state, "garment.move");
  theme::tooltip(
      "Type a length and press Enter: 3 makes a hem 3 cm longer, -1 takes 1 cm away. Or drag the edge "
      "in the pattern.");
}

/// A button that stays down while clicks on the pattern are its own.
void tool_button(WindowState& state, PatternTool tool, const char* label, const char* help, float width) {
  PatternView& view = state.pattern;
  const bool down = view.tool == tool;
  if (down) ImGui::PushStyleColor(ImGuiCol_Button, theme::accent_dark);
  if (text_button(state, label, help, width)) {
    view.tool = down ? PatternTool::select : tool, view.sewing_from = {};
    if (!down) view.visible = true;
  }
  if (down) ImGui::PopStyleColor();
}

void outline_tools(WindowState& state) {
  const ButtonRow row({"Add point", "Add notch"});
  tool_button(
      state, PatternTool::point, "Add point",
      "Then click an edge of the pattern: it is divided there, with its seams. A double-click on an edge "
      "does the same.",
      row.width());
  row.next();
  tool_button(state, PatternTool::notch, "Add notch",
              "Then click an edge of the pattern: it is marked there, also in print and in saved patterns.",
              row.width());
  tool_button(state, PatternTool::remove, "Remove point or notch",
              "Then click a point of an outline: the edges beside it become one. Or click a notch.", -1);
}

void mirror_button(WindowState& state, int panel) {
  if (!text_button(state, "Mirror panel",
                   "Adds the panel's partner on the other side of the body, with the seams within the panel.",
                   -1))
    return;
  PatternView& view = state.pattern;
  edit(
      state, "Mirror " + view.editor.pattern().panels[size_t(panel)].name,
      [&](Pattern& p) {
        view.editor.select({mirror_panel(p, panel), -1});
      },
      false);
  view.frame = true;
}

/// All panels wider or longer by typed lengths.
void grading(WindowState& state) {
  if (!fold(state, "grading", "Grading")) return;
  PatternView& view = state.pattern;
  const float width = ImGui::CalcTextSize("-100.0").x + 4 * ImGui::GetStyle().FramePadding.x;
  for (const bool across : {true, false}) {
    ImGui::SetNextItemWidth(width);
    double& cm = across ? view.grade_cm.x : view.grade_cm.y;
    ImGui::InputDouble(across ? "cm wider" : "cm longer", &cm, 0, 0, "%.1f");
    note_item(state, across ? "grade.width" : "grade.length");
    theme::tooltip(across ? "What the widest panel gains; the others gain in proportion. Below 0: narrower."
                          : "What the longest panel gains; the others gain in proportion. Below 0: shorter.");
  }
  if (!text_button(state, "Apply grading",
                   "Scales all panels about their middles and upper ends; darts, notches "
                   "and buttons move along. \"Dress\" puts the garment on again.",
                   -1, view.grade_cm != dvec2(0)))
    return;
  const auto change = [&](Pattern& p) {
    if (view.grade_cm.x != 0) grade(p, {Grade::Along::width, 0.01 * view.grade_cm.x, false});
    if (view.grade_cm.y != 0) grade(p, {Grade::Along::length, 0.01 * view.grade_cm.y, false});
  };
  edit(state, "Grading", change, false);
  view.grade_cm = dvec2(0);
}

/// Sewn lines that fit less well or better since the pattern was opened.
void tell_misfits(WindowState& state) {
  const PatternEditor& editor = state.pattern.editor;
  for (const SeamMisfit& m : editor.misfits()) {
    const std::string text = "Sewn lines differ: " + in_words(editor.pattern(), m);
    ImGui::PushStyleColor(ImGuiCol_Text, theme::warning);
    ImGui::TextWrapped("%s", text.c_str());
    ImGui::PopStyleColor();
    theme::tooltip(
        fmt::format("{:.1f} cm as the pattern was opened. The longer line is gathered.", 100 * m.before));
  }
}

/// True if a change of a parameter acts on the garment that is shown.
bool acts_at_once(const Scene& scene, int cloth, const std::string& key) {
  if (key == "sewing.seam_bending") return true;
  return scene.cloths[size_t(cloth)].start != "dressed" &&
         (key == "sewing.elastic" || key == "sewing.layer_distance");
}

void sewing_params(WindowState& state) {
  if (!fold(state, "sewing", "Sewing and dressing")) return;
  SceneTarget target(state.session);
  for (const bool now : {true, false}) {
    ImGui::TextDisabled(now ? "For this garment" : "For the next Dress");
    for (const ParamRef& ref : state.session.params().refs())
      if (ref.key().rfind("sewing.", 0) == 0 &&
          acts_at_once(state.session.scene(), state.pattern.editor.cloth(), ref.key()) == now)
        param_slider(state, target, ref);
  }
}

void edit_buttons(WindowState& state) {
  PatternView& view = state.pattern;
  const ButtonRow row({"Undo edit", "Redo edit"});
  if (text_button(state, "Undo edit", view.editor.can_undo() ? "Takes back: " + view.editor.undo_label() : "",
                  row.width(), view.editor.can_undo()))
    view.editor.undo();
  row.next();
  if (text_button(state, "Redo edit", "", row.width(), view.editor.can_redo())) view.editor.redo();
  const ButtonRow below({"Sew anew", "Dress"});
  if (text_button(state, "Sew anew",
                  "Builds the garment from this pattern and starts it again. Sliders keep their values; pins "
                  "by hand are dropped.",
                  below.width(), view.editor.differs())) {
    state.session.sew_again(view.editor.cloth(), view.editor.pattern());
    view.editor.sewing();
  }
  below.next();
  if (text_button(state, "Dress",
                  "Sews the garment around the scene's bodies: they begin thin, and seams close while they "
                  "grow. It takes a minute or so the first time.",
                  below.width(), !state.session.scene().obstacles.empty())) {
    state.session.sew_again(view.editor.cloth(), view.editor.pattern(), "dressed");
    view.editor.sewing();
  }
  if (text_button(state, "Save pattern",
                  "Writes the pattern as GarmentCode JSON into the current folder. Ctrl-S writes it into the "
                  "scene instead.",
                  -1))
    state.session.save_text(view.editor.pattern().name + ".json", write_garmentcode(view.editor.pattern()),
                            "the pattern");
}

}  // namespace

void garment_panel(WindowState& state) {
  PatternView& view = state.pattern;
  if (view.editor.empty() || !begin_section(state, "Garment")) return;
  const ButtonRow row({"Pattern", "Sew edges"});
  if (text_button(state, view.visible ? "Hide pattern" : "Pattern",
                  "G. Shows the flat pattern beside the picture.", row.width()))
    view.visible = !view.visible;
  row.next();
  tool_button(state, PatternTool::sew, "Sew edges",
              "Then click two edges of the pattern: they are joined by a seam.", row.width());
  outline_tools(state);
  list_panels(state);
  edit_buttons(state);  // above what depends on the selection, so that they stay in sight
  if (view.editor.differs()) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::warning);
    ImGui::TextWrapped("The pattern has changed since it was sewn.");
    ImGui::PopStyleColor();
    note_item(state, "garment.changed");
  }
  if (const int panel = view.editor.selected().panel; panel >= 0) {
    reshape(state);
    mirror_button(state, panel);
    placement(state, size_t(panel));
    elastic_of_edge(state);
    list_seams(state);
  }
  tell_misfits(state);
  grading(state);
  sewing_params(state);
  end_section();
}

}  // namespace weft
