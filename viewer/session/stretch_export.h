// A stretch of a run's kept states as a file, written in the background.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sim/run/runner.h"

namespace weft {

class StretchExport {
 public:
  /// Begins to write the kept states of these steps to `path` (make_frame_writer; a file of one frame gets
  /// the last). The runner must outlive this object.
  StretchExport(Runner& runner, std::vector<int> steps, std::string path);
  /// Ends the writing; what was written stays.
  ~StretchExport();
  StretchExport(const StretchExport&) = delete;
  StretchExport& operator=(const StretchExport&) = delete;

  bool done() const { return done_; }
  /// 0 to 1.
  double share() const { return double(written_) / double(steps_.size()); }
  /// Once it is done: the file and how much is in it, or what went wrong.
  bool failed() const { return failed_; }
  const std::string& words() const { return words_; }

 private:
  void write();
  Runner& runner_;
  std::vector<int> steps_;
  std::string path_, words_;
  std::atomic<size_t> written_{0};
  std::atomic<bool> stop_{false}, done_{false};
  bool failed_ = false;
  std::thread thread_;
};

/// The kept steps from `first` to `last`, both included; -1: the first or last that is kept.
std::vector<int> steps_of_stretch(const RunTimeline& timeline, int first, int last);

}  // namespace weft
