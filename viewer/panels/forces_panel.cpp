// Forces panel: gravity, wind, damping, the mouse.
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/theme/theme.h"

namespace weft {

void forces_panel(WindowState& state) {
  if (!begin_section(state, "Forces")) return;
  SceneTarget target(state.session);
  for (const ParamRef& ref : state.session.params().refs())
    if (ref.key().rfind("forces.", 0) == 0) param_slider(state, target, ref);
  ImGui::Spacing();
  ImGui::TextDisabled("Mouse");
  for (const ParamRef& ref : state.session.params().refs())
    if (ref.key().rfind("drag.", 0) == 0) param_slider(state, target, ref);
  const size_t held = state.session.drag().handles().size();
  const std::string label =
      held ? "Let go of " + std::to_string(held) + (held == 1 ? " handle" : " handles") : "Let go of handles";
  if (text_button(state, label, "Backspace. Shift while you release the mouse leaves a handle in place.", -1,
                  held > 0))
    state.session.drag().release_all();
  end_section();
}

}  // namespace weft
