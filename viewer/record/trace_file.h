// Execution trace of the program, for chrome://tracing and ui.perfetto.dev.
#pragma once
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sim/run/runner.h"

namespace weft {

/// Rows of the trace.
enum class TraceTrack { simulator = 1, device = 2, pictures = 3, encoder = 4 };

/// Writes Chrome's trace format (a JSON array): every stage of every step, pictures and their encoding, and
/// the step's numbers as counters. The text is written in blocks, each followed by the end of the array,
/// which the next block overwrites: the file is valid JSON after each block, and has whole events, perhaps
/// without the array's end (as the format allows), if the program is killed while writing. Thread-safe. Once
/// writing fails, `fault` gives the reason and nothing more is written. On a device with its own clock the
/// stages are those of measured steps (see sim/device/README.md), on their own track, at the time of their
/// step; the host's time of every step is always recorded.
class TraceFile final : public RunListener {
 public:
  using Clock = std::chrono::steady_clock;
  /// Throws Error if the file cannot be created.
  explicit TraceFile(const std::string& path);
  /// Closes.
  ~TraceFile() override;

  /// One piece of work on a track.
  void span(TraceTrack track, const char* name, Clock::time_point begin, Clock::time_point end);
  void step_ended(long number, Time begin, Time end) override;
  void stages(long number, Time begin, const std::vector<StageSpan>& spans, bool on_device) override;
  /// Counters now.
  void published(const StepStats& stats) override;

  /// Writes pending events and closes the file; later ones are ignored. False if it is incomplete. May be
  /// called twice.
  bool close();
  std::string fault() const;
  const std::string& path() const { return path_; }
  long steps() const;

 private:
  void name_track(TraceTrack track, const char* name);
  void event(TraceTrack track, const char* name, int64_t begin, int64_t end,
             const std::string& arguments = {});
  int64_t nanoseconds(Clock::time_point t) const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(t - start_).count();
  }
  bool write_at(const std::string& text, int64_t& at);
  int64_t write_events(int64_t at);
  void flush();
  void flush_if_long();

  std::string path_;
  Clock::time_point start_ = Clock::now();
  mutable std::mutex mutex_;
  int file_ = -1;
  int64_t written_ = 0;  // bytes, without the end of the array
  std::string text_;     // not yet in the file
  std::string fault_;
  long steps_ = 0;
  Clock::time_point flushed_ = start_;
};

/// The trace being written in this process, if any; drawing and encoding record into it.
void set_current_trace(std::shared_ptr<TraceFile> trace);
std::shared_ptr<TraceFile> current_trace();

/// Records one piece of work, for the lifetime of the object, in the current trace. Costs next to nothing
/// without one.
class TraceScope {
 public:
  TraceScope(TraceTrack track, const char* name)
      : trace_(current_trace()),
        track_(track),
        name_(name),
        begin_(trace_ ? TraceFile::Clock::now() : TraceFile::Clock::time_point()) {}
  ~TraceScope() {
    if (trace_) trace_->span(track_, name_, begin_, TraceFile::Clock::now());
  }
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  std::shared_ptr<TraceFile> trace_;
  TraceTrack track_;
  const char* name_;
  TraceFile::Clock::time_point begin_;
};

}  // namespace weft
