// Forces panel: gravity, wind, damping, the mouse.
#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/theme/theme.h"

namespace weft {

namespace {

void brush_choice(WindowState& state) {
  SelectBrush& brush = state.memory.brush;
  ImGui::TextDisabled("Brush");
  const int current = !brush.on ? 0 : brush.use == SelectFor::pin ? 1 : brush.use == SelectFor::free ? 2 : 3;
  const int c = segmented(state, "brush",
                          {{"Off", "A drag on the cloth pulls it."},
                           {"Pin",
                            "B. A drag on the cloth pins the vertices within the ring; the wheel makes it "
                            "larger or smaller."},
                           {"Free", "A drag on the cloth frees pinned vertices within the ring."},
                           {"Fasten",
                            "A drag on the cloth fastens the vertices within the ring as one, on a "
                            "handle that stays and can be dragged."}},
                          current);
  if (c < 0) return;
  brush.on = c > 0;
  if (c > 0) brush.use = c == 1 ? SelectFor::pin : c == 2 ? SelectFor::free : SelectFor::handle;
}

}  // namespace

void forces_panel(WindowState& state) {
  if (!begin_section(state, "Forces")) return;
  SceneTarget target(state.session);
  for (const ParamRef& ref : state.session.params().refs())
    if (ref.key().rfind("forces.", 0) == 0) param_slider(state, target, ref);
  ImGui::Spacing();
  ImGui::TextDisabled("Mouse");
  for (const ParamRef& ref : state.session.params().refs())
    if (ref.key().rfind("drag.", 0) == 0) param_slider(state, target, ref);
  brush_choice(state);
  const size_t held = state.session.drag().handles().size();
  const std::string label =
      held ? "Let go of " + std::to_string(held) + (held == 1 ? " handle" : " handles") : "Let go of handles";
  if (text_button(state, label, "Backspace. Shift while you release the mouse leaves a handle in place.", -1,
                  held > 0))
    state.session.drag().release_all();
  end_section();
}

}  // namespace weft
