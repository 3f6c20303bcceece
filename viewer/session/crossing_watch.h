// Looks for crossings in the states that a window shows.
#pragma once
#include <chrono>
#include <future>
#include <memory>
#include <string>

#include "sim/run/verdict.h"

namespace weft {

class Session;

/// Which states are tested: ViewSettings::crossings.
enum class CrossingTest { off, shown, each };

class CrossingWatch {
 public:
  /// Once for each picture. States that are shown are tested on a thread of their own, nine tenths of whose
  /// time are idle; each step is tested by the simulator (Runner::verdict).
  void turn(const Session& session, CrossingTest test);
  /// What was found; nullptr: nothing was tested yet.
  std::shared_ptr<const VerdictRecord> record() const { return record_; }
  /// Which states the record is of.
  CrossingTest test() const { return test_; }

 private:
  using Clock = std::chrono::steady_clock;
  void begin(const Session& session);
  void collect();
  std::shared_ptr<const VerdictRecord> record_;
  std::future<StateVerdict> running_;
  CrossingTest test_ = CrossingTest::off;
  uint64_t model_ = 0, running_model_ = 0, frame_ = 0;
  Clock::time_point next_{};
};

/// The verdict for the status bar, and what it means.
struct VerdictWords {
  std::string text, tooltip;
  bool crosses = false;
};
/// `promise`: what the collision method promises, in words. Empty text: nothing to say.
VerdictWords verdict_words(const CrossingWatch& watch, const std::string& promise);

}  // namespace weft
