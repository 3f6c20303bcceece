// What is shown while a scene is built that takes its time.
#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace weft {
namespace {

void begin(const char* id, ImVec2 middle) {
  ImGui::SetNextWindowPos(middle, ImGuiCond_Always, ImVec2(0.5f, 0.5f));
  ImGui::SetNextWindowBgAlpha(0.92f);
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove);
}

void bar(const Runner::Work& work, float scale) {
  ImGui::TextUnformatted(elided(work.what, 340 * scale).c_str());
  ImGui::ProgressBar(float(work.share), ImVec2(340 * scale, 0));
}

}  // namespace

void loading_note(WindowState& state) {
  const auto work = state.session.loading();
  if (!work) return;
  begin("##loading",
        ImVec2(state.viewport.x + state.viewport.width / 2, state.viewport.y + 70 * state.scale));
  bar(*work, state.scale);
  if (text_button(state, "Cancel", "The scene that is shown stays.", -1))
    state.session.runner().cancel_loads();
  note_item(state, "loading.cancel");
  ImGui::End();
}

void loading_splash(const Runner::Work& work, float scale, bool over_picture) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  begin("##splash", ImVec2(size.x / 2, over_picture ? size.y - 70 * scale : size.y / 2));
  bar(work, scale);
  ImGui::End();
}

}  // namespace weft
