// Fine wrinkles on the shown state: synthesis, parameters, gathers.
#include <fmt/format.h>
#include <imgui.h>

#include "sim/base/error.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

/// Settings of the layer; they are not part of the scene's undo.
class WrinkleTarget : public ParamTarget {
 public:
  WrinkleTarget(WindowState& state, const ParamTable& table) : state_(state), table_(table) {}
  void begin(const std::string&) override {}
  void set(const std::string& key, const std::string& text) override {
    const wrinkles::WrinkleParams before = state_.wrinkles.settings.params;
    try {
      table_.set(key, text);
      wrinkles::check(state_.wrinkles.settings.params);
    } catch (const Error& e) {
      state_.wrinkles.settings.params = before;
      state_.toasts.add(LogLevel::error, e.what());
    }
  }
  void end() override {}

 private:
  WindowState& state_;
  const ParamTable& table_;
};

void parameters(WindowState& state) {
  ParamTable table;
  table.add("wrinkle", state.wrinkles.settings.params);
  WrinkleTarget target(state, table);
  // Simplification is for files.
  for (const ParamRef& ref : table.refs())
    if (!ref.info().advanced && ref.key() != "wrinkle.tolerance") param_slider(state, target, ref);
  if (!fold(state, "fold.wrinkles", "More")) return;
  for (const ParamRef& ref : table.refs())
    if (ref.info().advanced) param_slider(state, target, ref);
}

/// Vertices and memory, counted again when settings have come to rest.
void need_note(WindowState& state) {
  auto& [model, of, text] = state.memory.wrinkle_need;
  const WrinkleView& w = state.wrinkles;
  if ((model != state.session.view().model_id || !(of == w.settings)) && !ImGui::IsAnyItemActive()) {
    model = state.session.view().model_id, of = w.settings;
    try {
      const wrinkles::SynthesisNeed need = wrinkle_need(state.session.view(), w.settings);
      text =
          fmt::format("{} vertices, {:.0f} MB", with_commas(long(need.vertices)), double(need.bytes) * 1e-6);
    } catch (const std::exception& e) {
      text = e.what();
    }
  }
  ImGui::TextDisabled("%s", text.c_str());
}

/// A slider for a number of a gather, `width` pixels wide.
void factor(WindowState& state, size_t index, float width, const char* label, float wrinkles::Gather::*member,
            float least, float most, const char* form, const char* help) {
  WrinkleView::Gathers gathers = state.wrinkles.settings.gathers;
  ImGui::SetNextItemWidth(width);
  if (ImGui::SliderFloat(fmt::format("##{}{}", label, index).c_str(), &(gathers[index].*member), least, most,
                         form))
    state.wrinkles.change(std::move(gathers));
  note_item(state, fmt::format("gather{}.{}", index, label));
  theme::tooltip(help);
}

/// A tick for a property of a gather.
void tick(WindowState& state, size_t index, const char* label, const char* key,
          bool wrinkles::Gather::*member, const char* help) {
  WrinkleView::Gathers gathers = state.wrinkles.settings.gathers;
  if (ImGui::Checkbox(fmt::format("{}##{}", label, index).c_str(), &(gathers[index].*member)))
    state.wrinkles.change(std::move(gathers));
  note_item(state, fmt::format("gather{}.{}", index, key));
  theme::tooltip(help);
}

void gather_fields(WindowState& state, size_t i) {
  const bool lines = state.wrinkles.settings.gathers[i].kind != "stroke";
  const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  factor(state, i, half, "s0", &wrinkles::Gather::s0, 0.5f, 3, "along \u00d7%.2f",
         "Length of the cloth along the line over that of its place. More makes more folds; 1: none.");
  ImGui::SameLine();
  factor(state, i, half, "radius", &wrinkles::Gather::radius, 0.002f, 0.2f, "%.3f m wide",
         "How far from the line the gathering reaches, and a filling thins where the line is stitched.");
  if (lines) {
    factor(state, i, half, "spacing", &wrinkles::Gather::spacing, 0.005f, 0.5f, "%.3f m apart",
           "Distance between the lines.");
    ImGui::SameLine();
    factor(state, i, half, "angle", &wrinkles::Gather::angle, -90, 90, "%.0f degrees",
           "Between the lines and the weft; half the angle of diamonds.");
  }
  tick(state, i, "Stitched", "stitched", &wrinkles::Gather::stitched,
       "Sewn through a filling, as a quilt is: the cloth stays on the coarse surface along the line, and the "
       "filling (or air) lifts what is between. Off: gathered alone.");
  if (!lines) return;
  ImGui::SameLine();
  tick(state, i, "Meet at seams", "meet_at_seams", &wrinkles::Gather::meet_at_seams,
       "Each panel's lines are moved so that they meet those of the panels that it is sewn to. Off: one "
       "passes through the origin of the material.");
}

void list_gathers(WindowState& state) {
  WrinkleView& w = state.wrinkles;
  for (size_t i = 0; i < w.settings.gathers.size(); ++i) {
    const wrinkles::Gather g = w.settings.gathers[i];
    ImGui::TextDisabled(
        "%s", fmt::format("{} {}{}", i + 1, g.kind, g.cloth.empty() ? "" : " on " + g.cloth).c_str());
    ImGui::SameLine(ImGui::GetContentRegionMax().x - 20 * state.scale);
    if (theme::cross_button(fmt::format("##gather{}", i).c_str(), 16 * state.scale)) {
      WrinkleView::Gathers gathers = w.settings.gathers;
      gathers.erase(gathers.begin() + long(i));
      w.change(std::move(gathers));
      return;
    }
    gather_fields(state, i);
  }
  const ButtonRow row({"Undo gather", "Redo gather"});
  if (text_button(state, "Undo gather", "", row.width(), w.history.can_undo())) w.undo();
  row.next();
  if (text_button(state, "Redo gather", "", row.width(), w.history.can_redo())) w.redo();
}

void add_rows(WindowState& state, const char* kind) {
  WrinkleView::Gathers gathers = state.wrinkles.settings.gathers;
  wrinkles::Gather g;
  g.kind = kind;
  g.angle = g.kind == "diamonds" ? 45.0f : 0.0f;
  g.radius = 0.005f, g.irregularity = 0.2f;
  gathers.push_back(g);
  state.wrinkles.change(std::move(gathers));
}

void progress(WindowState& state) {
  WrinkleView& w = state.wrinkles;
  const FineState* shown = w.shown(state.session);
  if (w.layer.working()) {
    ImGui::ProgressBar(float(w.layer.progress()), ImVec2(-1, 0));
    note_item(state, "wrinkles.progress");
    if (text_button(state, "Cancel wrinkles", "", -1))
      w.layer.cancel(), w.mode = WrinkleView::Mode::off, w.once = false;
  } else if (shown) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled(
        "%s", fmt::format("{} vertices in {:.1f} s. {}", with_commas(long(shown->frame->positions.size())),
                          shown->seconds, shown->certificate)
                  .c_str());
    ImGui::PopTextWrapPos();
    note_item(state, "wrinkles.shown");
  }
}

}  // namespace

void wrinkle_panel(WindowState& state) {
  if (!begin_section(state, "Wrinkles", false)) return;
  WrinkleView& w = state.wrinkles;
  const int mode = segmented(
      state, "wrinkles.mode",
      {{"Off", "The simulated cloth is shown."},
       {"Paused", "Wrinkles are made as soon as the simulation pauses."},
       {"Live",
        "Wrinkles follow the simulation, as fast as they can be made; a coarse cell keeps up better."}},
      int(w.mode));
  if (mode >= 0) w.mode = WrinkleView::Mode(mode);
  if (mode == 0) w.layer.clear(), w.worked_step = -1;
  if (text_button(state, "Synthesise this frame",
                  "Pauses, and puts the wrinkles of the fabric on the shown state (Wang 2021). The "
                  "simulation itself is not changed.",
                  -1, !w.layer.working())) {
    state.session.pause();
    w.once = true;
  }
  need_note(state);
  progress(state);
  parameters(state);
  ImGui::TextDisabled("Gathering");
  const ButtonRow row({"Sketch", "Rows", "Diamonds"});
  if (w.sketching) ImGui::PushStyleColor(ImGuiCol_Button, theme::accent_dark);
  const bool was = w.sketching;
  if (text_button(state, "Sketch", "Then drag along a line on the cloth: it is gathered there.", row.width()))
    w.sketching = !w.sketching;
  if (was) ImGui::PopStyleColor();
  row.next();
  if (text_button(state, "Rows", "Gathers along parallel rows (shirring).", row.width()))
    add_rows(state, "rows");
  row.next();
  if (text_button(state, "Diamonds", "Gathers along two families of lines (quilting).", row.width()))
    add_rows(state, "diamonds");
  list_gathers(state);
  if (text_button(state, "Save wrinkles",
                  "Writes parameters and gathers as TOML, for 'weft wrinkle --settings'.", -1))
    state.session.save_text("wrinkles.toml", wrinkles::as_toml(w.settings), "the wrinkles");
  end_section();
}

}  // namespace weft
