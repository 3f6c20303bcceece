// Progress of long work: a bar on a terminal, plain lines elsewhere.
#pragma once
#include <chrono>
#include <string>

namespace weft {

/// Writes to standard error, so that standard output holds results only.
class Progress {
 public:
  /// `what` names the work ("simulating"), `unit` what is counted ("steps").
  Progress(std::string what, std::string unit, long total, bool quiet);
  /// Ends the line if `finish` was not called.
  ~Progress();
  Progress(const Progress&) = delete;

  /// Draws at most ten times a second on a terminal, and one line per tenth of the work elsewhere. `remark`
  /// is appended.
  void update(long done, const std::string& remark = {});
  void finish();

 private:
  void draw_bar(long done, const std::string& remark);
  void draw_line(long done, const std::string& remark);
  using Clock = std::chrono::steady_clock;
  std::string what_, unit_;
  long total_;
  bool quiet_, terminal_, open_ = false;
  Clock::time_point start_ = Clock::now(), drawn_{};
  int tenths_ = -1;
};

/// "1 min 20 s", "3.2 s".
std::string duration_text(double seconds);

}  // namespace weft
