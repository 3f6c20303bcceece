#include "viewer/session/reason_watch.h"

#include "viewer/session/window_session.h"

namespace weft {
namespace {

constexpr auto kBetween =
    std::chrono::milliseconds(700);  // of two looks: a line that changes faster flickers

}  // namespace

void ReasonWatch::begin(const Session& session) {
  if (session.view().model_id != model_) mesh_ = mesh_facts(session.view());
  model_ = session.view().model_id, revision_ = session.revision();
  steps_.clear(), list_.clear();
  known_ = false;
}

void ReasonWatch::look(const Session& session, const CrossingWatch& crossings) {
  const Frame& frame = session.frame();
  // What a changed parameter does is told of steps that have it.
  if (session.view().model_id != model_ || session.revision() != revision_) begin(session);
  steps_.look(frame.step, frame.stats, frame.stages);
  if (Clock::now() < next_) return;
  next_ = Clock::now() + kBetween;
  const bool slow = frame.too_slow || session.pace() == Pace::fastest;
  list_ = steps_.reasons(session.scene(), mesh_, crossings.record().get(), slow);
  known_ = steps_.enough();
}

void ReasonWatch::apply(Session& session, const StepReason& reason) {
  const StepReason chosen = reason;  // the list changes
  const long before = session.revision();
  if (chosen.coarser != 1) session.change_edges(chosen.coarser);
  else session.change(chosen.button, chosen.change);
  if (session.revision() == before && chosen.coarser == 1) return;  // it was refused, and told so
  if (chosen.coarser == 1 && chosen.restart) session.reset();
  begin(session);
}

}  // namespace weft
