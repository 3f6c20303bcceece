// When the window makes wrinkles, and which it shows.
#include "viewer/session/window_state.h"

namespace weft {

void WrinkleView::open(const Scene& scene) {
  settings.gathers = scene.of<GatherList>().list;
  history.clear();
}

void WrinkleView::change(Gathers gathers) {
  if (gathers == settings.gathers) return;
  history.push({"", settings.gathers, gathers});
  settings.gathers = std::move(gathers);
}

void WrinkleView::undo() {
  if (const auto* step = history.undo()) settings.gathers = step->before;
}

void WrinkleView::redo() {
  if (const auto* step = history.redo()) settings.gathers = step->after;
}

bool WrinkleView::turn(const Session& session, int threads) {
  const FineState* const was = shown(session);
  layer.refresh();
  const Frame& frame = session.frame();
  const bool whole = frame.model_id == session.view().model_id;  // not between two scenes
  const bool same_state = worked_model == frame.model_id && worked_step == frame.step;
  const bool wanted = once || mode == Mode::live || (mode == Mode::paused && !session.playing());
  if (layer.working()) {
    // Live, other states wait for the end; else a step that was still on its way at the pause makes the work
    // useless.
    if (!wanted || !(worked == settings) || (mode != Mode::live && !same_state))
      layer.cancel(), worked_step = -1;
  } else if (wanted && whole && !(same_state && worked == settings)) {
    worked = settings, worked_model = frame.model_id, worked_step = frame.step;
    layer.synthesise(session.shared_view(), session.shared_frame(), settings, session.device_choice(),
                     threads);
  } else {
    once = false;
  }
  const FineState* const newest = layer.shown();
  if (mode == Mode::live && whole && !layer.carrying() && newest && newest->of_step != frame.step)
    layer.carry(session.shared_view(), session.shared_frame(), session.device_choice());
  return shown(session) != was;
}

const FineState* WrinkleView::shown(const Session& session) const {
  const FineState* fine = layer.shown();
  if (!fine || fine->of_model != session.view().model_id) return nullptr;
  // Live, wrinkles are carried from state to state: what is drawn is at most this old, or the state itself.
  constexpr auto kOldest = std::chrono::seconds(2);
  const bool live = mode == Mode::live && (layer.working() || layer.carrying()) &&
                    std::chrono::steady_clock::now() - fine->begun < kOldest;
  return live || fine->of_step == session.frame().step ? fine : nullptr;
}

}  // namespace weft
