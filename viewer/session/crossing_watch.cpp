#include "viewer/session/crossing_watch.h"

#include <fmt/format.h>

#include "viewer/session/window_session.h"

namespace weft {

void CrossingWatch::turn(const Session& session, CrossingTest test) {
  if (test != test_ || session.view().model_id != model_) {
    record_.reset();
    test_ = test, model_ = session.view().model_id;
  }
  collect();
  if (test == CrossingTest::each && !session.playback()) record_ = session.runner().verdict();
  else if (test != CrossingTest::off) begin(session);
}

void CrossingWatch::begin(const Session& session) {
  const auto frame = session.shared_frame();
  if (running_.valid() || Clock::now() < next_ || frame->model_id != model_) return;
  if (record_ && frame->id == frame_) return;  // it was tested
  frame_ = frame->id, running_model_ = model_;
  running_ = std::async(std::launch::async,
                        [frame, view = session.shared_view()] { return verdict_of(*frame, *view); });
}

void CrossingWatch::collect() {
  if (!running_.valid() || running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  StateVerdict verdict = running_.get();
  next_ = Clock::now() + std::chrono::microseconds(long(9e3 * verdict.ms));
  if (running_model_ != model_ || test_ == CrossingTest::off) return;
  auto record = record_ ? std::make_shared<VerdictRecord>(*record_) : std::make_shared<VerdictRecord>();
  record->take(std::move(verdict));
  record_ = std::move(record);
}

VerdictWords verdict_words(const CrossingWatch& watch, const std::string& promise) {
  const auto record = watch.record();
  if (!record || record->tested() == 0) return {};
  const StateVerdict& last = record->last();
  VerdictWords words;
  words.crosses = last.crosses();
  const bool before = !last.crosses() && record->first_step() >= 0;
  words.text = last.crosses() ? fmt::format("{} triangles cross", last.triangles.size())
               : before       ? fmt::format("Crossed from step {}", record->first_step())
                              : "No crossing";
  if (last.crosses())
    words.tooltip =
        fmt::format("{} triangles cross the cloth or themselves, {} a body. They are outlined in red. ",
                    last.own, last.with_bodies);
  if (record->first_step() >= 0)
    words.tooltip +=
        fmt::format("First found in step {}: a click goes there, if it is kept. ", record->first_step());
  words.tooltip += fmt::format(
      "{} {} tested, {} of them {}; {:.3g} ms each (View, Test crossings). {}", record->tested(),
      watch.test() == CrossingTest::each ? "states were" : "of the shown states were", record->crossing(),
      record->crossing() == 1 ? "crosses" : "cross", record->mean_ms(), promise);
  return words;
}

}  // namespace weft
